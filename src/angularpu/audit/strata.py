"""Strata by score, and how many rows to draw from each."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]

LEAST, MOST = 0.05, 0.95  # the PU curve may be wrong, so no row counts as certain
PER_STRATUM = 10  # answers
MOST_STRATA = 5  # on either side of the cut
FEWEST = 2  # answers of a stratum, with which it has a spread


@dataclass(frozen=True, eq=False)
class Strata:
    """Rows divided by score, with the number to draw from each stratum.

    Attributes
    ----------
    member : int64 array of shape (N,)
        The stratum of each row; 0 has the lowest scores.
    size : int64 array of shape (H,)
        Rows of each stratum.
    n : int64 array of shape (H,)
        Rows to draw from each.
    """

    member: Integers
    size: Integers
    n: Integers


def stratify(score: NDArray[np.float32], chance: Floats, *, cut: float, n: int) -> Strata:
    """Divide rows by score, so that few answers tell the share of positives and the precision at the cut.

    With a chance p of being positive, a row has the deviation d = sqrt(p (1 - p)). A stratum h of N_h rows, of which
    n_h are drawn, adds (N_h d_h/N)^2/n_h to the variance of alpha and, if it lies above the cut, (N_h d_h/N_+)^2/n_h to
    that of the precision. Either variance is measured in that of a simple random sample of n rows, and the n_h make
    the sum of the two the least: n_h ~ N_h d_h sqrt(1/(N^2 v) + [above]/(N N_+ v_+)), where v and v_+ are p (1 - p) of
    the mean p of all rows and of those above. Strata have about equally many answers, ten or more, and the cut is a
    boundary.

    Parameters
    ----------
    score : float32 array of shape (N,)
        Rows of equal score are kept together.
    chance : float64 array of shape (N,)
        The PU curve's chance that a row is positive, pulled into [.05, .95]: it need not be right, only the better it
        is, the fewer answers are needed.
    cut : float
        The threshold.
    n : int
        Rows to draw in all, at most N.

    Examples
    --------
    >>> score = np.arange(1000, dtype=np.float32)
    >>> strata = stratify(score, score / 1000.0, cut=799.5, n=40)
    >>> strata.size, strata.n
    (array([441, 359,  82, 118]), array([12, 12,  8,  8]))
    """
    p = np.clip(chance, LEAST, MOST)
    above = score > cut
    mass = np.sqrt(p * (1 - p)) * np.sqrt(_weigh(p, above))
    member = np.empty(len(score), np.int64)
    first = 0
    for side in (~above, above):
        if side.any():
            strata = round(n * float(mass[side].sum() / mass.sum()) / PER_STRATUM)
            member[side] = first + _divide(score[side], mass[side], strata=int(np.clip(strata, 1, MOST_STRATA)))
            first = int(member[side].max()) + 1
    size = np.bincount(member)
    return Strata(member, size, allocate(np.bincount(member, weights=mass).astype(np.float64), size, n=n))


def allocate(mass: Floats, size: Integers, *, n: int) -> Integers:
    """Deal ``n`` answers to strata in proportion to ``mass``, at least two to each and no more than it has rows.

    >>> allocate(np.array([1.0, 8.0, 1.0]), np.array([50, 6, 50]), n=20)
    array([7, 6, 7])
    """
    given = np.minimum(FEWEST, size)
    for _ in range(min(n, int(size.sum())) - int(given.sum())):
        given[np.argmax(np.where(given < size, mass / (given + 0.5), -np.inf))] += 1  # Webster's way to round
    return given


def _weigh(p: Floats, above: NDArray[np.bool_]) -> Floats:
    """Return what a row's variance counts: in alpha, and above the cut in the precision as well."""
    n, n_above = len(p), int(np.count_nonzero(above))
    weight = np.full(n, 1 / (n**2 * _variance(p)))
    if 0 < n_above < n:
        weight[above] += 1 / (n * n_above * _variance(p[above]))
    return weight


def _variance(p: Floats) -> float:
    mean = float(p.mean())
    return mean * (1 - mean)


def _divide(score: NDArray[np.float32], mass: Floats, *, strata: int) -> Integers:
    """Divide rows by score into strata of about equal mass, numbered from the lowest scores."""
    place = np.unique(score, return_inverse=True)[1]
    total = np.cumsum(np.bincount(place, weights=mass))
    middle = total - np.diff(total, prepend=0) / 2
    part = np.minimum((middle / total[-1] * strata).astype(np.int64), strata - 1)
    # A score that many rows share may swallow a stratum; the others are numbered without it.
    return np.unique(part, return_inverse=True)[1][place].astype(np.int64)
