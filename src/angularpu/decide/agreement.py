"""Make probabilities agree with decisions where the data cannot tell the two apart."""

import numpy as np

from angularpu.decide.calibrate import Calibration
from angularpu.decide.held_out import HeldOut
from angularpu.scenario.proportions import Target

FEW = 0.05


def reconcile(calibration: Calibration, threshold: float, *, held: HeldOut, target: Target) -> Calibration:
    """Make the probability pass one half at the threshold, if that concerns few rows.

    The rule chooses the threshold, and the probability passes one half where positives and negatives are equally
    dense; with a hundred positives held out neither place is known to the row. If less than a twentieth of the
    target's rows score between the two, one knot at the threshold replaces the knots between them. Otherwise the rule
    aims at another cut than the most probable class (a recall of .99, or the best F1 where positives are rare), and
    the probabilities stay as they are.

    Parameters
    ----------
    calibration : Calibration
    threshold : float
    held : HeldOut
        The scores from which both were found.
    target : {"population", "unlabelled"}
        The rows the probabilities are for.

    Examples
    --------
    >>> held = HeldOut(np.arange(4.0, 9.0), np.arange(-21.0, 7.0), 5, 28, "two-sample", "held out")
    >>> line = Calibration(np.array([0.0, 3.5, 8.0]), np.array([0.0, 0.4, 1.0]))
    >>> reconcile(line, 3.5, held=held, target="population").apply(np.array([3.4, 3.5, 3.6])).round(2)
    array([0.49, 0.5 , 0.51])
    """
    above, below = calibration.score > threshold, calibration.score < threshold
    above &= calibration.probability > 0.5
    below &= calibration.probability < 0.5
    part = [
        float(np.mean((calibration.apply(score) > 0.5) != (score > threshold)))
        for score in (held.score_pos, held.score_unl)
    ]
    if not above.any() or held.share_called(*part, target=target) > FEW:
        return calibration
    score = np.concatenate([calibration.score[below], [threshold], calibration.score[above]])
    probability = np.concatenate([calibration.probability[below], [0.5], calibration.probability[above]])
    return Calibration(score, probability)
