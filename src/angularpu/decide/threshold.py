"""Every place for a threshold among scores: strictly between two of them, in float32 as well."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from angularpu.errors import DataError
from angularpu.metrics.cuts import Score, check_scores, list_cuts

LARGEST = float(np.finfo(np.float32).max)


@dataclass(frozen=True, eq=False)
class Thresholds:
    """Thresholds in ascending order: all scores lie above the first, none above the last.

    Attributes
    ----------
    value : float64 array of shape (m,)
        The thresholds; each is also a float32 number and differs from every score.
    pos_above, rest_above : int64 arrays of shape (m,)
        How many scores of positives, and of the rest, lie above each.
    """

    value: NDArray[np.float64]
    pos_above: NDArray[np.int64]
    rest_above: NDArray[np.int64]


def list_thresholds(score_pos: NDArray[np.float32], score_rest: NDArray[np.float32]) -> Thresholds:
    """List the midpoints between neighbouring distinct scores, and one threshold beyond either end.

    Scores with no float32 number between them count as equal, so there is no threshold between them.

    Parameters
    ----------
    score_pos : float32 array of shape (n_pos,)
        Scores of positives, as :func:`round_scores` returns them.
    score_rest : float32 array of shape (n_rest,)
        Scores of the other rows, likewise.

    Examples
    --------
    >>> found = list_thresholds(np.array([2, 3], np.float32), np.array([1, 2], np.float32))
    >>> found.value, found.pos_above, found.rest_above
    (array([0. , 1.5, 2.5, 4. ]), array([2, 2, 1, 0]), array([2, 1, 0, 0]))
    """
    cuts = list_cuts(score_pos, score_rest)
    score = cuts.value.astype(np.float64)
    if len(score) == 1:
        raise DataError(
            f"all {len(score_pos) + len(score_rest)} scores equal {score[0]:g}, so no threshold tells rows apart; "
            "train longer, or check that the columns vary"
        )
    reach = max(1.0, (score[-1] - score[0]) / 2)
    below, above = score[0] - reach, score[-1] + reach
    value = np.concatenate([[below], (score[:-1] + score[1:]) / 2, [above]])
    value = np.clip(value, -LARGEST, LARGEST).astype(np.float32).astype(np.float64)
    # Next to a large score the reach is lost in rounding; then the next float32 number is taken.
    value[0] = min(value[0], np.nextafter(cuts.value[0], -np.inf, dtype=np.float32))
    value[-1] = max(value[-1], np.nextafter(cuts.value[-1], np.inf, dtype=np.float32))
    # A midpoint rounds onto a score only where no float32 number lies between the two.
    apart = np.concatenate([[True], (score[:-1] < value[1:-1]) & (value[1:-1] < score[1:]), [True]])
    return Thresholds(value[apart], cuts.pos_above[apart], cuts.rest_above[apart])


def find_place(
    thresholds: Thresholds, least: float, *, score_pos: NDArray[np.float32], score_rest: NDArray[np.float32]
) -> int:
    """Return which of the thresholds has the same rows above it as have a score of at least ``least``.

    >>> score_pos, score_rest = np.array([2, 3], np.float32), np.array([1, 2], np.float32)
    >>> thresholds = list_thresholds(score_pos, score_rest)
    >>> thresholds.value[find_place(thresholds, 2.0, score_pos=score_pos, score_rest=score_rest)]
    np.float64(1.5)
    """
    n_above = np.count_nonzero(score_pos >= least) + np.count_nonzero(score_rest >= least)
    return int(np.flatnonzero(thresholds.pos_above + thresholds.rest_above <= n_above)[0])


def round_scores(score: Score | NDArray[Any]) -> NDArray[np.float32]:
    """Return scores as float32, the type in which rows are scored, or refuse scores that do not fit.

    >>> round_scores(np.array([0.1])).dtype
    dtype('float32')
    """
    check_scores(score)
    if np.abs(score).max() >= LARGEST:
        raise DataError(
            f"scores must be smaller than {LARGEST:g} in size, got {np.abs(score).max():g}; rescale the rows"
        )
    return score.astype(np.float32)
