"""How sure one can be that one method is better than another: paired differences, ranks, bootstrap intervals."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy import stats

from angularpu.errors import DataError

RESAMPLES = 10_000
Figures = NDArray[Any]


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
        Bootstrap interval of the mean; NaN with one pair.
    p_t, p_wilcoxon : float
        Two-sided p-values of the paired t-test and of Wilcoxon's signed-rank test, NaN with one pair. Wilcoxon's cannot
        fall below 2^(1 - n): with five seeds it never reaches .05.
    """

    n: int
    mean: float
    std: float
    low: float
    high: float
    p_t: float
    p_wilcoxon: float


@dataclass(frozen=True)
class Ranking:
    """Methods ranked over data sets.

    Attributes
    ----------
    ranks : float array of shape (methods,)
        Average ranks, 1 is best; ties share their ranks.
    n : int
        Number of data sets.
    p_friedman : float
        p-value of Friedman's test that all methods are alike.
    critical_difference : float
        Nemenyi's: methods whose average ranks are further apart differ.
    """

    ranks: Figures
    n: int
    p_friedman: float
    critical_difference: float


def bootstrap_mean(
    values: ArrayLike, *, generator: np.random.Generator, level: float = 0.95, resamples: int = RESAMPLES
) -> tuple[float, float]:
    """Say between which bounds the mean of such values lies, by drawing them anew with replacement.

    Parameters
    ----------
    values : array of shape (n,)
    generator : numpy.random.Generator
    level : float in (0, 1)
    resamples : int

    Returns
    -------
    low, high : float
        Percentiles of the means; NaN with fewer than two values. With a handful of values the interval is too narrow.

    Examples
    --------
    >>> low, high = bootstrap_mean([1.0, 2.0, 3.0], generator=np.random.default_rng(0))
    >>> 1 <= low < 2 < high <= 3
    True
    """
    values = np.asarray(values, dtype=float)
    if len(values) < 2:
        return math.nan, math.nan
    means = values[generator.integers(len(values), size=(resamples, len(values)))].mean(axis=1)
    low, high = np.quantile(means, [(1 - level) / 2, (1 + level) / 2])
    return float(low), float(high)


def bound_mean(values: ArrayLike, *, level: float = 0.95) -> tuple[float, float]:
    """Say between which bounds the mean of such values lies, by Student's t: wide, as it must be, with a handful.

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


def compare_paired(
    first: ArrayLike, second: ArrayLike, *, generator: np.random.Generator, level: float = 0.95
) -> PairedDifference:
    """Compare two methods on figures that belong together pair by pair.

    Parameters
    ----------
    first, second : arrays of shape (n,)
        One figure per draw of labels; the i-th of both stem from the same draw.
    generator : numpy.random.Generator
        For the bootstrap.
    level : float in (0, 1)
        Of the interval.

    Returns
    -------
    PairedDifference

    Examples
    --------
    >>> both = compare_paired([0.9, 0.8, 0.7], [0.8, 0.6, 0.6], generator=np.random.default_rng(0))
    >>> both.n, round(both.mean, 3), round(both.p_t, 3), both.p_wilcoxon
    (3, 0.133, 0.057, 0.25)
    """
    first, second = np.asarray(first, dtype=float), np.asarray(second, dtype=float)
    if first.shape != second.shape or first.ndim != 1 or not len(first):
        raise DataError(
            f"pairs must be two lists of one length, got shapes {first.shape} and {second.shape}; pair them"
        )
    difference = first - second
    low, high = bootstrap_mean(difference, generator=generator, level=level)
    std = float(difference.std(ddof=1)) if len(difference) > 1 else math.nan
    return PairedDifference(
        n=len(difference),
        mean=float(difference.mean()),
        std=std,
        low=low,
        high=high,
        p_t=_t_test(float(difference.mean()), std, n=len(difference)),
        p_wilcoxon=_wilcoxon(difference),
    )


def rank_methods(figures: ArrayLike, *, alpha: float = 0.05) -> Ranking:
    """Rank methods on every data set and say how far apart average ranks must be to tell methods apart.

    CD = q_alpha sqrt(k (k + 1)/(6 N)) with k methods, N data sets, and q_alpha the studentised range over sqrt(2).

    Parameters
    ----------
    figures : array of shape (data sets, methods)
        Higher is better; no figure may be missing.
    alpha : float in (0, 1)
        Risk of telling apart two methods that are alike.

    Returns
    -------
    Ranking
        Friedman's p-value is NaN for fewer than three methods or two data sets, and 1 when all methods always tie.

    Examples
    --------
    >>> ranking = rank_methods([[0.9, 0.8, 0.7], [0.9, 0.7, 0.8], [0.8, 0.7, 0.6]])
    >>> [round(float(rank), 2) for rank in ranking.ranks], round(ranking.critical_difference, 2)
    ([1.0, 2.33, 2.67], 1.91)
    """
    figures = np.asarray(figures, dtype=float)
    if figures.ndim != 2 or min(figures.shape) < 1 or not np.isfinite(figures).all():
        raise DataError("ranks need one finite figure per data set and method; leave out what was not run everywhere")
    n, k = figures.shape
    ranks = stats.rankdata(-figures, axis=1)
    q = stats.studentized_range.ppf(1 - alpha, k, np.inf) / math.sqrt(2) if k > 1 else 0.0
    return Ranking(
        ranks=ranks.mean(axis=0),
        n=n,
        p_friedman=_friedman(ranks),
        critical_difference=float(q * math.sqrt(k * (k + 1) / (6 * n))),
    )


def find_cliques(ranks: ArrayLike, critical_difference: float) -> list[tuple[int, ...]]:
    """Group the methods that the critical difference does not tell apart, largest groups only.

    Returns
    -------
    list of tuples of int
        Positions in ``ranks``, from the best to the worst; groups of one are left out.

    Examples
    --------
    >>> find_cliques([1.0, 3.0, 1.5, 2.4], 1.0)
    [(0, 2), (2, 3), (3, 1)]
    """
    ranks = np.asarray(ranks, dtype=float)
    order = np.argsort(ranks, kind="stable")
    cliques: list[tuple[int, ...]] = []
    reached = -1
    for start, best in enumerate(order):
        end = int(np.searchsorted(ranks[order], ranks[best] + critical_difference, side="right")) - 1
        if end > max(start, reached):
            cliques.append(tuple(int(i) for i in order[start : end + 1]))
        reached = max(reached, end)
    return cliques


def share_of_gap(value: float, *, naive: float, supervised: float) -> float:
    """Say how much of the way from taking unlabelled rows for negatives to knowing all labels a method goes.

    (value - naive)/(supervised - naive): 0 is no better than naive, 1 as good as supervised. NaN where supervised is
    not above naive, for then there is no gap to close.

    >>> round(share_of_gap(0.984, naive=0.965, supervised=0.996), 2)
    0.61
    """
    return (value - naive) / (supervised - naive) if supervised > naive else math.nan


def adjust_holm(p_values: Sequence[float]) -> list[float]:
    """Correct p-values for being many, by Holm's step-down rule; NaN stays NaN and does not count.

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


def _wilcoxon(difference: Figures) -> float:
    if len(difference) < 2:
        return math.nan
    changed = difference[difference != 0]
    return float(stats.wilcoxon(changed).pvalue) if len(changed) else 1.0


def _friedman(ranks: Figures) -> float:
    n, k = ranks.shape
    if k < 3 or n < 2:
        return math.nan
    if (ranks == ranks[0, 0]).all():
        return 1.0
    return float(stats.friedmanchisquare(*ranks.T).pvalue)
