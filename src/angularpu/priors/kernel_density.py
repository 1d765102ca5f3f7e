"""Kernel densities of scores, counted on a grid so that a million scores take no longer than sorting them."""

import numpy as np
from scipy.ndimage import gaussian_filter1d
from scipy.stats import beta

from angularpu.priors.inputs import Floats

_STEPS_PER_BANDWIDTH = 10
_MOST_STEPS = 1 << 16

POINTS = 501


def choose_bandwidth(score: Floats) -> float:
    """Return Silverman's bandwidth, 0.9 min(sd, IQR/1.34) n^(-1/5), with the standard deviation alone if IQR is 0.

    >>> round(choose_bandwidth(np.array([0.0, 1.0, 2.0, 3.0])), 4)
    0.7626
    """
    low, high = np.quantile(score, [0.25, 0.75])
    spread = float(np.std(score))
    if high > low:
        spread = min(spread, float(high - low) / 1.34)
    return 0.9 * spread / float(len(score) ** 0.2)


def smooth_gaussian(score: Floats, bandwidth: float, *, low: float, high: float) -> tuple[Floats, Floats]:
    """Return a grid from ``low`` to ``high`` and the Gaussian kernel density of the scores on it.

    Every score is split between its two neighbours on the grid, which leaves an error of the order of
    (step/bandwidth)^2.

    Examples
    --------
    >>> grid, density = smooth_gaussian(np.array([0.0]), 1.0, low=-5.0, high=5.0)
    >>> round(float(density.max() * np.sqrt(2 * np.pi)), 3)
    1.0
    """
    steps = min(_MOST_STEPS, max(2, int(np.ceil((high - low) / bandwidth * _STEPS_PER_BANDWIDTH))))
    step = (high - low) / steps
    counts = count_on_grid((score - low) / step, steps + 1)
    density = gaussian_filter1d(counts, bandwidth / step, mode="constant", truncate=6.0) / (len(score) * step)
    return np.linspace(low, high, steps + 1), density


def smooth_beta(share: Floats, bandwidth: float) -> Floats:
    """Return the density of numbers in [0, 1] by beta kernels, which lose no mass at the edges.

    f(x) = mean over i of Beta(X_i; x/b + 1, (1 - x)/b + 1) (Chen 1999), at POINTS evenly spaced x.

    Examples
    --------
    >>> density = smooth_beta(np.linspace(0, 1, 1000), 0.05)
    >>> bool(np.abs(density - 1).max() < 0.02)
    True
    """
    counts = count_on_grid(share * (POINTS - 1), POINTS)
    x = np.linspace(0, 1, POINTS)
    kernel = beta.pdf(x[None, :], x[:, None] / bandwidth + 1, (1 - x[:, None]) / bandwidth + 1)
    density: Floats = kernel @ counts / len(share)
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
