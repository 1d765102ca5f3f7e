"""The rows of a file with their scores, piece by piece."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from angularpu.errors import DataError, ModelError, list_names
from angularpu.methods.fitted import Fitted
from angularpu.model.known_rows import mark_known
from angularpu.model.pieces import PIECE_ROWS, Columns, open_pieces
from angularpu.model.training_rows import TrainingRows
from angularpu.progress import ReportProgress

OUTPUTS = ("score", "probability", "prediction")


@dataclass(frozen=True, eq=False)
class ScoredPiece:
    """Some rows of a file.

    Attributes
    ----------
    first_row : int
        How many rows of the file came before.
    prepared : matrix
        The rows as the model's scorer takes them.
    table : pyarrow.Table
        The kept columns, then score, probability and prediction.
    known : bool array
        Which rows are known positives; none, where nothing tells.
    flagged : bool array
        Which rows are called positive.
    """

    first_row: int
    prepared: Any
    table: pa.Table
    known: NDArray[np.bool_]
    flagged: NDArray[np.bool_]


def score_pieces(
    fitted: Fitted,
    data: Path,
    *,
    ids: Sequence[str] = (),
    label: str | None = None,
    out_of_fold: bool = False,
    reserved: Sequence[str] = (),
    report: ReportProgress | None = None,
    piece_rows: int = PIECE_ROWS,
) -> Iterator[ScoredPiece]:
    """Score a file that may be larger than memory.

    Parameters
    ----------
    fitted : Fitted
        The model.
    data : Path
        A table (.csv, .parquet) or array (.npy, .npz) with the columns the model was fitted on; others are not read.
    ids : sequence of str
        Columns of ``data`` to keep; see :func:`~angularpu.model.pieces.open_pieces`.
    label : str, optional
        Column of ``data`` that marks known positives, with the model's own word.
    out_of_fold : bool
        ``data`` is the training data: every row gets the score of a model that was not trained on it.
    reserved : sequence of str
        Names that no id may have, besides those of the scores.
    report : callable, optional
        Called after every piece with (rows done, rows in all, text).
    piece_rows : int
        How many rows are held at a time.
    """
    kept = list(dict.fromkeys(ids))
    refuse_reserved(kept, reserved)
    training = TrainingRows(fitted) if out_of_fold else None
    besides = kept if label is None or label in kept else [*kept, label]
    pieces = open_pieces(data, fitted.preparation, kept=besides, piece_rows=piece_rows)
    done = 0
    for block, columns in pieces.blocks:
        prepared = fitted.preparation.apply(block, first_row=done)
        if training is None:
            score, known = fitted.scorer.score(prepared), np.zeros(prepared.shape[0], bool)
        else:
            score, known = training.find(prepared, first_row=done)
        if label is not None:
            known = known | mark_known(columns[label], fitted.classes[1])
        table = tabulate(fitted, score, {name: columns[name] for name in kept})
        yield ScoredPiece(done, prepared, table, known, fitted.flag(score))
        done += len(score)
        if report:
            report(done, pieces.n, "rows scored")


def tabulate(fitted: Fitted, score: NDArray[np.float32], columns: Columns) -> pa.Table:
    """Return columns, then score, probability and prediction of the same rows."""
    if not np.isfinite(score).all():  # finite weights may still overflow
        raise ModelError("the model gives some rows a score that is no number; copy or fit it again")
    classes = pa.array(np.asarray(fitted.classes))  # as predict gives them: a word and a number are two texts
    prediction = classes.take(pa.array(fitted.flag(score).astype(np.int8)))
    return pa.table({**columns, "score": score, "probability": fitted.probability(score), "prediction": prediction})


def refuse_reserved(ids: Sequence[str], reserved: Sequence[str] = ()) -> None:
    """Refuse an id column that has the name of a column of the result."""
    taken = [name for name in (*OUTPUTS, *reserved) if name in ids]
    if taken:
        raise DataError(f"the id column cannot be called {list_names(taken)}, as a column of the result is; rename it")


def refuse_same(data: Path, out: Path) -> None:
    """Refuse to write the scores over the rows."""
    if out.exists() and data.exists() and out.samefile(data):
        raise DataError(f"{out} is the file to be scored; write the scores to another one")


def append(table: pa.Table, columns: Columns) -> pa.Table:
    """Return a table with more columns behind the others."""
    for name, values in columns.items():
        table = table.append_column(name, pa.array(values))
    return table
