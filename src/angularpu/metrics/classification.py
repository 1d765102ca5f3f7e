"""How good predictions are, given the true classes."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from angularpu.errors import DataError


@dataclass(frozen=True)
class Confusion:
    """Predictions counted by their true classes.

    Precision, recall and F1 are 0 where they would be 0/0, because no row is called positive or none is.

    Attributes
    ----------
    tp, fp, fn, tn : int
        True positives, false positives, false negatives and true negatives; at least one row in all.

    Examples
    --------
    >>> counts = Confusion(tp=6, fp=2, fn=4, tn=8)
    >>> counts.accuracy, counts.precision, counts.recall, counts.f1
    (0.7, 0.75, 0.6, 0.6666666666666666)
    """

    tp: int
    fp: int
    fn: int
    tn: int

    def __post_init__(self) -> None:
        if min(self.tp, self.fp, self.fn, self.tn) < 0 or self.n == 0:
            raise DataError(f"a confusion needs counts of at least one row, none of them negative, got {self}")

    @classmethod
    def of(cls, y: NDArray[Any], predicted: NDArray[Any]) -> "Confusion":
        """Count predictions (1 or True: called positive) against true classes (1 positive, 0 negative)."""
        if y.ndim != 1 or y.shape != predicted.shape:
            raise DataError(f"y and predictions must be flat and equally long, got {y.shape} and {predicted.shape}")
        tn, fp, fn, tp = np.bincount(2 * (y == 1) + (predicted == 1), minlength=4).tolist()
        return cls(tp=tp, fp=fp, fn=fn, tn=tn)

    @property
    def n(self) -> int:
        """All rows."""
        return self.tp + self.fp + self.fn + self.tn

    @property
    def prior(self) -> float:
        """The share of true positives among all rows."""
        return (self.tp + self.fn) / self.n

    @property
    def accuracy(self) -> float:
        """The share of rows whose prediction is right."""
        return (self.tp + self.tn) / self.n

    @property
    def precision(self) -> float:
        """The share of positives among the rows called positive."""
        return _divide(self.tp, self.tp + self.fp)

    @property
    def recall(self) -> float:
        """The share of the positives that are called positive."""
        return _divide(self.tp, self.tp + self.fn)

    @property
    def f1(self) -> float:
        """The harmonic mean of precision and recall, 2 tp/(2 tp + fp + fn)."""
        return _divide(2 * self.tp, 2 * self.tp + self.fp + self.fn)


def _divide(part: int, whole: int) -> float:
    return part / whole if whole else 0.0
