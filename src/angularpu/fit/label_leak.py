"""Whether labelled and unlabelled rows are told apart suspiciously well, and by which columns alone."""

import numpy as np
from numpy.typing import NDArray
from scipy.stats import rankdata

from angularpu.data.prepare.dense import DensePreparation
from angularpu.data.prepare.frame import FramePreparation
from angularpu.data.prepare.preparation import Preparation
from angularpu.methods.protocol import Outcome
from angularpu.metrics.pu import pu_auc
from angularpu.scenario.sample import PUSample

NEARLY = 0.98  # a PU-AUC that real positives reach only where hardly any unlabelled row is one
MOST_ROWS = 5000
SHOWN = 3


def note_leak(sample: PUSample, outcome: Outcome, *, preparation: Preparation) -> tuple[str, ...]:
    """Say so when held-out positives lie above practically every unlabelled row; name the columns that do it alone.

    AUC_PU = alpha/2 + (1 - alpha) AUC, so it comes near 1 only if hardly any unlabelled row is positive, or if the
    scores know the label itself: a row number, an identifier in order of collection, the file a row came from.

    Parameters
    ----------
    sample : PUSample
    outcome : Outcome
        Of the method's training.
    preparation : Preparation
        Of the method.

    Returns
    -------
    tuple of str
        One sentence, or none.
    """
    held = outcome.held
    if held.source == "training":
        return ()
    found = pu_auc(held.score_pos, held.score_unl)
    if found < NEARLY:
        return ()
    telling = _find_telling(sample, outcome, preparation)
    by = f"; {', '.join(telling[:SHOWN])} alone would do" if telling else ""
    return (
        f"known positives score above practically every unlabelled row (PU-AUC {found:.3f}){by}: either hardly any of "
        "these is positive, or a column gives the label away, such as a row number, an id or where a row came from",
    )


def _find_telling(sample: PUSample, outcome: Outcome, preparation: Preparation) -> list[str]:
    """Return the columns by whose values alone P and U differ as much."""
    if not isinstance(preparation, DensePreparation | FramePreparation):
        return []
    pos, unl = (rows[:MOST_ROWS] for rows in outcome.held_rows)
    x = preparation.apply(sample.rows.take(np.concatenate([pos, unl])))
    auc = _measure_columns(x, len(pos))
    names = [preparation.out_columns[place] for place in np.flatnonzero(np.maximum(auc, 1 - auc) >= NEARLY)]
    return list(dict.fromkeys(names))


def _measure_columns(x: NDArray[np.float32], n_pos: int) -> NDArray[np.float64]:
    """Return the AUC of every column, the first ``n_pos`` rows against the others.

    >>> _measure_columns(np.array([[3, 1], [2, 1], [0, 1], [1, 1]], np.float32), 2).tolist()
    [1.0, 0.5]
    """
    n_unl = len(x) - n_pos
    ranks = rankdata(x, axis=0)[:n_pos].sum(axis=0)
    area: NDArray[np.float64] = (ranks - n_pos * (n_pos + 1) / 2) / (n_pos * n_unl)
    return area
