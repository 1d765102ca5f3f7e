"""Kernel densities of scores, counted on a grid so that a million scores take no longer than sorting them."""

import numpy as np
from scipy.ndimage import gaussian_filter1d
from scipy.special import betaln

from angularpu.priors.inputs import Floats

_STEPS_PER_BANDWIDTH = 10
_MOST_STEPS = 1 << 16
_SHARES = np.linspace(0, 1, 1025)
_LOG_SHARES = np.log(np.maximum(_SHARES, np.finfo(np.float64).tiny))  # so that 0 log 0 is 0


def smooth_gaussian(score: Floats, bandwidth: float, *, at: Floats) -> Floats:
    """Return the Gaussian kernel density of the scores at some points.

    Every score is split between its two neighbours on a grid, which leaves an error of the order of
    (step/bandwidth)^2.

    Examples
    --------
    >>> density = smooth_gaussian(np.array([0.0]), 1.0, at=np.array([0.0, 5.0]))
    >>> (density * np.sqrt(2 * np.pi)).round(3)
    array([1., 0.])
    """
    margin = 3 * bandwidth
    low, high = min(score.min(), at.min()) - margin, max(score.max(), at.max()) + margin
    steps = min(_MOST_STEPS, max(2, int(np.ceil((high - low) / bandwidth * _STEPS_PER_BANDWIDTH))))
    step = (high - low) / steps
    counts = count_on_grid((score - low) / step, steps + 1)
    density = gaussian_filter1d(counts, bandwidth / step, mode="constant", truncate=6.0) / (len(score) * step)
    found: Floats = np.interp(at, np.linspace(low, high, steps + 1), density)
    return found


def count_shares(share: Floats) -> Floats:
    """Return which part of some numbers in [0, 1] lies at each point of a fine grid, as :func:`smooth_beta` takes it.

    >>> count_shares(np.array([0.0, 1.0]))[[0, 1, -1]]
    array([0.5, 0. , 0.5])
    """
    return count_on_grid(share * (len(_SHARES) - 1), len(_SHARES)) / len(share)


def smooth_beta(parts: Floats, bandwidth: float, *, points: int) -> Floats:
    """Return the density of numbers in [0, 1] by beta kernels, which lose no mass at the edges.

    f(x) = mean over i of Beta(X_i; x/b + 1, (1 - x)/b + 1) (Chen 1999), at evenly spaced x.

    Parameters
    ----------
    parts : array
        The numbers, as :func:`count_shares` counts them.
    bandwidth : float
        b.
    points : int
        At how many x.

    Examples
    --------
    >>> smooth_beta(count_shares(np.linspace(0, 1, 1000)), 0.05, points=4).round(2)
    array([1.01, 1.  , 1.  , 1.01])
    """
    x = np.linspace(0, 1, points)[:, None]
    left, right = x / bandwidth, (1 - x) / bandwidth
    kernel = np.exp(left * _LOG_SHARES + right * _LOG_SHARES[::-1] - betaln(left + 1, right + 1))
    density: Floats = kernel @ parts
    return density


def count_on_grid(place: Floats, points: int) -> Floats:
    """Count scores on the grid 0, 1, ..., points - 1, each score divided between its two neighbours.

    >>> count_on_grid(np.array([0.25, 2.0]), 3)
    array([0.75, 0.25, 1.  ])
    """
    left = np.clip(place.astype(np.int64), 0, points - 2)
    right = place - left
    counts = np.bincount(left, 1 - right, minlength=points) + np.bincount(left + 1, right, minlength=points)
    return counts.astype(np.float64)
