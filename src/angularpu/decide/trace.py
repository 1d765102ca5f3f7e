"""What every threshold would do, in the figures of a decision."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from angularpu.decide.default import choose_again, is_estimated
from angularpu.decide.held_out import HeldOut
from angularpu.decide.plateau import find_plateau
from angularpu.decide.precision import PrecisionEstimate, estimate_f1, estimate_precision
from angularpu.decide.prior_setting import Prior
from angularpu.decide.recall_interval import bound_binomial
from angularpu.decide.redraws import redraw_at


@dataclass(frozen=True)
class Figures:
    """What one threshold does, each as (value, low, high) of its 90 % interval; None where nothing is known.

    Precision and F1 rest on the share of positives: where that is estimated, they are upper bounds.
    """

    threshold: float
    recall: tuple[float, float, float]
    precision: tuple[float, float, float] | None
    f1: tuple[float, float, float] | None


def trace_figures(
    text: str, held: HeldOut, thresholds: Sequence[float] | NDArray[np.float64], *, prior: Prior, alpha: float | None
) -> list[Figures]:
    """Say of every threshold what a decision by this rule would say, had it chosen that one.

    They are the figures of :func:`angularpu.decide.default.decide_again`, but for the optimism of a rule that chooses
    the best threshold by the scores that then measure it: a threshold that nobody chose has none.

    Parameters
    ----------
    text : str
        The rule, whose target and prior count; see :func:`angularpu.decide.default.choose_rule`.
    held : HeldOut
    thresholds : floats
    prior : float or str
        The prior the model was fitted with.
    alpha : float or None
        The share of positives among the unlabelled rows, if it was known before training.

    Examples
    --------
    >>> held = HeldOut(np.arange(2.0, 14.0), np.arange(-8.0, 8.0), 12, 16, "two-sample", "held out")
    >>> found = trace_figures("recall=0.5", held, [7.5, 1.5], prior=0.25, alpha=None)
    >>> [each.recall[0] for each in found], [each.precision[0] for each in found]
    ([0.5, 1.0], [1.0, 0.6666666666666666])
    """
    rule = choose_again(text, held, prior=prior, alpha=alpha)
    resolved = rule.resolve_prior(held)
    plateau = None
    if resolved is not None and (is_estimated(text, prior) or isinstance(rule.prior, str)):
        plateau = find_plateau(held.score_pos, held.score_unl)
    redraws = redraw_at(held, thresholds, estimator=rule.prior) if isinstance(rule.prior, str) else None
    found = []
    for number, threshold in enumerate(thresholds):
        k, n = int(np.count_nonzero(held.score_pos > threshold)), len(held.score_pos)
        precision, f1 = PrecisionEstimate(), PrecisionEstimate()
        if resolved is not None and (plateau is None or plateau.bound != "chance"):
            settings: dict[str, Any] = {
                "resolved": resolved,
                "redraws": None if redraws is None else redraws[number],
                "least_alpha": None if plateau is None else plateau.least_alpha,
            }
            precision = estimate_precision(held, threshold, **settings)
            f1 = estimate_f1(held, threshold, **settings)
        found.append(Figures(float(threshold), (k / n, *bound_binomial(k, n)), _triple(precision), _triple(f1)))
    return found


def _triple(found: PrecisionEstimate) -> tuple[float, float, float] | None:
    if found.precision is None or found.low is None or found.high is None:
        return None
    return found.precision, found.low, found.high
