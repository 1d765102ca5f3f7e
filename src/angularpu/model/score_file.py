"""Score a file of any size: rows are read, prepared, scored and written piece by piece, in their order."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from angularpu.data.columns import as_column
from angularpu.data.io.arrays import ARRAY_SUFFIXES, find_array, find_rows, open_arrays
from angularpu.data.io.numpy_file import StoredArray
from angularpu.data.io.reading import refuse_path
from angularpu.data.io.tables import TABLE_SUFFIXES, open_table
from angularpu.data.io.writing import open_writer
from angularpu.data.prepare.frame import FramePreparation
from angularpu.data.prepare.preparation import Preparation
from angularpu.data.rows import Block, spans
from angularpu.data.sources import as_rows
from angularpu.errors import DataError, ModelError
from angularpu.methods.fitted import Fitted
from angularpu.progress import ReportProgress

PIECE_ROWS = 65_536
OUTPUTS = ("score", "probability", "prediction")

Ids = dict[str, Any]  # the id column by its name, or nothing


def score_file(
    fitted: Fitted,
    data: Path,
    *,
    out: Path,
    id_column: str | None = None,
    safe: bool = False,
    report: ReportProgress | None = None,
    piece_rows: int = PIECE_ROWS,
) -> int:
    """Write score, probability and prediction of every row of a file, which may be larger than memory.

    Parameters
    ----------
    fitted : Fitted
        The model.
    data : Path
        A table (.csv, .parquet) or array (.npy, .npz) with the columns the model was fitted on; others are not read.
    out : Path
        A .csv or .parquet file, replaced if there is one, that appears only when it is complete.
    id_column : str, optional
        Column of ``data``, or array of an .npz file, that is written in front of the scores; text if it is a CSV's.
    safe : bool
        Put an apostrophe before text of a .csv file that a spreadsheet would take for a formula.
    report : callable, optional
        Called after every piece with (rows done, rows in all, text).
    piece_rows : int
        How many rows are held at a time.

    Returns
    -------
    int
        The number of rows.
    """
    if id_column in OUTPUTS:
        raise DataError(f"the id column cannot be called {id_column!r}, as a column of the result is; rename it")
    refuse_path(data, (*TABLE_SUFFIXES, *ARRAY_SUFFIXES))
    if out.exists() and out.samefile(data):
        raise DataError(f"{out} is the file to be scored; write the scores to another one")
    if data.suffix.lower() in TABLE_SUFFIXES:
        n, pieces = _open_table(data, fitted.preparation, id_column=id_column, piece_rows=piece_rows)
    else:
        n, pieces = _open_array(data, id_column=id_column, piece_rows=piece_rows)
    done = 0
    with open_writer(out, safe=safe) as writer:
        for block, ids in pieces:
            score = fitted.scorer.score(fitted.preparation.apply(block, first_row=done))
            writer.write(_tabulate(fitted, score, ids=ids))
            done += len(score)
            if report:
                report(done, n, "rows scored")
    return done


def _open_table(
    data: Path, preparation: Preparation, *, id_column: str | None, piece_rows: int
) -> tuple[int, Iterator[tuple[Block, Ids]]]:
    kept = [] if id_column is None else [id_column]
    if isinstance(preparation, FramePreparation):
        # As text, the id 007 stays what it is.
        file = open_table(data, text=[*preparation.text_columns, *kept])
        needed = [*preparation.sources, *preparation.text_columns]
    else:
        file = open_table(data, text=kept)
        needed = [name for name in file.columns if name not in kept]
    tables = file.batches(piece_rows, list(dict.fromkeys([*needed, *kept])))
    return file.count_rows(), ((table.select(needed), {name: table[name] for name in kept}) for table in tables)


def _open_array(data: Path, *, id_column: str | None, piece_rows: int) -> tuple[int, Iterator[tuple[Block, Ids]]]:
    arrays = open_arrays(data)
    if isinstance(arrays, StoredArray):
        if id_column is not None:
            raise DataError(f"{data} is one array without named columns, so it has no id column {id_column!r}")
        rows, kept = as_rows(arrays), {}
    else:
        kept = {} if id_column is None else {id_column: find_array(arrays, data, name=id_column)}
        rows = as_rows(find_rows(arrays, data, besides=kept))
    for name, ids in kept.items():
        if ids.shape != (len(rows),):
            raise DataError(
                f"{data} has {len(rows)} rows, but {name!r} has the shape {ids.shape}; one id per row is needed"
            )
    kept = {name: as_column(ids, name=name) for name, ids in kept.items()}
    pieces = zip(spans(len(rows), piece_rows), rows.chunks(piece_rows), strict=True)
    return len(rows), ((block, {name: ids[span] for name, ids in kept.items()}) for span, block in pieces)


def _tabulate(fitted: Fitted, score: NDArray[np.float32], *, ids: Ids) -> pa.Table:
    if not np.isfinite(score).all():  # finite weights may still overflow
        raise ModelError("the model gives some rows a score that is no number; copy or fit it again")
    above = score > np.float32(fitted.decision.threshold)  # the threshold is a float32 number
    classes = pa.array(np.asarray(fitted.classes))  # as predict gives them: a word and a number are two texts
    prediction = classes.take(pa.array(above.astype(np.int8)))
    return pa.table({**ids, "score": score, "probability": fitted.probability(score), "prediction": prediction})
