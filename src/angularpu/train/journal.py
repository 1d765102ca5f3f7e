"""One stage of a run in a checkpoint: how far it has come, or what it left when it ended."""

from typing import Any, Protocol

from torch import Tensor

from angularpu.errors import ModelError
from angularpu.train.state import State, below, flatten_record, restore_record

FINISHED = "finished"
WEIGHTS = "weights/"


class Store(Protocol):
    """Where a stage is saved: a checkpoint, of this process or of several ranks."""

    def save(self, tensors: dict[str, Tensor], info: dict[str, Any]) -> None:
        """Replace the saved state."""
        ...

    def load(self) -> tuple[dict[str, Tensor], dict[str, Any]] | None:
        """Return the saved state, or None when nothing was saved yet."""
        ...


class Journal:
    """Stores one stage after every epoch and once more at its end, on disk when there is a checkpoint.

    Parameters
    ----------
    checkpoint : Store or None
        The stage's own, read at once; None stores nothing.

    Attributes
    ----------
    finished : (State, dict of str to Tensor) or None
        What the stage left and the weights it ended with, if it had ended.
    """

    def __init__(self, checkpoint: Store | None) -> None:
        self._checkpoint = checkpoint
        self._current: tuple[dict[str, Tensor], dict[str, Any]] | None = None
        self.finished: tuple[State, dict[str, Tensor]] | None = None
        saved = checkpoint.load() if checkpoint else None
        if saved:
            tensors, info = saved
            try:
                state = restore_record(tensors, info["record"])  # what does not fit is refused here
                if info[FINISHED]:
                    self.finished = state, below(WEIGHTS, tensors)
                else:
                    self._current = tensors, info["record"]
            except (KeyError, TypeError) as error:
                raise ModelError(
                    "the checkpoint was written by another version of angularpu or by something else; restart to throw "
                    "it away (--restart)"
                ) from error

    def load(self) -> tuple[dict[str, Tensor], dict[str, Any]] | None:
        """Return the saved state of the stage, if it had begun and not ended."""
        return self._current

    def save(self, tensors: dict[str, Tensor], record: dict[str, Any]) -> None:
        """Keep the state of the stage."""
        if self._checkpoint is not None:
            self._checkpoint.save(tensors, {"record": record, FINISHED: False})

    def finish(self, state: State, weights: dict[str, Tensor]) -> None:
        """Close the stage: what it left replaces what resuming it would have needed."""
        if self._checkpoint is not None:
            tensors, record = flatten_record(state)
            tensors |= {f"{WEIGHTS}{name}": tensor for name, tensor in weights.items()}
            self._checkpoint.save(tensors, {"record": record, FINISHED: True})
