"""The stages of a run in one checkpoint: what the finished ones left, and how far the current one has come."""

from typing import Any

from torch import Tensor

from angularpu.errors import ModelError
from angularpu.train.checkpoint import Checkpoint
from angularpu.train.state import State, below, flatten_record, restore_record


class Journal:
    """Keeps finished stages and stores the current one, on disk when there is a checkpoint.

    Parameters
    ----------
    checkpoint : Checkpoint or None
        Read at once; None keeps everything in memory.

    Attributes
    ----------
    finished : list of State
        What the finished stages left.
    """

    def __init__(self, checkpoint: Checkpoint | None) -> None:
        self._checkpoint = checkpoint
        self._current: tuple[dict[str, Tensor], dict[str, Any]] | None = None
        self.finished: list[State] = []
        saved = checkpoint.load() if checkpoint else None
        if saved:
            tensors, info = saved
            try:
                self._current = below("current/", tensors), info["current"]
                restore_record(*self._current)  # the loop reads it again; what does not fit is refused here
                self.finished = [
                    restore_record(below(f"finished/{k}/", tensors), record)
                    for k, record in enumerate(info["finished"])
                ]
            except (KeyError, TypeError) as error:
                raise ModelError(
                    "the checkpoint was written by another version of angularpu or by something else; restart to throw "
                    "it away (--restart)"
                ) from error

    def load(self) -> tuple[dict[str, Tensor], dict[str, Any]] | None:
        """Return the saved state of the current stage, if it had begun."""
        return self._current

    def save(self, tensors: dict[str, Tensor], info: dict[str, Any]) -> None:
        """Keep the state of the current stage."""
        if self._checkpoint is None:
            return
        records = [flatten_record(state) for state in self.finished]
        everything = {f"current/{name}": tensor for name, tensor in tensors.items()}
        for k, (parts, _) in enumerate(records):
            everything |= {f"finished/{k}/{name}": tensor for name, tensor in parts.items()}
        self._checkpoint.save(everything, {"current": info, "finished": [record for _, record in records]})

    def finish(self, state: State) -> None:
        """Close the current stage."""
        self.finished.append(state)
        self._current = None
