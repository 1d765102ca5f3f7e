"""The stages of a run in one checkpoint: what the finished ones left, and where the current one stands."""

from typing import Any

from torch import Tensor

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
            self._current = below("current/", tensors), info["current"]
            self.finished = [
                restore_record(below(f"finished/{k}/", tensors), record) for k, record in enumerate(info["finished"])
            ]

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
