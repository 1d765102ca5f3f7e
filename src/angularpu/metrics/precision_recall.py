"""Precision and recall at every cut of a ranking, and the metrics that follow from them."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from angularpu.errors import DataError, SettingError
from angularpu.metrics.cuts import Score, list_cuts


@dataclass(frozen=True, eq=False)
class PrecisionRecall:
    """Precision and recall from the highest cut with a row above it to the lowest, which has all rows above it.

    Attributes
    ----------
    hits : int64 array of shape (m,)
        True positives above each cut; the last entry counts all positives.
    called : int64 array of shape (m,)
        Rows above each cut.

    Examples
    --------
    >>> curve = PrecisionRecall.of(np.array([1, 0, 1]), np.array([3.0, 2.0, 1.0]))
    >>> curve.recall, curve.f1
    (array([0.5, 0.5, 1. ]), array([0.66666667, 0.5       , 0.8       ]))
    >>> curve.recall_at(0.9)
    0.5
    """

    hits: NDArray[np.int64]
    called: NDArray[np.int64]

    @classmethod
    def of(cls, y: NDArray[Any], score: Score) -> "PrecisionRecall":
        """Trace the curve of true classes (1 positive, 0 negative, both present) ranked by ``score``."""
        if y.ndim != 1 or y.shape != score.shape:
            raise DataError(f"y and score must be flat and equally long, got {y.shape} and {score.shape}")
        positive = y == 1
        if positive.all() or not positive.any():
            raise DataError("the true classes are all the same; a ranking is measured with positives and negatives")
        cuts = list_cuts(score[positive], score[~positive])
        return cls(cuts.pos_above[-2::-1], (cuts.pos_above + cuts.rest_above)[-2::-1])

    @property
    def precision(self) -> NDArray[np.float64]:
        """The share of positives above each cut."""
        return np.asarray(self.hits / self.called)

    @property
    def recall(self) -> NDArray[np.float64]:
        """The part of the positives that lies above each cut."""
        return np.asarray(self.hits / self.hits[-1])

    @property
    def f1(self) -> NDArray[np.float64]:
        """F1 = 2 tp/(n_pos + called) at each cut."""
        return np.asarray(2 * self.hits / (self.hits[-1] + self.called))

    @property
    def average_precision(self) -> float:
        """AP = sum over cuts of (R_j - R_(j-1)) P_j."""
        return float(np.sum(np.diff(self.recall, prepend=0.0) * self.precision))

    def recall_at(self, floor: float) -> float:
        """Return the highest recall whose precision is at least ``floor``; 0 when no cut reaches it."""
        if not 0 <= floor <= 1:
            raise SettingError(f"floor must lie in [0, 1], got {floor:g}; write 0.9 for a precision of 90 %")
        return float(np.max(self.recall, where=self.precision >= floor, initial=0.0))
