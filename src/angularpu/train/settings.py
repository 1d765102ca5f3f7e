"""How long, how fast and on what to train."""

from dataclasses import dataclass
from typing import Literal

import torch

from angularpu.errors import SettingError

UPDATES = 1500

Selection = Literal["pu-auc", "last"]


@dataclass(frozen=True)
class Schedule:
    """What the loop follows; see :class:`Settings`."""

    epochs: int
    patience: int
    batch_size: int
    learning_rate: float


@dataclass(frozen=True)
class Settings:
    """How a user wants an algorithm trained.

    Attributes
    ----------
    epochs : int or None
        Passes over the rows at most; None: 15, and up to 100 for small data, so that 1500 updates are made.
    batch_size : int
    learning_rate : float
        Adam's.
    patience : int or None
        Epochs without a better held-out PU-AUC before training ends; None: a fifth of ``epochs``, at least 5.
    selection : {"pu-auc", "last"}
        Keep the epoch with the best held-out PU-AUC, or train on all rows and keep the last.
    device : str
        "auto", "cpu", "cuda", "mps" or a torch device string.
    """

    epochs: int | None = None
    batch_size: int = 128
    learning_rate: float = 1e-4
    patience: int | None = None
    selection: Selection = "pu-auc"
    device: str = "auto"

    def __post_init__(self) -> None:
        if self.epochs is not None and self.epochs < 1:
            raise SettingError(f"epochs must be at least 1, got {self.epochs}")
        if self.batch_size < 2:
            raise SettingError(f"batch_size must be at least 2, got {self.batch_size}")
        if not 0 < self.learning_rate < float("inf"):
            raise SettingError(f"learning_rate must be a positive number, got {self.learning_rate}")
        if self.patience is not None and self.patience < 1:
            raise SettingError(f"patience must be at least 1 epoch, or None, got {self.patience}")
        if self.selection not in ("pu-auc", "last"):
            raise SettingError(f"selection must be 'pu-auc' or 'last', got {self.selection!r}")

    def schedule(self, n: int) -> Schedule:
        """Return the schedule for ``n`` rows.

        >>> Settings().schedule(60_000).epochs, Settings().schedule(3_000).epochs, Settings().schedule(300).patience
        (15, 63, 20)
        """
        epochs = self.epochs or min(max(15, -(-UPDATES // -(-n // self.batch_size))), 100)
        return Schedule(epochs, self.patience or max(5, epochs // 5), self.batch_size, self.learning_rate)


def choose_device(name: str) -> torch.device:
    """Return the device that ``name`` means here; "auto" takes the fastest there is.

    >>> choose_device("cpu")
    device(type='cpu')
    """
    if name == "auto":
        name = "cuda" if torch.cuda.is_available() else "mps" if torch.backends.mps.is_available() else "cpu"
    try:
        device = torch.device(name)
        torch.empty(0, device=device)
    except (RuntimeError, AssertionError) as error:
        reason = str(error).splitlines()[0]
        raise SettingError(f"device {name!r} cannot be used here ({reason}); pass device='auto'") from error
    return device
