"""Every place at which two groups of scores can be cut, and how much of each group lies above it."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from angularpu.errors import DataError

Score = NDArray[np.floating[Any]]


@dataclass(frozen=True, eq=False)
class Cuts:
    """The m + 1 ways to cut m distinct scores: cut j lies above the j lowest of them.

    Attributes
    ----------
    value : array of shape (m,)
        The distinct scores of both groups, ascending.
    pos_above, rest_above : int64 arrays of shape (m + 1,)
        How many scores of either group lie above each cut; all of them first, none last.
    """

    value: Score
    pos_above: NDArray[np.int64]
    rest_above: NDArray[np.int64]


def list_cuts(score_pos: Score, score_rest: Score) -> Cuts:
    """Count, for every cut between two neighbouring scores, what lies above it.

    Parameters
    ----------
    score_pos : float array of shape (n_pos,)
        Scores of positives.
    score_rest : float array of shape (n_rest,)
        Scores of negatives, or of unlabelled rows.

    Examples
    --------
    >>> cuts = list_cuts(np.array([2.0, 3.0]), np.array([1.0, 2.0]))
    >>> cuts.value, cuts.pos_above, cuts.rest_above
    (array([1., 2., 3.]), array([2, 2, 1, 0]), array([2, 1, 0, 0]))
    """
    check_scores(score_pos)
    check_scores(score_rest)
    value = np.unique(np.concatenate([score_pos, score_rest]))
    return Cuts(value, _count_above(score_pos, value), _count_above(score_rest, value))


def check_scores(score: Score) -> None:
    """Refuse scores that are empty, not a flat array, or not finite.

    >>> check_scores(np.array([0.5]))
    """
    if score.ndim != 1 or len(score) == 0:
        raise DataError(f"scores must be a flat array with at least one entry, got shape {score.shape}")
    if not np.isfinite(score).all():
        raise DataError(
            f"{np.count_nonzero(~np.isfinite(score))} of {len(score)} scores are NaN or infinite; "
            "check the rows for extreme values, or train with a lower learning rate"
        )


def _count_above(score: Score, value: Score) -> NDArray[np.int64]:
    below = np.searchsorted(np.sort(score), value, side="right")
    return np.concatenate([[len(score)], len(score) - below])
