"""Whether rows with a probability of 0.8 are positive four times in five."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from angularpu.checks import check_whole
from angularpu.errors import DataError

Probability = NDArray[np.floating[Any]]


@dataclass(frozen=True, eq=False)
class CalibrationCurve:
    """Probabilities and true shares of positives in bins, the lowest probabilities first.

    Attributes
    ----------
    probability : float64 array of shape (b,)
        Mean probability of the rows in each bin.
    positive_share : float64 array of shape (b,)
        Share of true positives among them.
    n : int64 array of shape (b,)
        How many rows the bin holds, at least one.
    """

    probability: NDArray[np.float64]
    positive_share: NDArray[np.float64]
    n: NDArray[np.int64]

    @property
    def expected_error(self) -> float:
        """The mean distance between the two: ECE = sum over bins of n_b/n |mean p - mean y|."""
        return float(np.average(np.abs(self.probability - self.positive_share), weights=self.n))


def calibration_curve(y: NDArray[Any], probability: Probability, *, bins: int = 15) -> CalibrationCurve:
    """Compare probabilities with the truth in bins of about equally many rows.

    Rows with the same probability are in one bin, whatever their order, so there may be fewer bins than ``bins``.

    Parameters
    ----------
    y : array of shape (n,)
        True classes, 1 positive and 0 negative.
    probability : float array of shape (n,)
        In [0, 1].
    bins : int
        How many bins at most, at least one.

    Examples
    --------
    >>> curve = calibration_curve(np.array([0, 0, 1, 1]), np.array([0.1, 0.3, 0.7, 0.9]), bins=2)
    >>> curve.probability, curve.positive_share, curve.n
    (array([0.2, 0.8]), array([0., 1.]), array([2, 2]))
    """
    _check(y, probability, bins=bins)
    edges = np.quantile(probability, np.arange(1, bins) / bins, method="inverted_cdf")
    _, where = np.unique(np.searchsorted(edges, probability, side="left"), return_inverse=True)
    n = np.bincount(where)
    mean = np.bincount(where, weights=probability) / n
    return CalibrationCurve(mean, np.bincount(where, weights=y == 1) / n, n)


def expected_calibration_error(y: NDArray[Any], probability: Probability, *, bins: int = 15) -> float:
    """Return how far probabilities are from the truth, on average over bins of equally many rows (ECE).

    ECE = sum over bins b of n_b/n |mean p in b - share of positives in b|. Chance alone gives each bin of n_b rows an
    error of about 0.8 sqrt(p (1 - p)/n_b).

    Parameters
    ----------
    y : array of shape (n,)
        True classes, 1 positive and 0 negative.
    probability : float array of shape (n,)
        In [0, 1].
    bins : int
        How many bins at most, at least one.

    Examples
    --------
    >>> round(expected_calibration_error(np.array([0, 0, 1, 1]), np.array([0.1, 0.3, 0.7, 0.9]), bins=2), 4)
    0.2
    """
    return calibration_curve(y, probability, bins=bins).expected_error


def _check(y: NDArray[Any], probability: Probability, *, bins: int) -> None:
    if y.ndim != 1 or y.shape != probability.shape or len(y) == 0:
        raise DataError(
            f"y and probabilities must be flat, equally long and not empty, got {y.shape} and {probability.shape}"
        )
    if not ((probability >= 0) & (probability <= 1)).all():
        raise DataError("probabilities must lie in [0, 1]; pass those of predict_proba, not scores")
    check_whole("bins", bins, low=1)
