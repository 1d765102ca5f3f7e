"""How many rows of its own sample a model calls positive, as ``angularpu score`` would."""

from dataclasses import dataclass

import numpy as np

from angularpu.methods.fitted import BLOCK_ROWS, Fitted
from angularpu.scenario.sample import PUSample


@dataclass(frozen=True)
class Flagged:
    """Rows that are called positive: among the known positives, and among the unlabelled rows."""

    known: int
    unlabelled: int


def count_flagged(fitted: Fitted, sample: PUSample) -> Flagged:
    """Count the rows of a sample that a model calls positive.

    These are the scores of the saved model, which has seen most of the rows; the recall and precision of its decision
    rest on scores of models that had not.
    """
    known = flagged = first = 0
    for block in sample.rows.chunks(BLOCK_ROWS):
        above = fitted.flag(fitted.score_block(block))
        known += int(np.count_nonzero(above & (sample.s[first : first + len(above)] == 1)))
        flagged += int(np.count_nonzero(above))
        first += len(above)
    return Flagged(known, flagged - known)
