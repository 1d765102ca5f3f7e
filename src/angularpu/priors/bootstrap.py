"""How far an estimate would have moved with other rows of the same kind."""

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from angularpu.errors import SettingError
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
    """Estimate again on P and U drawn with replacement, and return the interval that holds ``level`` of the results.

    The interval is of the estimator's spread, not of its bias: where no region is purely positive, it lies too high as
    a whole. It takes the scores as given, so the spread of the classifier that made them is not in it.

    Parameters
    ----------
    estimate : callable
        Takes the two groups and returns an Alpha.
    score_pos, score_unl : float arrays
        Scores or cosines, or rows of two matrices: what is drawn is the first axis.
    draws : int
        How often to draw.
    level : float in (0, 1)
        Share of the results inside.
    rng : numpy Generator
        Where the draws come from; the same state gives the same interval.

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
    if draws < 1 or not 0 < level < 1:
        raise SettingError(f"draws must be at least 1 and level lie in (0, 1), got {draws} and {level:g}")
    alphas = [estimate(_resample(score_pos, rng=rng), _resample(score_unl, rng=rng)).alpha for _ in range(draws)]
    low, high = np.quantile(alphas, [(1 - level) / 2, (1 + level) / 2])
    return float(low), float(high)


def _resample(rows: Rows, *, rng: np.random.Generator) -> Rows:
    return rows[rng.integers(len(rows), size=len(rows))]
