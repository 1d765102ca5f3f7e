"""What training gives, with or without a network: something that scores rows, and scores to decide by."""

from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from angularpu.decide.held_out import HeldOut


class Scorer(Protocol):
    """What a method has learnt: from prepared rows to scores."""

    def score(self, x: Any) -> NDArray[np.float32]:
        """Return the scores of prepared rows; higher is more positive."""
        ...

    def embed(self, x: Any) -> NDArray[np.float32]:
        """Return the embeddings of prepared rows."""
        ...

    def arrays(self) -> dict[str, NDArray[Any]]:
        """Return what was learnt, as named arrays."""
        ...

    def structure(self) -> dict[str, Any]:
        """Return what was learnt and is no array, for JSON."""
        ...

    def numbers(self) -> dict[str, float]:
        """Return what was estimated on the way, for JSON."""
        ...


@dataclass(frozen=True, eq=False)
class Outcome:
    """What training gave.

    Attributes
    ----------
    scorer : Scorer
    held : HeldOut
        Scores to choose a threshold by.
    held_rows : (ndarray, ndarray) of int64
        Numbers of the labelled positives and of the unlabelled rows that those are the scores of.
    best_epoch : int
        The epoch that was kept, counted from 1; 0 where there are no epochs.
    history : list of dict
        One entry per stage and epoch.
    notes : tuple of str
        What a careful user should know about the validation.
    """

    scorer: Scorer
    held: HeldOut
    held_rows: tuple[NDArray[np.int64], NDArray[np.int64]]
    best_epoch: int
    history: list[dict[str, Any]]
    notes: tuple[str, ...]
