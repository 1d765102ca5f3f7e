"""Whether the bound on the share of positives is reached: the ratio of U to P levels off at the top of the scores."""

import math
from dataclasses import dataclass

import numpy as np

from angularpu.decide.decision import Bound
from angularpu.metrics.cuts import Score
from angularpu.metrics.pu import correct_auc, pu_auc
from angularpu.priors.likeness import ranks_by_chance

TOP, NEXT = 0.2, 0.3  # slices of the positives, the best first
ERRORS = 1.645  # standard errors to either side: a 90 % interval

# Found by simulation (benchmarks/bounds.py): Gaussian classes from no overlap to nearly all.
LARGEST_RISE = 1.65
LEAST_RISE = 1.05
LEAST_AUC = 0.9
# Negatives that look like positives in every respect leave a level ratio, too. On spam the lower ends hold the truth
# only if one negative in twenty may be such a twin.
TWINS = 0.05


@dataclass(frozen=True)
class Plateau:
    """What the top of the scores says about the bound on alpha.

    Attributes
    ----------
    bound : {"reached", "not reached", "cannot tell", "chance"}
        "chance": the scores tell P from U no better than chance.
    rise, rise_low, rise_high : float, optional
        By which factor U's share over P's share rises from the best fifth of the positives to the next 30 %, with a
        90 % interval; None where ties leave a slice empty, and for "chance".
    least_alpha : float
        The least share of positives that is likely, where the bound is reached; 0 otherwise: nothing is known then.
    """

    bound: Bound
    rise: float | None = None
    rise_low: float | None = None
    rise_high: float | None = None
    least_alpha: float = 0.0


def find_plateau(score_pos: Score, score_unl: Score) -> Plateau:
    """Compare how dense the unlabelled rows are among the best fifth of the positives and among the next 30 %.

    f_U/f_P = alpha + (1 - alpha) f_N/f_P levels off at alpha where only positives are left. So "reached" needs a ratio
    that rises little from the first slice to the second, even at the upper end of its interval. A ratio may also be
    level because the scores are weak; so, if the ratio over both slices were alpha, the scores would have to rank
    positives above negatives with an AUC of .9 at least. "not reached": the ratio rises even at the lower end. The
    slices end at the positives' own scores; counts of both groups vary as Poisson counts do.

    Parameters
    ----------
    score_pos, score_unl : float arrays
        Scores of rows the model was not trained on.

    Examples
    --------
    >>> rng = np.random.default_rng(0)
    >>> negative = rng.normal(0, 1, 7000)
    >>> for apart in (4, 1):
    ...     score_unl = np.append(negative, rng.normal(apart, 1, 3000))
    ...     print(find_plateau(rng.normal(apart, 1, 1000), score_unl).bound)
    reached
    not reached
    """
    if ranks_by_chance(score_pos, score_unl):
        return Plateau("chance")
    n_pos, n_unl = len(score_pos), len(score_unl)
    best = np.sort(score_pos)[::-1]
    cuts = [best[max(1, round(share * n_pos)) - 1] for share in (TOP, TOP + NEXT)]
    pos, unl = (np.diff([0, *(np.count_nonzero(score >= cut) for cut in cuts)]) for score in (score_pos, score_unl))
    if pos.min() == 0:
        return Plateau("cannot tell")
    unl = unl + 0.5
    rise = math.log(unl[1] / pos[1] / (unl[0] / pos[0]))
    error = ERRORS * math.sqrt((1 / pos + 1 / unl).sum())
    level = unl.sum() / n_unl / (pos.sum() / n_pos)
    least = level * math.exp(-ERRORS * math.sqrt(1 / pos.sum() + 1 / unl.sum()))
    bound: Bound = "cannot tell"
    if rise + error < math.log(LARGEST_RISE) and _would_separate(score_pos, score_unl, alpha=least):
        bound = "reached"
    elif rise - error > math.log(LEAST_RISE):
        bound = "not reached"
    # As much as the ratio may have fallen from the second slice to the first, it may fall again.
    likely = max(0.0, min(1.0, least, level * math.exp(-rise - error)) - TWINS) / (1 - TWINS)
    likely = likely if bound == "reached" else 0.0
    return Plateau(bound, math.exp(rise), math.exp(rise - error), math.exp(rise + error), likely)


def _would_separate(score_pos: Score, score_unl: Score, *, alpha: float) -> bool:
    return alpha < 1 and correct_auc(pu_auc(score_pos, score_unl), alpha=alpha) >= LEAST_AUC
