"""Whether the scores tell labelled positives from unlabelled rows at all."""

import math

from angularpu.metrics.cuts import Score
from angularpu.metrics.ranking import auc

_STANDARD_ERRORS = 3.0


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
    n_pos, n_unl = len(score_pos), len(score_unl)
    separation = auc(score_pos, score_unl)
    error = math.sqrt((n_pos + n_unl + 1) / (12 * n_pos * n_unl))
    if abs(separation - 0.5) > _STANDARD_ERRORS * error:
        return ()
    return (
        f"labelled positives and unlabelled rows score alike (AUC {separation:.3f}): "
        "no region is seen to be purely positive, so alpha is only an upper bound",
    )
