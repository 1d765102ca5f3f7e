"""Whether confirmed hidden positives score as known ones do."""

import math

import numpy as np
from numpy.typing import NDArray
from scipy.special import ndtr, ndtri

from angularpu.audit.answers import YES, Answers
from angularpu.audit.strata import Floats
from angularpu.decide.held_out import HeldOut
from angularpu.decide.scar_tests import LEVEL, ScarCheck

TOLERANCE = 0.1  # scores of rows that were trained on as unlabelled lie a little low, whoever was labelled
ALTERNATIVE = 0.75
FEWEST = 5  # confirmed positives


def check_answers(answers: Answers, held: HeldOut) -> ScarCheck:
    """Test whether the answers refute that labels fell on the positives at random.

    If they did, a known positive outranks a confirmed hidden one half of the time. Ranks are shares of unlabelled rows
    above: of the heap for hidden positives, of the held-out unlabelled rows for known ones, since the model may have
    been trained on the heap. A hidden positive counts with the weight N_h/n_h of its stratum, and n_1 weighted ones are
    worth k = (sum w)^2/sum w^2. The chance of being outranked has, under random labels, the variance (1/k + 1/m)/12;
    up to .1 on either side of one half is tolerated.

    Parameters
    ----------
    answers : Answers
    held : HeldOut
        Scores of the known positives and of unlabelled rows that the model was not trained on.
    """
    audit, yes = answers.audit, answers.y == YES
    hidden, weight = _rank_heap(answers)[yes], 1 / audit.probability[yes]
    known = _rank(held.score_pos, held.score_unl)
    m = len(known)
    alternative = f"a known positive outranks a hidden one with a chance of {ALTERNATIVE:.0%}"
    if len(hidden) < FEWEST:
        note = f"{len(hidden)} confirmed positives are too few to compare with known ones; {FEWEST} are needed"
        return ScarCheck(0.5, 1.0, 0.0, alternative, "nothing, because there are too few", m, len(hidden), (note,))
    outranked = np.array([np.mean(known < share) + np.mean(known == share) / 2 for share in hidden])
    found = float(np.average(outranked, weights=weight))
    k = float(weight.sum() ** 2 / np.sum(weight**2))
    error = math.sqrt((1 / k + 1 / m) / 12)
    return ScarCheck(
        statistic=found,
        p_value=min(1.0, 2 * float(ndtr(-(abs(found - 0.5) - TOLERANCE) / error))),
        power=float(ndtr((ALTERNATIVE - 0.5 - TOLERANCE) / error + ndtri(LEVEL / 2))),
        alternative=alternative,
        finding=f"a known positive outranks a confirmed hidden one {found:.0%} of the time, not half of it",
        n_pos=m,
        n_unl=len(hidden),
    )


def _rank(score: NDArray[np.float32], among: NDArray[np.float32]) -> Floats:
    """Return the share of ``among`` above each score."""
    share: Floats = 1 - np.searchsorted(np.sort(among), score, side="right") / len(among)
    return share


def _rank_heap(answers: Answers) -> Floats:
    """Return the share of the heap above each drawn row, as finely as the audit's cuts tell."""
    audit = answers.audit
    above = audit.above.sum(axis=0) / len(audit.member)
    return np.asarray(np.interp(audit.score.astype(np.float64), audit.cut, above), np.float64)
