"""Whether the scores tell labelled positives from unlabelled rows at all."""

import math

from angularpu.metrics.cuts import Score
from angularpu.metrics.ranking import auc

_STANDARD_ERRORS = 3.0


def ranks_by_chance(score_pos: Score, score_unl: Score) -> bool:
    """Tell whether labelled positives score no higher than unlabelled rows, within three standard errors.

    >>> import numpy as np
    >>> ranks_by_chance(np.arange(20.0) + 10, np.arange(40.0)), ranks_by_chance(np.arange(20.0) + 30, np.arange(40.0))
    (True, False)
    """
    return auc(score_pos, score_unl) - 0.5 <= _STANDARD_ERRORS * _find_error(len(score_pos), len(score_unl))


def note_likeness(score_pos: Score, score_unl: Score) -> tuple[str, ...]:
    """Return a note if P and U score alike: any estimate of alpha is then no more than an upper bound.

    Under one law for both, the AUC of P against U has mean 1/2 and variance (n_P + n_U + 1)/(12 n_P n_U)
    (Mann and Whitney 1947); P and U count as alike within three standard errors.

    Examples
    --------
    >>> import numpy as np
    >>> note_likeness(np.arange(20.0) + 30, np.arange(40.0))
    ()
    >>> len(note_likeness(np.arange(20.0) + 10, np.arange(40.0)))
    1
    """
    separation = auc(score_pos, score_unl)
    if abs(separation - 0.5) > _STANDARD_ERRORS * _find_error(len(score_pos), len(score_unl)):
        return ()
    return (
        f"labelled positives and unlabelled rows score alike (AUC {separation:.3f}): "
        "no region is seen to be purely positive, so alpha is only an upper bound",
    )


def _find_error(n_pos: int, n_unl: int) -> float:
    return math.sqrt((n_pos + n_unl + 1) / (12 * n_pos * n_unl))
