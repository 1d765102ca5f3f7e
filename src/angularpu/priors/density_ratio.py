"""DEDPUL's ratio of two densities of the score, smoothed and rising."""

from bisect import insort

import numpy as np
from scipy.ndimage import median_filter

from angularpu.priors.inputs import Floats
from angularpu.priors.kernel_density import smooth_gaussian
from angularpu.priors.raised_dips import raise_dips

_WIDTH_POS, _WIDTH_UNL = 0.1, 0.05  # bandwidths, in standard deviations of the group
_MOST = 50.0
_MOST_POINTS = 4000
_FEW, _TWENTIETH = 5, 20


def estimate_ratio(pos: Floats, unl: Floats) -> Floats:
    """Return r = f_P/f_U at the scores of U, or at 4000 evenly spaced ranks of them, in ascending order.

    The densities are of Gaussian kernels, with :func:`choose_bandwidths`; r is at most 50. Then come medians
    of eleven neighbours, a running maximum from half-way between the medians of P and U upwards, medians of a tenth of
    all points, and sorting (Ivanov 2020, DEDPUL).

    Parameters
    ----------
    pos, unl : float64 arrays
        Scores, not all equal.

    Examples
    --------
    >>> rng = np.random.default_rng(0)
    >>> ratio = estimate_ratio(rng.normal(4, 1, 1000), np.append(rng.normal(4, 1, 1000), rng.normal(-1, 1, 3000)))
    >>> bool(ratio[2500] < 0.1), bool(ratio[3500] > 3.5)
    (True, True)
    """
    ranks = np.linspace(0, len(unl) - 1, min(len(unl), _MOST_POINTS)).round().astype(np.int64)
    score = np.sort(unl)[ranks]
    bandwidth_pos, bandwidth_unl = choose_bandwidths(pos, unl)
    density_pos = smooth_gaussian(pos, bandwidth_pos, at=score)
    density_unl = smooth_gaussian(unl, bandwidth_unl, at=score)
    ratio = roll_median(np.minimum(density_pos / density_unl, _MOST), _FEW)
    upper = np.searchsorted(score, (np.median(pos) + np.median(unl)) / 2)
    ratio[upper:] = np.maximum.accumulate(ratio[upper:])
    return np.sort(raise_dips(roll_median(ratio, len(ratio) // _TWENTIETH)))


def choose_bandwidths(pos: Floats, unl: Floats) -> tuple[float, float]:
    """Return a tenth of P's standard deviation and a twentieth of U's, the latter at most as large as the former.

    Were the positives in U smoothed more than those in P, r would exceed 1/alpha where they pile up. A group whose
    scores all tie gets the standard deviation of all scores.

    >>> choose_bandwidths(np.array([1.0, 3.0]), np.array([0.0, 2.0]))
    (0.1, 0.05)
    """
    spread_pos, spread_unl = (float(np.std(x)) or float(np.std(np.concatenate([pos, unl]))) for x in (pos, unl))
    return _WIDTH_POS * spread_pos, min(_WIDTH_POS * spread_pos, _WIDTH_UNL * spread_unl)


def roll_median(values: Floats, reach: int) -> Floats:
    """Return the median of each value and its ``reach`` neighbours on either side, of as many as both sides have.

    >>> roll_median(np.array([5.0, 1.0, 2.0, 3.0, 9.0]), 2)
    array([5., 2., 3., 3., 9.])
    """
    reach = min(reach, (len(values) - 1) // 2)
    medians: Floats = median_filter(values, size=2 * reach + 1)
    medians[:reach] = _grow_median(values, reach)
    medians[len(values) - reach :] = _grow_median(values[::-1], reach)[::-1]
    return medians


def _grow_median(values: Floats, n: int) -> list[float]:
    """Return the medians of the first one, three, ... values, n of them."""
    kept: list[float] = []
    medians: list[float] = []
    for place, value in enumerate(values[: max(0, 2 * n - 1)].tolist()):
        insort(kept, value)
        if place % 2 == 0:
            medians.append(kept[place // 2])
    return medians
