"""Methods ranked over data sets, and how far apart two ranks must be to tell methods apart."""

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy import stats

from angularpu.errors import DataError

Values = NDArray[Any]


@dataclass(frozen=True)
class Ranking:
    """Methods ranked over data sets.

    Attributes
    ----------
    ranks : float array of shape (methods,)
        Average ranks, 1 is best; ties share their ranks.
    each : float array of shape (data sets, methods)
        The ranks on every data set.
    n : int
        Number of data sets.
    p_friedman : float
        p-value of Friedman's test that all methods are alike.
    critical_difference : float
        Nemenyi's: methods whose average ranks are further apart differ.
    """

    ranks: Values
    each: Values
    n: int
    p_friedman: float
    critical_difference: float


def rank_methods(values: ArrayLike, *, risk: float = 0.05) -> Ranking:
    """Rank methods on every data set, and find how far apart average ranks must be to tell methods apart.

    CD = q sqrt(k (k + 1)/(6 N)) with k methods, N data sets, and q the 1 - risk quantile of the studentised range over
    sqrt(2).

    Parameters
    ----------
    values : array of shape (data sets, methods)
        One metric, higher is better; none may be missing.
    risk : float in (0, 1)
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
    values = np.asarray(values, dtype=float)
    if values.ndim != 2 or min(values.shape) < 1 or not np.isfinite(values).all():
        raise DataError("ranks need one finite value per data set and method; leave out what was not run everywhere")
    n, k = values.shape
    ranks = stats.rankdata(-values, axis=1)
    q = stats.studentized_range.ppf(1 - risk, k, np.inf) / math.sqrt(2) if k > 1 else 0.0
    return Ranking(
        ranks=ranks.mean(axis=0),
        each=ranks,
        n=n,
        p_friedman=_friedman(ranks),
        critical_difference=float(q * math.sqrt(k * (k + 1) / (6 * n))),
    )


def find_cliques(ranks: ArrayLike, critical_difference: float) -> list[tuple[int, ...]]:
    """Group the methods that the critical difference does not tell apart, largest groups only.

    Parameters
    ----------
    ranks : array of shape (methods,)
        Average ranks.
    critical_difference : float
        Ranks that are no further apart than this are alike.

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


def _friedman(ranks: Values) -> float:
    n, k = ranks.shape
    if k < 3 or n < 2:
        return math.nan
    if (ranks == ranks[0, 0]).all():
        return 1.0
    return float(stats.friedmanchisquare(*ranks.T).pvalue)
