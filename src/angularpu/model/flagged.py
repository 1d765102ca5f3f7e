"""How many rows of its own sample a model calls positive, as ``angularpu score`` would."""

from dataclasses import dataclass

import numpy as np

from angularpu.methods.fitted import Fitted
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
    above = fitted.flag(fitted.score(sample.rows))
    return Flagged(int(np.count_nonzero(above[sample.pos])), int(np.count_nonzero(above[sample.unl])))
