"""Bootstrap intervals for PU estimates, with the uncertainty of alpha if it is known."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from angularpu.checks import check_share, check_whole
from angularpu.errors import SettingError
from angularpu.metrics.cuts import Score, check_scores
from angularpu.scenario.proportions import Proportions

Measure = Callable[[Score, Score, Proportions], Mapping[str, float]]


@dataclass(frozen=True)
class Interval:
    """An estimate with its bootstrap interval and its standard error.

    Attributes
    ----------
    value : float
        The estimate from all scores at the given alpha.
    low, high : float
        Quantiles of the draws, with equally many draws below and above.
    se : float
        Standard deviation of the draws.
    """

    value: float
    low: float
    high: float
    se: float


def bootstrap_intervals(
    measure: Measure,
    scores: tuple[Score, Score],
    *,
    shares: Proportions,
    rng: np.random.Generator,
    alpha_draws: NDArray[np.float64] | None = None,
    draws: int = 500,
    level: float = 0.9,
) -> dict[str, Interval]:
    """Find bootstrap intervals for any metrics of positives and unlabelled rows.

    Each draw resamples the labelled positives and the unlabelled rows apart, because n_P and n_U are known, and takes
    one of ``alpha_draws`` at random. Scores and alpha are drawn independently: if alpha was estimated from the same
    scores, their correlation is not in the interval.

    Parameters
    ----------
    measure : callable
        Takes (score_pos, score_unl, shares) and returns metrics by name.
    scores : (score_pos, score_unl)
        Float arrays of held-out scores.
    shares : Proportions
        Of the whole sample, with the estimate of alpha.
    rng : numpy.random.Generator
        Makes the draws.
    alpha_draws : array of shape (k,), optional
        Bootstrap draws of alpha, any number of them; without them alpha counts as known.
    draws : int, default 500
        How many times to resample, at least 2.
    level : float in (0, 1), default 0.9
        How much of the draws an interval covers.

    Returns
    -------
    dict of str to Interval
        One for each name.

    Examples
    --------
    >>> from angularpu.metrics.pu_evaluation import evaluate_pu
    >>> rng = np.random.default_rng(0)
    >>> score_pos, score_unl = rng.normal(2, 1, 100), np.append(rng.normal(2, 1, 200), rng.normal(0, 1, 700))
    >>> shares = Proportions(n_pos=100, n_unl=900, scenario="one-sample", alpha=2 / 9)
    >>> def measure(score_pos, score_unl, shares):
    ...     return evaluate_pu(score_pos, score_unl, threshold=1.0, shares=shares)
    >>> recall = bootstrap_intervals(measure, (score_pos, score_unl), shares=shares, rng=rng, draws=50)["recall"]
    >>> recall.low < recall.value < recall.high
    True
    """
    alphas = _check(scores, shares, alpha_draws=alpha_draws, draws=draws, level=level)
    # Resampled sorted scores are sorted too, and sorting them again in every measure takes little time.
    score_pos, score_unl = np.sort(scores[0]), np.sort(scores[1])
    value = dict(measure(score_pos, score_unl, shares))
    table = np.empty((draws, len(value)))
    for row in table:
        drawn = replace(shares, alpha=float(rng.choice(alphas)))
        metrics = measure(_resample(score_pos, rng=rng), _resample(score_unl, rng=rng), drawn)
        row[:] = [metrics[name] for name in value]
    low, high = np.quantile(table, [(1 - level) / 2, (1 + level) / 2], axis=0)
    se = table.std(axis=0, ddof=1)
    return {
        name: Interval(float(value[name]), float(low[i]), float(high[i]), float(se[i])) for i, name in enumerate(value)
    }


def _resample(score: Score, *, rng: np.random.Generator) -> Score:
    n = len(score)
    return np.repeat(score, np.bincount(rng.integers(n, size=n), minlength=n))


def _check(
    scores: tuple[Score, Score],
    shares: Proportions,
    *,
    alpha_draws: NDArray[np.float64] | None,
    draws: int,
    level: float,
) -> NDArray[np.float64]:
    for score in scores:
        check_scores(score)
    check_whole("draws", draws, low=2)
    check_share("level", level, advice="0.9 is usual")
    alphas = np.array([shares.alpha]) if alpha_draws is None else np.asarray(alpha_draws, dtype=np.float64)
    if alphas.ndim != 1 or len(alphas) == 0 or not np.all((alphas >= 0) & (alphas < 1)):
        raise SettingError(
            "alpha_draws must be a flat array of at least one share in [0, 1); leave out draws of 1, which mean no "
            "negatives at all"
        )
    return alphas
