"""PULSCAR: the largest alpha for which alpha times P's density stays below U's."""

import numpy as np
from scipy.special import expit

from angularpu.metrics.cuts import Score
from angularpu.priors.alpha import Alpha
from angularpu.priors.inputs import check_groups
from angularpu.priors.kernel_density import POINTS, choose_bandwidth, smooth_beta
from angularpu.priors.likeness import note_likeness

_STEP = 0.001


def estimate_pulscar(score_pos: Score, score_unl: Score) -> Alpha:
    """Find the alpha from which alpha f_P exceeds f_U: where the smallest gap between the two bends most.

    f_P and f_U are densities of sigma(score) by beta kernels (Chen 1999). m(alpha) = min over x of f_U - alpha f_P is
    concave: flat while alpha f_P stays below f_U, then falling like f_P (Kumar and Lambert 2024, PULSCAR). The bend is
    the largest second difference of m on a grid of 0.001.

    Parameters
    ----------
    score_pos, score_unl : float arrays of shape (n_pos,) and (n_unl,)
        Scores on the logit scale, from a classifier not trained on these rows.

    Returns
    -------
    Alpha
        With the diagnostics bandwidth, bend (the second difference) and gap (m at the estimate).

    Examples
    --------
    >>> rng = np.random.default_rng(0)
    >>> score_pos, score_unl = rng.normal(2, 1, 1000), np.append(rng.normal(2, 1, 1000), rng.normal(-3, 1, 3000))
    >>> abs(estimate_pulscar(score_pos, score_unl).alpha - 0.25) < 0.1
    True
    """
    pos, unl = check_groups(score_pos, score_unl)
    share_pos, share_unl = expit(pos), expit(unl)
    # A beta kernel at x has variance b x (1 - x), at most b/4; it must not be narrower than two steps of the grid.
    bandwidth = 4 * max(choose_bandwidth(share_pos), 2 / (POINTS - 1)) ** 2
    density_pos, density_unl = smooth_beta(share_pos, bandwidth), smooth_beta(share_unl, bandwidth)
    # The grid ends one step past 1, so that the bend may lie at 1.
    alpha = np.arange(0, 1 + 1.5 * _STEP, _STEP)
    gap = (density_unl - alpha[:, None] * density_pos).min(axis=1)
    bend = -np.diff(gap, 2)
    best = int(np.argmax(bend))
    diagnostics = {"bandwidth": bandwidth, "bend": float(bend[best]), "gap": float(gap[best + 1])}
    return Alpha(float(alpha[best + 1]), diagnostics, note_likeness(pos, unl))
