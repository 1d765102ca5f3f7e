"""Bootstrap intervals of alpha: how far an estimate moves when the rows are drawn again."""

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from angularpu.checks import check_share, check_whole
from angularpu.priors.alpha import Alpha

Rows = NDArray[np.floating[Any]]


def bootstrap_alpha(
    estimate: Callable[[Rows, Rows], Alpha],
    score_pos: Rows,
    score_unl: Rows,
    *,
    draws: int = 200,
    level: float = 0.9,
    rng: np.random.Generator,
) -> tuple[float, float]:
    """Estimate alpha again on draws of P and U with replacement, and return the interval of ``level`` of the results.

    The interval shows the estimator's spread, not its bias: where no region is purely positive, all of it lies too
    high. The scores are taken as given, so the spread of the classifier that made them is not in it.

    Estimators of whole rows take a copy of a row for another witness (TIcE bounds c on copies of the rows that its
    trees were grown on), or see a few hundred rows of their own choice (KM2): their results on draws lie off the
    estimate. For matrices the results are therefore moved, so that their median is the estimate, which the interval
    then holds.

    Parameters
    ----------
    estimate : callable
        Takes the two groups and returns an Alpha. For matrices it is first called with the groups as they are.
    score_pos, score_unl : float arrays
        Scores or cosines, or two matrices; entries of the first axis are drawn.
    draws : int
        How often to draw.
    level : float in (0, 1)
        Share of the results inside the interval.
    rng : numpy Generator
        Makes the draws; the same state gives the same interval.

    Returns
    -------
    tuple of float
        The lower and the upper end, in [0, 1].

    Examples
    --------
    >>> from angularpu.priors.bbe import estimate_bbe
    >>> score_pos, score_unl = np.linspace(2, 3, 50), np.append(np.linspace(2, 3, 100), np.linspace(0, 1, 300))
    >>> low, high = bootstrap_alpha(estimate_bbe, score_pos, score_unl, rng=np.random.default_rng(0))
    >>> round(low, 2), round(high, 2)
    (0.2, 0.28)
    """
    check_whole("draws", draws, low=1)
    check_share("level", level, advice="0.9 is usual")
    of_rows = score_pos.ndim > 1
    middle = estimate(score_pos, score_unl).alpha if of_rows else 0.0
    alphas = [estimate(_resample(score_pos, rng=rng), _resample(score_unl, rng=rng)).alpha for _ in range(draws)]
    ends = np.quantile(alphas, [(1 - level) / 2, (1 + level) / 2])
    if of_rows:
        ends = np.clip(middle + ends - np.median(alphas), 0.0, 1.0)
    return float(ends[0]), float(ends[1])


def _resample(rows: Rows, *, rng: np.random.Generator) -> Rows:
    return rows[rng.integers(len(rows), size=len(rows))]
