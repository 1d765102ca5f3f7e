"""How much each column of a model matters: the loss of PU-AUC when its values are shuffled among the rows."""

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from angularpu.data.rows import spread
from angularpu.errors import DataError, quote
from angularpu.methods.fitted import Fitted
from angularpu.metrics.pu import pu_auc
from angularpu.model.explanation import list_columns
from angularpu.model.known_rows import mark_known
from angularpu.model.pieces import open_pieces
from angularpu.model.training_rows import recognise
from angularpu.progress import ReportProgress

MOST_ROWS = 5000  # of P, and of U
REPEATS = 5
SEED = 0


@dataclass(frozen=True)
class Importance:
    """What shuffling each column costs.

    Attributes
    ----------
    pu_auc : float
        Of the rows as they are.
    names : tuple of str
        The columns, the most important first.
    loss : tuple of float
        By how much the PU-AUC falls when a column is shuffled, on average.
    sd : tuple of float
        How much that differs between shuffles.
    seen : float in [0, 1]
        The share of the rows that the model was fitted on, as far as it remembers.
    """

    pu_auc: float
    names: tuple[str, ...]
    loss: tuple[float, ...]
    sd: tuple[float, ...]
    seen: float

    @property
    def note(self) -> str | None:
        """What to be careful about, if anything."""
        if self.seen <= 0.5:
            return None
        return (
            f"{self.seen:.0%} of the rows are those that the model was fitted on, which flatters columns it learned by "
            "heart; pass labelled and unlabelled rows that it has not seen"
        )


def measure_importance(fitted: Fitted, data: Path, *, label: str, report: ReportProgress | None = None) -> Importance:
    """Rank a model's columns by the PU-AUC that is lost when one of them is shuffled.

    Columns that say the same share their importance: shuffling one leaves the other. At most 5,000 known positives and
    as many unlabelled rows are taken, evenly from the file; all columns made of one are shuffled together.

    Parameters
    ----------
    fitted : Fitted
        A model of a table or of vectors.
    data : Path
        Rows with labels, best such as the model has not seen.
    label : str
        Column of ``data`` that marks known positives with the model's own word; all other rows are unlabelled.
    report : callable, optional
        Called after every column with (columns done, columns in all, text).
    """
    columns = list_columns(fitted)
    x, known = _read(fitted, data, label=label)
    base = _measure(fitted, x, known)
    rng = np.random.default_rng(SEED)
    drops = np.empty((len(columns.names), REPEATS))
    for number, places in enumerate(columns.places):
        own = x[:, places]
        for repeat in range(REPEATS):
            x[:, places] = own[rng.permutation(len(x))]
            drops[number, repeat] = base - _measure(fitted, x, known)
        x[:, places] = own
        if report:
            report(number + 1, len(columns.names), "columns shuffled")
    order = np.argsort(-drops.mean(axis=1), kind="stable")
    return Importance(
        pu_auc=base,
        names=tuple(columns.names[place] for place in order),
        loss=tuple(drops.mean(axis=1)[order].tolist()),
        sd=tuple(drops.std(axis=1)[order].tolist()),
        seen=float(recognise(fitted, x).mean()),
    )


def _measure(fitted: Fitted, x: NDArray[np.float32], known: NDArray[np.bool_]) -> float:
    score = fitted.scorer.score(x)
    return pu_auc(score[known], score[~known])


def _read(fitted: Fitted, data: Path, *, label: str) -> tuple[NDArray[np.float32], NDArray[np.bool_]]:
    """Return prepared rows and which of them are known positives."""
    blocks: list[Any] = []
    marks: list[NDArray[np.bool_]] = []
    done = 0
    for block, columns in open_pieces(data, fitted.preparation, kept=[label]).blocks:
        blocks.append(fitted.preparation.apply(block, first_row=done))
        marks.append(mark_known(columns[label], fitted.classes[1]))
        done += len(blocks[-1])
    known = np.concatenate(marks)
    if known.all() or not known.any():
        raise DataError(
            f"{'every' if known.any() else 'no'} row of {data} has the model's word for known positives, "
            f"{quote(fitted.classes[1])}, in {quote(label)}; known positives and unlabelled rows are needed"
        )
    rows = np.sort(np.concatenate([spread(np.flatnonzero(marked), MOST_ROWS) for marked in (known, ~known)]))
    return np.concatenate(blocks)[rows], known[rows]
