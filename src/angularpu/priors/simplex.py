"""Quadratic programs over weights that are not negative and sum to one."""

import math

import numpy as np

from angularpu.priors.inputs import Floats


def project_simplex(point: Floats) -> Floats:
    """Return the nearest weights that are not negative and sum to one (Held, Wolfe and Crowder 1974).

    >>> project_simplex(np.array([1.0, 0.5, -3.0]))
    array([0.75, 0.25, 0.  ])
    """
    descending = np.sort(point)[::-1]
    shift = (np.cumsum(descending) - 1) / np.arange(1, len(point) + 1)
    kept = np.flatnonzero(descending > shift)[-1]
    nearest: Floats = np.maximum(point - shift[kept], 0.0)
    return nearest


def fit_weights(
    kernel: Floats, target: Floats, *, start: Floats, tolerance: float = 1e-2, steps: int = 2000
) -> Floats:
    """Find the weights w on the simplex that minimise (u - w)' K (u - w).

    Accelerated projected gradient (Beck and Teboulle 2009) that resets its momentum whenever it would lead uphill. It
    ends once the Frank-Wolfe gap, a bound on what is left to gain, falls below ``tolerance`` times the objective.

    Parameters
    ----------
    kernel : array of shape (n, n)
        Positive semidefinite, without negative entries.
    target : array of shape (n,)
        u, which may have negative entries.
    start : array of shape (n,)
        Where to start.
    tolerance : float
        Relative accuracy of the objective.
    steps : int
        How many steps at most.

    Examples
    --------
    >>> fit_weights(np.eye(3), np.array([1.0, 0.5, -3.0]), start=np.full(3, 1 / 3), tolerance=1e-9).round(6)
    array([0.75, 0.25, 0.  ])
    """
    # No eigenvalue of a matrix without negative entries exceeds its largest row sum.
    rate = 1 / kernel.sum(axis=1).max()
    weights, leap, momentum = start, start, 1.0
    for _ in range(steps):
        slope = kernel @ (leap - target)
        objective, gap = (leap - target) @ slope, slope @ leap - slope.min()
        if 2 * gap <= tolerance * objective and leap.min() >= 0:
            return leap
        moved = project_simplex(leap - rate * slope)
        if slope @ (moved - weights) > 0:
            leap, momentum = weights, 1.0
            continue
        faster = (1 + math.sqrt(1 + 4 * momentum**2)) / 2
        leap = moved + (momentum - 1) / faster * (moved - weights)
        weights, momentum = moved, faster
    return weights
