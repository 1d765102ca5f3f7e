"""How much better a threshold looks on the scores that chose it than on new ones."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from angularpu.decide.held_out import HeldOut
from angularpu.decide.prior_setting import ResolvedPrior
from angularpu.decide.threshold import Thresholds
from angularpu.metrics.mixture import solve_precision

SEED = 0  # equal scores, equal optimism
RESAMPLES = 100


@dataclass(frozen=True)
class Optimism:
    """By how much recall (the mean) and precision (the median) look better than they are; never below 0."""

    recall: float = 0.0
    precision: float = 0.0


def measure_optimism(
    find: Callable[[HeldOut, Thresholds], int], held: HeldOut, *, thresholds: Thresholds, resolved: ResolvedPrior | None
) -> Optimism:
    """Estimate how much a rule gains from choosing and measuring on the same scores.

    A rule that takes the best of many thresholds takes one where chance helped. So the scores are drawn again with
    replacement and the rule chooses on each draw. Its threshold has one recall on the draw and another on the scores
    drawn from; the mean difference estimates that between these scores and new rows (Efron's bootstrap estimate of
    optimism).

    Parameters
    ----------
    find : callable
        Chooses one of the thresholds by their counts.
    held : HeldOut
    thresholds : Thresholds
        Of ``held``.
    resolved : ResolvedPrior or None
        The shares of positives, the same for every draw; without them there is no precision.

    Examples
    --------
    >>> from angularpu.decide.lee_liu import LeeLiu
    >>> from angularpu.decide.threshold import list_thresholds
    >>> rng = np.random.default_rng(0)
    >>> held = HeldOut(rng.normal(2, 1, 50), rng.normal(0, 1, 500), 50, 500, "two-sample", "held out")
    >>> thresholds = list_thresholds(held.score_pos, held.score_unl)
    >>> 0 < measure_optimism(LeeLiu().find, held, thresholds=thresholds, resolved=None).recall < 0.05
    True
    """
    chosen = [(i := find(held, drawn), drawn.pos_above[i], drawn.rest_above[i]) for drawn in _redraw(thresholds)]
    at, pos_above, unl_above = np.array(chosen).T
    seen_recall, seen_precision = _measure(held, pos_above, unl_above, resolved=resolved)
    recall, precision = _measure(held, thresholds.pos_above[at], thresholds.rest_above[at], resolved=resolved)
    # The median, because the precision of a draw with hardly a row above may be of any size.
    return Optimism(
        max(0.0, float(np.mean(seen_recall - recall))), max(0.0, float(np.median(seen_precision - precision)))
    )


def _redraw(thresholds: Thresholds) -> Iterator[Thresholds]:
    """Draw the scores with replacement, and count how many lie above the same thresholds."""
    rng = np.random.default_rng(SEED)
    groups = [-np.diff(above) for above in (thresholds.pos_above, thresholds.rest_above)]
    for _ in range(RESAMPLES):
        yield Thresholds(thresholds.value, *(_count_above(group, rng=rng) for group in groups))


def _count_above(between: NDArray[np.int64], *, rng: np.random.Generator) -> NDArray[np.int64]:
    gap = np.repeat(np.arange(len(between)), between)
    drawn = np.bincount(gap[rng.integers(len(gap), size=len(gap))], minlength=len(between))
    return np.append(np.cumsum(drawn[::-1])[::-1], 0)


def _measure(
    held: HeldOut, pos_above: NDArray[np.int64], unl_above: NDArray[np.int64], *, resolved: ResolvedPrior | None
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    recall = pos_above / len(held.score_pos)
    if resolved is None:
        return recall, np.zeros_like(recall)
    called = held.share_called(recall, unl_above / len(held.score_unl), target=resolved.target)
    # Not clipped at 1: that would hide part of the optimism near the top of the range.
    return recall, np.where(called > 0, solve_precision(recall, called, share=resolved.share), 0.0)
