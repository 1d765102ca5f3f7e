"""Several rankings of the same rows, compared by their PU-AUC: each has an interval, and so has every difference."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.stats import norm
from scipy.stats import t as student

from angularpu.checks import check_share, check_whole
from angularpu.errors import DataError
from angularpu.metrics.cuts import Score, check_scores

Floats = NDArray[np.float64]
AT_ONCE = 2_000_000  # numbers in one array; more rows are drawn fewer times at once


@dataclass(frozen=True, eq=False)
class PairedAUC:
    """PU-AUC of m rankings of the same rows, and their differences.

    Attributes
    ----------
    value, low, high : float64 arrays of shape (m,)
        PU-AUC, and the ends of its interval, which is for this one ranking.
    difference, difference_low, difference_high : float64 arrays of shape (m, m)
        Entry (a, b) is the PU-AUC of a less that of b. The intervals of all pairs hold at once.
    """

    value: Floats
    low: Floats
    high: Floats
    difference: Floats
    difference_low: Floats
    difference_high: Floats

    @property
    def real(self) -> NDArray[np.bool_]:
        """Whether a ranks really better than b: the interval of the difference lies above 0."""
        better: NDArray[np.bool_] = self.difference_low > 0
        return better


def compare_auc(
    scores: Sequence[tuple[Score, Score]], *, rng: np.random.Generator, draws: int = 1000, level: float = 0.9
) -> PairedAUC:
    """Compare rankings by how often a labelled positive scores above an unlabelled row.

    P and U are resampled apart, and every draw is the same rows for all rankings, so what is hard about a row is hard
    for all of them and cancels in a difference. The intervals of differences are value +- t se: se is the spread of
    that difference over the draws, and t is the one number with which, in a share ``level`` of the draws, no pair at
    all strays further from its value (max-T), made larger as few positives need it. They hold for all pairs at once,
    hence for the pairs with the best ranking too, whichever that turned out to be.

    Parameters
    ----------
    scores : sequence of (score_pos, score_unl)
        For every ranking the scores of the same labelled positives and of the same unlabelled rows, in the same order.
    rng : numpy.random.Generator
        Makes the draws.
    draws : int, default 1000
        How many times to resample, at least 2.
    level : float in (0, 1), default 0.9
        The chance that an interval, or all intervals of differences together, hold the truth.

    Examples
    --------
    >>> rng = np.random.default_rng(0)
    >>> pos, unl = rng.normal(2, 1, 300), rng.normal(0, 1, 1000)
    >>> noise = rng.normal(0, 3, 300), rng.normal(0, 3, 1000)
    >>> compared = compare_auc([(pos, unl), (pos + noise[0], unl + noise[1]), (pos, unl)], rng=rng, draws=200)
    >>> compared.real.tolist()
    [[False, True, False], [False, False, False], [False, True, False]]
    """
    _check(scores)
    check_whole("draws", draws, low=2)
    check_share("level", level, advice="0.9 is usual")
    ranked = [_Ranked.of(pos, unl) for pos, unl in scores]
    n_pos, n_unl = len(scores[0][0]), len(scores[0][1])
    value = np.array([each.measure(np.ones((1, n_pos)), np.ones((1, n_unl)))[0] for each in ranked])
    drawn = np.concatenate(
        [
            np.stack([each.measure(pos, unl) for each in ranked], axis=1)
            for pos, unl in _draw_counts(n_pos, n_unl, draws=draws, rng=rng)
        ]
    )
    low, high = np.quantile(drawn, [(1 - level) / 2, (1 + level) / 2], axis=0)
    difference = value[:, None] - value
    away = np.abs(drawn[:, :, None] - drawn[:, None, :] - difference)
    se = np.sqrt(np.mean(away**2, axis=0))
    strays = np.divide(away, se, out=np.zeros_like(away), where=se > 0)
    width = _widen(float(np.quantile(strays.max(axis=(1, 2)), level)), min(n_pos, n_unl)) * se
    return PairedAUC(value, low, high, difference, difference - width, difference + width)


@dataclass(frozen=True, eq=False)
class _Ranked:
    """Where the scores of P stand among the sorted scores of U, so that a draw needs no sorting.

    Attributes
    ----------
    order : int64 array of shape (n_unl,)
        Sorts U by score.
    below, not_above : int64 arrays of shape (n_pos,)
        How many rows of U score below each row of P, and how many do not score above it.
    """

    order: NDArray[np.int64]
    below: NDArray[np.int64]
    not_above: NDArray[np.int64]

    @classmethod
    def of(cls, score_pos: Score, score_unl: Score) -> "_Ranked":
        order = np.argsort(score_unl, kind="stable")
        ascending = score_unl[order]
        return cls(order, np.searchsorted(ascending, score_pos, "left"), np.searchsorted(ascending, score_pos, "right"))

    def measure(self, pos: Floats, unl: Floats) -> Floats:
        """Return the AUC of every draw, a row of counts each, ties counting half."""
        total = np.zeros((len(unl), unl.shape[1] + 1))
        np.cumsum(unl[:, self.order], axis=1, out=total[:, 1:])
        wins = (total[:, self.below] + total[:, self.not_above]) / 2
        auc: Floats = np.einsum("ij,ij->i", pos, wins) / (pos.sum(axis=1) * total[:, -1])
        return auc


def _widen(t: float, n: int) -> float:
    """Return a bound in standard errors as few rows need it.

    Draws of n rows spread too little by sqrt(1 - 1/n), and their spread is itself a guess: Student's law instead of the
    normal one.
    """
    wider: float = student.isf(norm.sf(t), n - 1) * np.sqrt(n / (n - 1))
    return float(wider)


def _draw_counts(n_pos: int, n_unl: int, *, draws: int, rng: np.random.Generator) -> Iterator[tuple[Floats, Floats]]:
    """Yield how often each row of P and of U is drawn, for several draws at once."""
    at_once = max(1, AT_ONCE // max(n_pos, n_unl))
    for start in range(0, draws, at_once):
        count = min(at_once, draws - start)
        yield _count(n_pos, count, rng=rng), _count(n_unl, count, rng=rng)


def _count(n: int, draws: int, *, rng: np.random.Generator) -> Floats:
    cells = rng.integers(n, size=(draws, n)) + n * np.arange(draws)[:, None]
    return np.bincount(cells.ravel(), minlength=draws * n).reshape(draws, n).astype(np.float64)


def _check(scores: Sequence[tuple[Score, Score]]) -> None:
    if not scores:
        raise DataError("there is no ranking to compare; pass the scores of one at least")
    for pair in scores:
        for score, first in zip(pair, scores[0], strict=True):
            check_scores(score)
            if len(score) < 2:
                raise DataError("a spread takes two labelled positives and two unlabelled rows at least; collect more")
            if len(score) != len(first):
                raise DataError(
                    f"all rankings must be of the same rows, got {len(first)} scores in one and {len(score)} in "
                    "another; pass them in one order"
                )
