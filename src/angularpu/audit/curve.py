"""Probabilities corrected by answers: the PU curve, shifted and stretched in log-odds."""

from dataclasses import dataclass

import numpy as np
from scipy.special import expit, log_expit, logit

from angularpu.audit.answers import BLANK, UNSURE, YES, Answers
from angularpu.audit.strata import Floats
from angularpu.decide.calibrate import Calibration, fit_calibration
from angularpu.decide.held_out import HeldOut

WORTH = 4  # answers that the share by P and U is worth beside the answers' own
FARTHEST = 0.005  # the curve of a share nearer to 0 or 1 would be level
EDGE = 1e-4  # log-odds of the PU curve stay within +-9.2
SHIFT, STRETCH = 2.0, 0.5  # how far, in log-odds and in powers of e, the PU curve may be off before it surprises


@dataclass(frozen=True)
class Correction:
    """q = sigma(shift + stretch logit p) for the PU curve's probability p, with stretch > 0.

    >>> Correction(0.0, 1.0).apply(np.array([0.25, 0.5]))
    array([0.25, 0.5 ])
    """

    shift: float
    stretch: float

    def apply(self, p: Floats) -> Floats:
        """Return the corrected probability, which rises with ``p``."""
        corrected: Floats = expit(self.shift + self.stretch * logit(np.clip(p, EDGE, 1 - EDGE)))
        return corrected


def draw_base(held: HeldOut, *, said: float | None, found: float, n: int) -> Calibration:
    """Return the PU curve for the unlabelled rows that is corrected: P and U give its shape, the answers its level.

    Its share of positives is the mean of what P and U say, which counts four answers, and of what ``n`` answers say. A
    curve of far too great a share is level at 1, and nothing could be read from it.

    Parameters
    ----------
    held : HeldOut
    said : float or None
        The share by P and U alone, if they have one.
    found : float
        The share by the answers.
    n : int
        How many answers there are.
    """
    share = found if said is None else (WORTH * said + n * found) / (WORTH + n)
    return fit_calibration(held, float(np.clip(share, FARTHEST, 1 - FARTHEST)), target="unlabelled")


def fit_correction(answers: Answers, base: Calibration) -> Correction:
    """Find the shift and the stretch of the PU curve that the answers ask for.

    The log-likelihood of the answers, each with the weight N_h/n_h of its stratum (scaled to a sum of n), less
    (shift/2)^2/2 + (log stretch/0.5)^2/2. With few answers the penalty holds the curve where P and U put it; with many
    it is lost. Two numbers can be told from fifty answers. An unsure answer counts as half a yes.

    Parameters
    ----------
    answers : Answers
    base : Calibration
        The PU curve for the rows of the heap.
    """
    from scipy.optimize import minimize  # late: scoring does without, and it takes long to import

    audit = answers.audit
    seen = answers.y != BLANK
    stratum, y = audit.stratum[seen], np.where(answers.y[seen] == UNSURE, 0.5, answers.y[seen] == YES)
    answered = np.bincount(stratum, minlength=len(audit.size))
    weight = (audit.size / np.maximum(answered, 1))[stratum]
    weight = weight * len(y) / weight.sum()
    log_odds = logit(np.clip(base.apply(audit.score[seen]), EDGE, 1 - EDGE))

    def surprise(parameters: Floats) -> float:
        shift, log_stretch = parameters
        line = shift + np.exp(log_stretch) * log_odds
        likelihood = float(np.sum(weight * (y * log_expit(line) + (1 - y) * log_expit(-line))))
        return float((shift / SHIFT) ** 2 / 2 + (log_stretch / STRETCH) ** 2 / 2 - likelihood)

    shift, log_stretch = minimize(surprise, np.zeros(2), method="Nelder-Mead", options={"xatol": 1e-6}).x
    return Correction(float(shift), float(np.exp(log_stretch)))


def correct_curve(base: Calibration, correction: Correction, *, known_ratio: float) -> Calibration:
    """Return the probabilities for new rows.

    Among the unlabelled rows it is the corrected q. In a population of which the known positives are part, each
    unlabelled row comes with l = known_ratio p known positives of its score, so it is (l + q)/(l + 1).

    Parameters
    ----------
    base : Calibration
        The PU curve p for the unlabelled rows, alpha f_P/f_U.
    correction : Correction
    known_ratio : float
        n_P/(n_U alpha), with the base curve's own alpha; 0 to speak of the unlabelled rows.

    Examples
    --------
    >>> base = Calibration(np.array([0.0, 1.0]), np.array([0.25, 0.75]))
    >>> correct_curve(base, Correction(0.0, 1.0), known_ratio=0.0).probability
    array([0.25, 0.75])
    """
    q, known = correction.apply(base.probability), known_ratio * base.probability
    return Calibration(base.score, np.maximum.accumulate(np.clip((known + q) / (known + 1), 0, 1)))
