"""Score a file of any size: rows are read, prepared, scored and written piece by piece, in their order."""

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from angularpu.data.io.writing import open_writer
from angularpu.errors import DataError, ModelError
from angularpu.methods.fitted import Fitted
from angularpu.model.pieces import PIECE_ROWS, Columns, open_pieces
from angularpu.progress import ReportProgress

OUTPUTS = ("score", "probability", "prediction")


def score_file(
    fitted: Fitted,
    data: Path,
    *,
    out: Path,
    ids: Sequence[str] = (),
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
    ids : sequence of str
        Columns of ``data``, or arrays of an .npz file, that are written in front of the scores; see
        :func:`~angularpu.model.pieces.open_pieces`.
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
    kept = list(dict.fromkeys(ids))
    for name in OUTPUTS:
        if name in kept:
            raise DataError(f"the id column cannot be called {name!r}, as a column of the result is; rename it")
    if out.exists() and out.samefile(data):
        raise DataError(f"{out} is the file to be scored; write the scores to another one")
    pieces = open_pieces(data, fitted.preparation, kept=kept, piece_rows=piece_rows)
    done = 0
    with open_writer(out, safe=safe) as writer:
        for block, columns in pieces.blocks:
            score = fitted.scorer.score(fitted.preparation.apply(block, first_row=done))
            writer.write(_tabulate(fitted, score, columns=columns))
            done += len(score)
            if report:
                report(done, pieces.n, "rows scored")
    return done


def _tabulate(fitted: Fitted, score: NDArray[np.float32], *, columns: Columns) -> pa.Table:
    if not np.isfinite(score).all():  # finite weights may still overflow
        raise ModelError("the model gives some rows a score that is no number; copy or fit it again")
    above = score > np.float32(fitted.decision.threshold)  # the threshold is a float32 number
    classes = pa.array(np.asarray(fitted.classes))  # as predict gives them: a word and a number are two texts
    prediction = classes.take(pa.array(above.astype(np.int8)))
    return pa.table({**columns, "score": score, "probability": fitted.probability(score), "prediction": prediction})
