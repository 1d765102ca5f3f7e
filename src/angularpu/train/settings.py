"""How long, how fast and on what to train."""

from dataclasses import dataclass
from typing import Literal, get_args

import torch

from angularpu.checks import check_choice, check_range, check_whole
from angularpu.errors import SettingError
from angularpu.scenario.split import ENOUGH_FOR_MEAN, ENOUGH_POSITIVES, Validation
from angularpu.train.selection_names import Selection

UPDATES = 1500

Optimiser = Literal["adam", "sgd"]
Decay = Literal["none", "cosine"]


@dataclass(frozen=True)
class Schedule:
    """What the loop follows; see :class:`Settings`."""

    epochs: int
    patience: int
    batch_size: int
    learning_rate: float
    weight_decay: float = 0.0
    optimizer: Optimiser = "adam"
    decay: Decay = "none"
    stops: tuple[int, ...] = ()  # epochs after which each phase ends; empty: when it is over


@dataclass(frozen=True)
class Settings:
    """How a user wants an algorithm trained.

    Attributes
    ----------
    epochs : int or None
        Passes over the rows at most; None: 15, and up to 100 for small data, so that 1500 updates are made.
    batch_size : int
    learning_rate : float
    weight_decay : float
        Times the weights, added to the gradient.
    optimizer : {"adam", "sgd"}
        SGD has a momentum of .9.
    decay : {"none", "cosine"}
        Keep the learning rate, or lower it to zero over each phase along a cosine.
    patience : int or None
        Epochs without a better one before training ends; None: a fifth of ``epochs``, at least 5.
    selection : {"pu-auc", "proxy-accuracy", "pu-risk", "last", "oracle"}
        Keep the epoch that held-out positives and unlabelled rows say is best, by PU-AUC, by proxy accuracy or by
        nnPU's risk of the score as a logit (the latter two need the prior); keep the last; or ask the true classes of
        the held-out rows, which only an experiment has.
    validation : {"auto", "hold-out", "folds"}
        What is held out to choose epoch and threshold: a tenth of the rows, at least 30 labelled positives, or every
        row in turn in five folds, which takes five trainings; "auto": folds with fewer than 10,000 labelled positives,
        with ``refit`` fewer than 1000.
        Where the last epoch is kept, the held-out rows choose the threshold alone, and a tenth is held out only of more
        than 60 labelled positives; with fewer, the threshold rests on the scores of training rows.
    refit : bool
        False: after folds, rows are scored by the mean of the folds' models on a common scale. True: one more model is
        trained, on all rows and for as long as the folds agree on, and scores alone. Without folds one model is trained
        in any case.
    device : str
        "auto", "cpu", "cuda", "mps" or a torch device string.
    """

    epochs: int | None = None
    batch_size: int = 128
    learning_rate: float = 1e-4
    weight_decay: float = 0.0
    optimizer: Optimiser = "adam"
    decay: Decay = "none"
    patience: int | None = None
    selection: Selection = "pu-auc"
    validation: Validation = "auto"
    refit: bool = False
    device: str = "auto"

    def __post_init__(self) -> None:
        for name in ("epochs", "patience"):
            if getattr(self, name) is not None:
                check_whole(name, getattr(self, name), low=1)
        check_whole("batch_size", self.batch_size, low=2)
        check_range("learning_rate", self.learning_rate, low=0, open_low=True)
        check_range("weight_decay", self.weight_decay, low=0)
        check_choice("refit", self.refit, (True, False))
        choices = {"optimizer": Optimiser, "decay": Decay, "selection": Selection, "validation": Validation}
        for name, kind in choices.items():
            check_choice(name, getattr(self, name), get_args(kind))

    @property
    def enough_positives(self) -> int:
        """From how many labelled positives on a tenth is held out by default."""
        return ENOUGH_POSITIVES if self.refit else ENOUGH_FOR_MEAN

    def schedule(self, n: int) -> Schedule:
        """Return the schedule for ``n`` rows.

        >>> Settings().schedule(60_000).epochs, Settings().schedule(3_000).epochs, Settings().schedule(300).patience
        (15, 63, 20)
        """
        epochs = self.epochs or min(max(15, -(-UPDATES // -(-n // self.batch_size))), 100)
        return Schedule(
            epochs,
            self.patience or max(5, epochs // 5),
            self.batch_size,
            learning_rate=self.learning_rate,
            weight_decay=self.weight_decay,
            optimizer=self.optimizer,
            decay=self.decay,
        )


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
