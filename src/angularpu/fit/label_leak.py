"""Whether labelled and unlabelled rows are told apart suspiciously well: by the scores, or by one column alone."""

from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.stats import rankdata

from angularpu.data.prepare.dense import DensePreparation
from angularpu.data.prepare.frame import FramePreparation
from angularpu.data.prepare.preparation import Preparation
from angularpu.data.prepare.sparse import SparsePreparation
from angularpu.data.rows import spread
from angularpu.fit.leak_words import GIVES_AWAY
from angularpu.methods.protocol import Outcome
from angularpu.metrics.pu import pu_auc
from angularpu.scenario.sample import PUSample

NEARLY = 0.98  # a PU-AUC that real positives reach only where hardly any unlabelled row is one
MOST_ROWS = 500  # of P, and of U
LEAST_ROWS = 5  # of P; fewer lie beside each other by chance in one of many columns
WITHIN = (0.05, 0.95)  # quantiles of P between which U is counted
SHOWN = 3


def is_leak(note: str) -> bool:
    """Tell whether a model's note is one of :func:`note_leak`.

    >>> is_leak("column 3 left out: every value is the same")
    False
    """
    return "gives the label away" in note


def note_leak(sample: PUSample, outcome: Outcome, *, preparation: Preparation) -> tuple[str, ...]:
    """Say so when P and U are told apart practically without error; name the columns that do it alone.

    AUC_PU = alpha/2 + (1 - alpha) AUC, so it comes near 1 only if hardly any unlabelled row is positive, or if the
    scores know the label itself: a row number, an identifier in order of collection, the file a row came from. A model
    need not have found such a column, so every column is looked at, whatever the scores are.

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
    telling = find_telling(sample, preparation)
    named = ", ".join(telling[:SHOWN]) + (f" and {len(telling) - SHOWN} more" if len(telling) > SHOWN else "")
    held = outcome.held
    found = 0.0 if held.source == "training" else pu_auc(held.score_pos, held.score_unl)
    if found >= NEARLY:
        by = f"; {named} alone would do" if telling else ""
        return (
            f"known positives score above practically every unlabelled row (PU-AUC {found:.3f}){by}: either hardly any "
            f"of these is positive, or a column {GIVES_AWAY}, such as a row number, an id or where a row came "
            "from",
        )
    if not telling:
        return ()
    return (
        f"{named} alone tells known positives from practically every unlabelled row: either hardly any of these is "
        f"positive, or it {GIVES_AWAY}, as a row number, an id or where a row came from does; then fit without "
        "it (--id)",
    )


def find_telling(sample: PUSample, preparation: Preparation) -> list[str]:
    """Return the columns by whose values alone labelled and unlabelled rows differ practically always.

    Parameters
    ----------
    sample : PUSample
    preparation : Preparation
        Learnt from the sample's rows. Of images no pixel is looked at.
    """
    if sample.n_pos < LEAST_ROWS:
        return []
    # From the whole file: a row number would always differ between the first rows of P and of U.
    pos, unl = (sample.rows.take(spread(rows, MOST_ROWS)) for rows in (sample.pos, sample.unl))
    if isinstance(preparation, SparsePreparation):
        differing = _compare_presence(preparation.scale(pos), preparation.scale(unl))
        names = [f"column {place}" for place in preparation.kept]
    elif isinstance(preparation, DensePreparation | FramePreparation):
        x_pos, x_unl = preparation.apply(pos), preparation.apply(unl)
        differing = _compare(x_pos, x_unl)
        names = list(preparation.out_columns)
        if isinstance(preparation, FramePreparation):
            differing = np.maximum(differing, _compare_levels(x_pos, x_unl, preparation))
    else:
        return []
    return list(dict.fromkeys(names[place] for place in np.flatnonzero(differing >= NEARLY)))


def _compare(x_pos: NDArray[np.float32], x_unl: NDArray[np.float32]) -> NDArray[np.float64]:
    """Return of every column how well it tells P from U: by its AUC, or by the share of U that lies outside P's range.

    >>> x_pos, x_unl = np.array([[3, 1, 5], [2, 1, 6]], np.float32), np.array([[0, 1, 1], [1, 1, 9]], np.float32)
    >>> _compare(x_pos, x_unl).tolist()
    [1.0, 0.5, 1.0]
    """
    n_pos, n_unl = len(x_pos), len(x_unl)
    columns = np.concatenate([x_pos, x_unl]).T.copy()  # rows beside each other in memory are ranked faster
    ranks = rankdata(columns, axis=1)[:, :n_pos].sum(axis=1)
    area = (ranks - n_pos * (n_pos + 1) / 2) / (n_pos * n_unl)
    low, high = np.quantile(x_pos, WITHIN, axis=0)
    outside = np.mean((x_unl < low) | (x_unl > high), axis=0)
    differing: NDArray[np.float64] = np.maximum(np.maximum(area, 1 - area), outside)
    return differing


def _compare_levels(
    x_pos: NDArray[np.float32], x_unl: NDArray[np.float32], preparation: FramePreparation
) -> NDArray[np.float64]:
    """Return of every text column, in each of its places, the share of U whose level no row of P has."""
    outside, start = np.zeros(x_pos.shape[1]), preparation.numbers.width
    for category in preparation.categories:
        places = slice(start, start + category.width)
        seen = x_pos[:, places].any(axis=0)
        outside[places] = 1 - x_unl[:, places][:, seen].any(axis=1).mean()
        start += category.width
    return outside


def _compare_presence(x_pos: Any, x_unl: Any) -> NDArray[np.float64]:
    """Return of every sparse column the AUC of its having a value at all."""
    present = [x.getnnz(axis=0) / x.shape[0] for x in (x_pos, x_unl)]
    area: NDArray[np.float64] = 0.5 + abs(present[0] - present[1]) / 2
    return area
