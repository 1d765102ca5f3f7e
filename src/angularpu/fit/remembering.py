"""What is kept of a sample's rows for those who will ask about single ones."""

import numpy as np
from numpy.typing import NDArray

from angularpu.data.assembly import subset
from angularpu.data.prepare.dense import DensePreparation
from angularpu.data.prepare.frame import FramePreparation
from angularpu.data.prepare.preparation import Preparation
from angularpu.data.row_hashes import hash_rows
from angularpu.data.rows import rows_within, spread
from angularpu.methods.protocol import Outcome
from angularpu.methods.remembered import Remembered
from angularpu.scenario.sample import PUSample

MOST_ROWS = 5000
CELLS = 1 << 24


def remember(sample: PUSample, outcome: Outcome, *, preparation: Preparation) -> Remembered:
    """Return what a model keeps of its rows: a typical one, and the numbers by which each is found again.

    Parameters
    ----------
    sample : PUSample
    outcome : Outcome
        Of the method's training.
    preparation : Preparation
        Of the method.
    """
    typical = find_typical(sample, preparation)
    if outcome.held.source != "cross-fitted":
        return Remembered(typical)
    size = rows_within(CELLS, preparation.out_shape)
    pos, unl = outcome.held_rows
    index = np.sort(np.concatenate([pos, unl]))
    rows = sample.rows if len(index) == len(sample.s) else subset(sample.rows, index)
    hashes = np.concatenate([hash_rows(preparation.apply(block)) for block in rows.chunks(size)])
    return Remembered(typical, *(hashes[np.searchsorted(index, group)] for group in (pos, unl)))


def find_typical(sample: PUSample, preparation: Preparation) -> NDArray[np.float32] | None:
    """Return a prepared row in the middle of the unlabelled ones, of columns that have names; None for other rows."""
    if not isinstance(preparation, DensePreparation | FramePreparation):
        return None
    x = preparation.apply(sample.rows.take(spread(sample.unl, MOST_ROWS)))
    typical: NDArray[np.float32] = np.quantile(x, 0.5, axis=0, method="lower").astype(np.float32)
    start = preparation.numbers.width
    for category in getattr(preparation, "categories", ()):
        places = x[:, start : start + category.width]
        typical[start : start + category.width] = np.arange(category.width) == places.sum(axis=0).argmax()
        start += category.width
    return typical
