"""Checks of what is passed to the estimators."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from angularpu.errors import DataError
from angularpu.metrics.cuts import Score, check_scores

Floats = NDArray[np.float64]
Matrix = NDArray[np.floating[Any]]

LEAST_POSITIVES = 10


def check_groups(score_pos: Score, score_unl: Score) -> tuple[Floats, Floats]:
    """Return both groups of scores in double precision, or refuse them.

    Raises
    ------
    DataError
        If scores are missing or not finite, there are fewer than ten positives, or all scores are equal.

    Examples
    --------
    >>> check_groups(np.arange(10.0), np.array([0.5]))[1]
    array([0.5])
    """
    check_scores(score_pos)
    check_scores(score_unl)
    _check_positives(len(score_pos))
    if min(score_pos.min(), score_unl.min()) == max(score_pos.max(), score_unl.max()):
        raise DataError(
            f"all {len(score_pos) + len(score_unl)} scores equal {score_pos[0]:g}; "
            "a prior needs scores that tell rows apart, so train another classifier"
        )
    return score_pos.astype(np.float64), score_unl.astype(np.float64)


def check_matrices(x_pos: Matrix, x_unl: Matrix) -> tuple[Floats, Floats]:
    """Return both groups of rows in double precision, or refuse them.

    Raises
    ------
    DataError
        If rows are missing, differ in width or are not finite, there are fewer than ten positives, or all rows are
        equal.

    Examples
    --------
    >>> check_matrices(np.eye(10), np.ones((1, 10)))[0].shape
    (10, 10)
    """
    if x_pos.ndim != 2 or x_unl.ndim != 2 or x_pos.shape[1] != x_unl.shape[1] or 0 in (x_unl.shape + x_pos.shape):
        raise DataError(
            f"x_pos and x_unl must be matrices with rows and the same columns, got shapes {x_pos.shape} and "
            f"{x_unl.shape}; flatten rows that have more than one axis"
        )
    _check_positives(len(x_pos))
    if not (np.isfinite(x_pos).all() and np.isfinite(x_unl).all()):
        raise DataError("x_pos and x_unl must be finite, got NaN or infinite entries; fill in what is missing first")
    if (x_pos == x_pos[0]).all() and (x_unl == x_pos[0]).all():
        raise DataError(f"all {len(x_pos) + len(x_unl)} rows are equal; pass columns that vary")
    return x_pos.astype(np.float64), x_unl.astype(np.float64)


def _check_positives(n_pos: int) -> None:
    if n_pos < LEAST_POSITIVES:
        raise DataError(
            f"estimating a prior takes at least {LEAST_POSITIVES} labelled positives, got {n_pos}; "
            "label more, or state the prior as a number"
        )
