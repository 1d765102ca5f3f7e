"""DEDPUL: a smooth, rising ratio of two densities of the score, and the share of positives it implies."""

import numpy as np
from scipy.ndimage import median_filter
from sklearn.isotonic import isotonic_regression

from angularpu.metrics.cuts import Score
from angularpu.priors.alpha import Alpha
from angularpu.priors.inputs import Floats, check_groups
from angularpu.priors.kernel_density import choose_bandwidth, smooth_gaussian
from angularpu.priors.likeness import note_likeness

_MOST_POINTS = 4000
_STEP = 0.001


def estimate_dedpul(score_pos: Score, score_unl: Score) -> Alpha:
    """Find the share of negatives that equals the mean of its own posterior, by the ratio r = f_P/f_U.

    The posterior of a negative is max(0, 1 - r (1 - a_N)) with a_N the share of negatives; EM starts at 0 and repeats
    a_N = the mean of it over U. That mean is convex in a_N, so the fixed point that EM reaches is the first one on a
    grid of 0.001, refined linearly. If there is none below 1, a_N is where the mean bends most, by its second
    difference (Ivanov 2020, DEDPUL). alpha = 1 - a_N.

    Parameters
    ----------
    score_pos, score_unl : float arrays of shape (n_pos,) and (n_unl,)
        Scores on the logit scale, from a classifier not trained on these rows.

    Returns
    -------
    Alpha
        With the diagnostics bandwidth, mean_ratio (1 for exact densities), top_ratio (about 1/alpha) and fixed_point
        (1 if there is one, 0 if the bend was taken).

    Examples
    --------
    >>> rng = np.random.default_rng(0)
    >>> score_pos, score_unl = rng.normal(4, 1, 1000), np.append(rng.normal(4, 1, 1000), rng.normal(-1, 1, 3000))
    >>> abs(estimate_dedpul(score_pos, score_unl).alpha - 0.25) < 0.03
    True
    """
    pos, unl = check_groups(score_pos, score_unl)
    bandwidth = choose_bandwidth(pos) or choose_bandwidth(np.concatenate([pos, unl]))
    ratio = _smooth_ratio(pos, unl, bandwidth=bandwidth)
    share_neg = np.arange(0, 1 + _STEP / 2, _STEP)
    gap = _mean_posterior(ratio, share_neg) - share_neg
    crossed = np.flatnonzero(gap[:-1] <= 0)
    if len(crossed):
        negatives = _cross(share_neg, gap, int(crossed[0]))
    else:
        negatives = float(share_neg[1:-1][np.argmax(np.diff(gap, 2))])
    diagnostics = {
        "bandwidth": bandwidth,
        "mean_ratio": float(ratio.mean()),
        "top_ratio": float(ratio[-1]),
        "fixed_point": float(len(crossed) > 0),
    }
    return Alpha(1 - negatives, diagnostics, note_likeness(pos, unl))


def _smooth_ratio(pos: Floats, unl: Floats, *, bandwidth: float) -> Floats:
    """Return f_P/f_U at evenly spaced ranks of U, ascending.

    Both densities have one bandwidth: U is then still a mixture of P and N, so r stays below 1/alpha.
    """
    margin = 3 * bandwidth
    low, high = min(pos.min(), unl.min()) - margin, max(pos.max(), unl.max()) + margin
    grid, density_pos = smooth_gaussian(pos, bandwidth, low=low, high=high)
    _, density_unl = smooth_gaussian(unl, bandwidth, low=low, high=high)
    ranks = np.linspace(0, len(unl) - 1, min(len(unl), _MOST_POINTS)).round().astype(np.int64)
    score = np.sort(unl)[ranks]
    ratio = np.interp(score, grid, density_pos) / np.interp(score, grid, density_unl)
    window = max(1, len(ratio) // 20)
    smooth: Floats = isotonic_regression(median_filter(ratio, size=window, mode="mirror"))
    return smooth


def _mean_posterior(ratio: Floats, share_neg: Floats) -> Floats:
    """Return the mean over an ascending ratio of max(0, 1 - r (1 - a_N)) for every a_N."""
    with np.errstate(divide="ignore"):
        kept = np.searchsorted(ratio, 1 / (1 - share_neg))
    total = np.concatenate([[0.0], np.cumsum(ratio)])[kept]
    mean: Floats = (kept - total * (1 - share_neg)) / len(ratio)
    return mean


def _cross(share_neg: Floats, gap: Floats, first: int) -> float:
    """Find where the gap, interpolated between points of the grid, first reaches zero."""
    if first == 0:
        return 0.0
    above, below = gap[first - 1], gap[first]
    return float(share_neg[first - 1] + _STEP * above / (above - below))
