"""Weights that are not negative and sum to one, next to a given point in a kernel's space."""

import math

import numpy as np
from scipy.linalg.lapack import dposv

from angularpu.priors.inputs import Floats

_RIDGE = 1e-8  # keeps the kernel of rows that are nearly equal invertible
_MOST_STEPS = 300


def fit_weights(kernel: Floats, target: Floats, *, start: Floats, accuracy: float) -> Floats:
    """Find the weights w on the simplex that minimise (u - w)' K (u - w).

    An active-set method. It solves for the rows that have weight and those whose slope is steepest, without regard to
    signs, cuts negative weights off, and goes on; where cutting would lead uphill, it stops at the first weight that
    becomes zero (as Lawson and Hanson 1974 do). It ends when the distance, the root of the objective, exceeds the
    smallest one by no more than ``accuracy``, by the duality gap.

    Parameters
    ----------
    kernel : array of shape (n, n)
        Positive semi-definite K.
    target : array of shape (n,)
        u.
    start : array of shape (n,)
        Weights to start from.
    accuracy : float
        Of the distance.

    Examples
    --------
    >>> fit_weights(np.eye(3), np.array([1.0, 0.5, -3.0]), start=np.full(3, 1 / 3), accuracy=1e-9).round(6)
    array([0.75, 0.25, 0.  ])
    """
    pull = kernel @ target
    weights, slope = start, kernel @ start - pull
    free, moved = weights > 0, True
    for _ in range(_MOST_STEPS):
        objective = float((weights - target) @ slope)
        if moved:
            gap = float(slope @ weights - slope.min())
            if math.sqrt(max(objective, 0.0)) - math.sqrt(max(objective - 2 * gap, 0.0)) <= accuracy:
                break
            free = (weights > 0) | (slope < slope @ weights - gap / 2)
        solved = _solve(kernel, pull, free)
        cut = np.maximum(solved, 0.0)
        cut /= cut.sum()
        cut_slope = kernel @ cut - pull
        moved = bool((cut - target) @ cut_slope < objective)
        if moved:
            weights, slope = cut, cut_slope
            continue
        sinking = free & (solved < 0)
        if not sinking.any():
            break  # rounding: nothing better can be found
        reach = np.where(sinking, weights / np.where(sinking, weights - solved, 1.0), np.inf)
        step = reach.min()
        free = free & (reach > step)
        weights = np.where(free, weights + step * (solved - weights), 0.0)
        slope = kernel @ weights - pull
    return weights


def _solve(kernel: Floats, pull: Floats, free: np.ndarray) -> Floats:
    """Return the weights that sum to one and minimise the objective, those of rows that are not free being zero."""
    rows = np.flatnonzero(free)
    part = kernel[np.ix_(rows, rows)]
    part.flat[:: len(rows) + 1] += _RIDGE
    solved = dposv(part, np.column_stack([pull[rows], np.ones(len(rows))]), lower=1)[1]
    weights = np.zeros(len(pull))
    weights[rows] = solved[:, 0] + (1 - solved[:, 0].sum()) / solved[:, 1].sum() * solved[:, 1]
    return weights
