"""By how much one method is better than another, and how sure that is: paired differences and intervals of means."""

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike
from scipy import stats

from angularpu.errors import DataError


@dataclass(frozen=True)
class PairedDifference:
    """The difference of two methods over the same draws of labels.

    Attributes
    ----------
    n : int
        Number of pairs.
    mean, std : float
        Mean and deviation (n - 1) of the differences, first minus second; the deviation of one pair is NaN.
    low, high : float
        t interval of the mean; NaN with one pair.
    p_t : float
        Two-sided p-value of the paired t-test; NaN with one pair.
    """

    n: int
    mean: float
    std: float
    low: float
    high: float
    p_t: float


def bound_mean(values: ArrayLike, *, level: float = 0.95) -> tuple[float, float]:
    """Return an interval for the mean of such values, by Student's t; with a handful of values it is wide.

    Parameters
    ----------
    values : array of shape (n,)
    level : float in (0, 1)
        Of the interval.

    Returns
    -------
    low, high : float
        NaN with fewer than two values.

    Examples
    --------
    >>> tuple(round(bound, 2) for bound in bound_mean([1.0, 2.0, 3.0]))
    (-0.48, 4.48)
    """
    values = np.asarray(values, dtype=float)
    if len(values) < 2:
        return math.nan, math.nan
    half = float(stats.t.ppf((1 + level) / 2, len(values) - 1) * values.std(ddof=1) / math.sqrt(len(values)))
    return float(values.mean()) - half, float(values.mean()) + half


@dataclass(frozen=True)
class Belief:
    """How likely it is that a mean difference matters, and in which direction; the three sum to one.

    Attributes
    ----------
    better, equal, worse : float
        The chance that it lies above a margin, within the margin on either side of zero, and below.
    """

    better: float
    equal: float
    worse: float


def believe(values: ArrayLike, *, margin: float) -> Belief:
    """Return what to believe of the mean of such differences after seeing these, and nothing before.

    By Bayes' rule with a flat prior the mean is distributed as Student's t with n - 1 degrees of freedom around the
    mean of the values, in units of their standard error.

    Parameters
    ----------
    values : array of shape (n,)
    margin : float
        The smallest difference that matters.

    Returns
    -------
    Belief
        NaN with fewer than two values.

    Examples
    --------
    >>> found = believe([0.010, 0.012, 0.011], margin=0.003)
    >>> round(found.better, 3), round(found.equal, 3), round(found.worse, 3)
    (0.997, 0.002, 0.001)
    """
    values = np.asarray(values, dtype=float)
    if len(values) < 2:
        return Belief(math.nan, math.nan, math.nan)
    centre, error = float(values.mean()), float(values.std(ddof=1)) / math.sqrt(len(values))
    if error == 0:
        return Belief(float(centre > margin), float(abs(centre) <= margin), float(centre < -margin))
    law = stats.t(len(values) - 1, loc=centre, scale=error)
    better, worse = float(law.sf(margin)), float(law.cdf(-margin))
    return Belief(better, 1 - better - worse, worse)


def compare_paired(first: ArrayLike, second: ArrayLike, *, level: float = 0.95) -> PairedDifference:
    """Compare two methods by a metric that both have for the same draws of labels.

    Parameters
    ----------
    first, second : arrays of shape (n,)
        One value per draw of labels; the i-th value of both belongs to the same draw.
    level : float in (0, 1)
        Of the interval.

    Returns
    -------
    PairedDifference

    Examples
    --------
    >>> both = compare_paired([0.9, 0.8, 0.7], [0.8, 0.6, 0.6])
    >>> both.n, round(both.mean, 3), round(both.p_t, 3)
    (3, 0.133, 0.057)
    """
    first, second = np.asarray(first, dtype=float), np.asarray(second, dtype=float)
    if first.shape != second.shape or first.ndim != 1 or not len(first):
        raise DataError(
            f"pairs must be two lists of one length, got shapes {first.shape} and {second.shape}; pair them"
        )
    difference = first - second
    low, high = bound_mean(difference, level=level)
    std = float(difference.std(ddof=1)) if len(difference) > 1 else math.nan
    return PairedDifference(
        n=len(difference),
        mean=float(difference.mean()),
        std=std,
        low=low,
        high=high,
        p_t=_t_test(float(difference.mean()), std, n=len(difference)),
    )


def share_of_gap(value: float, *, naive: float, supervised: float) -> float:
    """Return how much of the gap between the naive and the supervised method another method closes.

    (value - naive)/(supervised - naive): 0 is no better than naive, 1 as good as supervised. NaN where supervised is
    not above naive: there is no gap to close.

    >>> round(share_of_gap(0.984, naive=0.965, supervised=0.996), 2)
    0.61
    """
    return (value - naive) / (supervised - naive) if supervised > naive else math.nan


def adjust_holm(p_values: Sequence[float]) -> list[float]:
    """Correct several p-values for being several, by Holm's step-down rule; NaN stays NaN and does not count.

    >>> [round(p, 3) for p in adjust_holm([0.01, 0.04, 0.03])]
    [0.03, 0.06, 0.06]
    """
    p = np.asarray(p_values, dtype=float)
    order = np.argsort(p)  # NaN sorts to the end
    counted = order[: int(np.isfinite(p).sum())]
    adjusted = np.full(len(p), math.nan)
    factors = np.arange(len(counted), 0, -1)
    adjusted[counted] = np.minimum(np.maximum.accumulate(p[counted] * factors), 1)
    return [float(value) for value in adjusted]


def _t_test(mean: float, std: float, *, n: int) -> float:
    if n < 2:
        return math.nan
    if std == 0:
        return 1.0 if mean == 0 else 0.0
    return float(2 * stats.t.sf(abs(mean) / (std / math.sqrt(n)), n - 1))
