"""A checkpoint that all ranks resume from, and that rank 0 alone reads and writes: the others need not see its disk."""

import json
from typing import Any

from safetensors.torch import load, save
from torch import Tensor

from angularpu.train.checkpoint import Checkpoint
from angularpu.train.ranks.group import Ranks, find_ranks


class SharedCheckpoint:
    """A stage's checkpoint on several ranks.

    Parameters
    ----------
    own : Checkpoint or None
        Of rank 0; the others have none.
    ranks : Ranks
    """

    def __init__(self, own: Checkpoint | None, ranks: Ranks) -> None:
        self._own, self._ranks = own, ranks

    def save(self, tensors: dict[str, Tensor], info: dict[str, Any]) -> None:
        """Replace the saved state, where there is a disk to do so."""
        if self._own is not None:
            self._own.save(tensors, info)

    def load(self) -> tuple[dict[str, Tensor], dict[str, Any]] | None:
        """Return what rank 0 has saved, on every rank."""
        saved = self._own.load() if self._own is not None else None
        info = self._ranks.hand_out(b"" if saved is None else json.dumps(saved[1]).encode())
        if not info:
            return None
        return load(self._ranks.hand_out(b"" if saved is None else save(saved[0]))), json.loads(info)


def share_checkpoint(own: Checkpoint | None) -> Checkpoint | SharedCheckpoint | None:
    """Return a stage's checkpoint as this process uses it: its own, unless several ranks train together."""
    ranks = find_ranks()
    return own if ranks is None else SharedCheckpoint(own, ranks)
