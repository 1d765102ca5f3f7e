"""BBE: the best bin estimate, which reads alpha off the top of the scores."""

import math

import numpy as np

from angularpu.metrics.cuts import Score, list_cuts
from angularpu.priors.alpha import Alpha
from angularpu.priors.inputs import check_groups
from angularpu.priors.likeness import note_likeness


def estimate_bbe(score_pos: Score, score_unl: Score, *, delta: float = 0.1, gamma: float = 0.01) -> Alpha:
    """Compare how much of U and of P lies above the cut where the two can be compared best.

    With q_P(v), q_U(v) the shares of P and U that score at least v,

        v* = argmin q_U/q_P + (1 + gamma)/q_P (sqrt(log(4/delta)/(2 n_U)) + sqrt(log(4/delta)/(2 n_P)))

    and alpha = q_U(v*)/q_P(v*) (Garg et al. 2021, Best Bin Estimation). If everything above some cut is positive,
    q_U = alpha q_P there; if not, alpha comes out too high.

    Parameters
    ----------
    score_pos, score_unl : float arrays of shape (n_pos,) and (n_unl,)
        Scores of rows the classifier was not trained on. Only their order matters.
    delta : float in (0, 1)
        Chance that the bound behind the penalty fails.
    gamma : float
        How much wider than the bound the penalty is.

    Returns
    -------
    Alpha
        With the diagnostics threshold (v*), share_pos (q_P), share_unl (q_U) and penalty, all at v*.

    Examples
    --------
    A hundred rows of U lie above all negatives, as do all fifty of P:

    >>> score_pos, score_unl = np.linspace(2, 3, 50), np.append(np.linspace(2, 3, 100), np.linspace(0, 1, 300))
    >>> estimate_bbe(score_pos, score_unl).alpha
    0.25
    """
    pos, unl = check_groups(score_pos, score_unl)
    cuts = list_cuts(pos, unl)
    useful = np.flatnonzero(cuts.pos_above > 0)
    share_pos = cuts.pos_above[useful] / len(pos)
    share_unl = cuts.rest_above[useful] / len(unl)
    spread = math.sqrt(math.log(4 / delta) / (2 * len(unl))) + math.sqrt(math.log(4 / delta) / (2 * len(pos)))
    penalty = (1 + gamma) * spread / share_pos
    best = int(np.argmin(share_unl / share_pos + penalty))
    return Alpha(
        min(1.0, float(share_unl[best] / share_pos[best])),
        {
            "threshold": float(cuts.value[best]),
            "share_pos": float(share_pos[best]),
            "share_unl": float(share_unl[best]),
            "penalty": float(penalty[best]),
        },
        note_likeness(pos, unl),
    )
