"""An estimated share of positives on draws of the scores, beside what a threshold does to the same draws."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from angularpu.decide.held_out import HeldOut
from angularpu.decide.prior_setting import SCORE_ESTIMATORS, keep_inside
from angularpu.priors.bbe_interval import bound_ratio, measure_gain
from angularpu.scenario.proportions import Target

SEED = 0  # equal scores give equal intervals, and a decision the same bytes
RESAMPLES = 200
TAILS = (0.05, 0.95)

Floats = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Redraws:
    """What 200 draws of the scores with replacement say.

    Attributes
    ----------
    recall, unl_share : float64 arrays
        Parts of the positives and of the unlabelled rows above the threshold, in each draw.
    alpha : float64 array
        The estimated share of positives among the unlabelled rows; BBE's without what it gains by choosing a cut.
    low, high : float
        90 % sampling interval of the bound that the estimator reads off the scores themselves.
    """

    recall: Floats
    unl_share: Floats
    alpha: Floats
    low: float
    high: float

    def shares(self, held: HeldOut, *, target: Target) -> Floats:
        """Return the share of positives in the target by each draw."""
        if target == "unlabelled" or held.scenario == "two-sample":
            return self.alpha
        return (held.n_pos + self.alpha * held.n_unl) / (held.n_pos + held.n_unl)


def redraw(held: HeldOut, threshold: float, *, estimator: str) -> Redraws:
    """Draw the scores again and again, and estimate the share of positives from each draw.

    Parameters
    ----------
    held : HeldOut
    threshold : float
    estimator : str
        One of :data:`angularpu.decide.prior_setting.SCORE_ESTIMATORS`.

    Examples
    --------
    >>> score_pos, score_unl = np.linspace(2, 3, 50), np.append(np.linspace(2, 3, 100), np.linspace(0, 1, 300))
    >>> held = HeldOut(score_pos, score_unl, n_pos=50, n_unl=400, scenario="two-sample", source="held out")
    >>> found = redraw(held, 1.5, estimator="bbe")
    >>> round(found.low, 2), round(found.high, 2)
    (0.22, 0.3)
    """
    return redraw_at(held, [threshold], estimator=estimator)[0]


def redraw_at(held: HeldOut, thresholds: Sequence[float] | Floats, *, estimator: str) -> list[Redraws]:
    """Do what :func:`redraw` does for several thresholds, estimating the share of positives from each draw only once.

    >>> held = HeldOut(np.arange(12.0), np.arange(-9.0, 7.0), 12, 16, "two-sample", "held out")
    >>> first, _ = redraw_at(held, [1.5, 3.5], estimator="bbe")
    >>> bool((first.recall == redraw(held, 1.5, estimator="bbe").recall).all())
    True
    """
    estimate = SCORE_ESTIMATORS[estimator]
    above, alpha, gain = [], [], []
    for drawn in _resample(held):
        found = estimate(drawn.score_pos, drawn.score_unl)
        above.append([_share_above(score, thresholds) for score in (drawn.score_pos, drawn.score_unl)])
        alpha.append(found.alpha)
        if estimator == "bbe":
            gain.append(measure_gain(found, held.score_pos, held.score_unl))
    recall, unl_share = np.array(above, np.float64).transpose(1, 2, 0)
    drawn_alpha, m = np.array(alpha, np.float64), len(held.score_unl)
    if estimator != "bbe":
        drawn_alpha = keep_inside(drawn_alpha, m)
        low, high = (float(end) for end in np.quantile(drawn_alpha, TAILS))
    else:
        mean_gain = float(np.mean(gain))
        whole = estimate(held.score_pos, held.score_unl)
        low, high = bound_ratio(whole, n_pos=len(held.score_pos), n_unl=m, gain=mean_gain)
        drawn_alpha = keep_inside(drawn_alpha * np.exp(max(0.0, mean_gain)), m)
    return [Redraws(*pair, drawn_alpha, low, high) for pair in zip(recall, unl_share, strict=True)]


def _share_above(score: NDArray[np.float32], thresholds: Sequence[float] | Floats) -> Floats:
    above = len(score) - np.searchsorted(np.sort(score).astype(np.float64), thresholds, side="right")
    return np.asarray(above / len(score), np.float64)


def _resample(held: HeldOut) -> Iterator[HeldOut]:
    rng = np.random.default_rng(SEED)
    for _ in range(RESAMPLES):
        pos = held.score_pos[rng.integers(len(held.score_pos), size=len(held.score_pos))]
        unl = held.score_unl[rng.integers(len(held.score_unl), size=len(held.score_unl))]
        yield replace(held, score_pos=pos, score_unl=unl)
