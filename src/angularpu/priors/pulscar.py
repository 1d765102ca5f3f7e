"""PULSCAR: the largest alpha for which alpha times P's density stays below U's, among rows that look positive."""

import numpy as np
from scipy.optimize import minimize_scalar
from scipy.special import expit

from angularpu.metrics.cuts import Score
from angularpu.priors.alpha import Alpha
from angularpu.priors.inputs import Floats, check_groups
from angularpu.priors.kernel_density import count_shares, smooth_beta
from angularpu.priors.likeness import note_likeness

_STEP = 0.0001
_BANDWIDTHS = np.geomspace(0.01, 0.5, 12)
_POINTS = (2, 512)
_TOP = 0.95


def estimate_pulscar(score_pos: Score, score_unl: Score) -> Alpha:
    """Find the alpha at which alpha f_P reaches f_U: where the logarithm of the smallest gap between them bends most.

    f_P and f_U are densities of x = sigma(score + log(n_U/n_P)), the probability of a label were P and U equally
    large, by beta kernels (Chen 1999). Scott's rule gives the number of x, a power of two, and the bandwidth in
    [0.01, 0.5] is the one whose density of P and U together comes nearest to a histogram. With m(alpha) = the
    smallest f_U - alpha f_P over x > 1/2, alpha is the largest second difference, in size, of log10(abs(m) + e) on a
    grid of 0.0001, where e = min f_P (Kumar and Lambert 2024, PULSCAR). The last x is the first one beyond the 95th
    percentile of P.

    Parameters
    ----------
    score_pos, score_unl : float arrays of shape (n_pos,) and (n_unl,)
        Log-odds of being labelled, from a classifier not trained on these rows.

    Returns
    -------
    Alpha
        With the diagnostics bandwidth, points (how many x), bend (the second difference) and gap (m at the estimate).

    Examples
    --------
    >>> rng = np.random.default_rng(0)
    >>> score_pos, score_unl = rng.normal(2, 1, 1000), np.append(rng.normal(2, 1, 1000), rng.normal(-3, 1, 3000))
    >>> abs(estimate_pulscar(score_pos, score_unl).alpha - 0.25) < 0.05
    True
    """
    pos, unl = check_groups(score_pos, score_unl)
    shift = np.log(len(unl) / len(pos))
    share_pos, share_unl = expit(pos + shift), expit(unl + shift)
    everyone = np.concatenate([share_pos, share_unl])
    points = _count_points(everyone)
    bandwidth = _choose_bandwidth(everyone, points=points)
    density_pos, density_unl = (
        smooth_beta(count_shares(share), bandwidth, points=points) for share in (share_pos, share_unl)
    )
    kept = _choose_points(points, last=float(np.quantile(share_pos, _TOP)))
    alpha = np.arange(0, 1, _STEP)
    gap = (density_unl[kept] - alpha[:, None] * density_pos[kept]).min(axis=1)
    bend = np.abs(np.diff(np.log10(np.abs(gap) + (density_pos.min() or 1e-10)), 2))
    best = int(np.argmax(bend))
    diagnostics = {
        "bandwidth": bandwidth,
        "points": float(points),
        "bend": float(bend[best]),
        "gap": float(gap[best + 1]),
    }
    return Alpha(float(alpha[best + 1]), diagnostics, note_likeness(pos, unl))


def _count_points(share: Floats) -> int:
    """Return the power of two next to the range over 3.5 sd n^(-1/3), from 2 to 512 (Scott 1979)."""
    spread = float(np.std(share))
    wanted = float(np.ptp(share)) * len(share) ** (1 / 3) / (3.5 * spread) if spread > 0 else 1.0
    below = 2 ** int(np.log2(max(wanted, 1.0)))
    return int(np.clip(below if wanted - below < 2 * below - wanted else 2 * below, *_POINTS))


def _choose_bandwidth(share: Floats, *, points: int) -> float:
    """Return the bandwidth that brings the density nearest to the histogram: the best of twelve, then refined."""
    parts = count_shares(share)
    bars = np.histogram(share, bins=points, range=(0, 1))[0] / len(share)

    def miss(bandwidth: float) -> float:
        density = smooth_beta(parts, bandwidth, points=points)
        return float(np.square(density / density.sum() - bars).mean())

    best = int(np.argmin([miss(bandwidth) for bandwidth in _BANDWIDTHS]))
    around = _BANDWIDTHS[[max(0, best - 1), min(len(_BANDWIDTHS) - 1, best + 1)]]
    return float(minimize_scalar(miss, bounds=tuple(around), method="bounded").x)


def _choose_points(points: int, *, last: float) -> slice:
    """Return the x above 1/2, to the first one beyond ``last``: further on there is little but tails of kernels."""
    first = points // 2
    return slice(first, max(first, int(np.searchsorted(np.linspace(0, 1, points), last, "right"))) + 1)
