"""Score a file of any size: rows are read, prepared, scored and written piece by piece, in their order."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from angularpu.data.io.writing import open_writer
from angularpu.methods.fitted import Fitted
from angularpu.model.explanation import Explainer
from angularpu.model.pieces import PIECE_ROWS
from angularpu.model.scored_pieces import append, refuse_same, score_pieces
from angularpu.progress import ReportProgress


@dataclass(frozen=True)
class Scored:
    """How many rows a file of scores has, and how many of them are called positive."""

    n: int
    flagged: int


def score_file(
    fitted: Fitted,
    data: Path,
    *,
    out: Path,
    ids: Sequence[str] = (),
    out_of_fold: bool = False,
    explain: int = 0,
    safe: bool = False,
    report: ReportProgress | None = None,
    piece_rows: int = PIECE_ROWS,
) -> Scored:
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
    out_of_fold : bool
        ``data`` is the training data: every row gets the score of a model that was not trained on it.
    explain : int
        How many columns are named that moved a row's score most; 0: none.
    safe : bool
        Put an apostrophe before text of a .csv file that a spreadsheet would take for a formula.
    report : callable, optional
        Called after every piece with (rows done, rows in all, text).
    piece_rows : int
        How many rows are held at a time.

    Returns
    -------
    Scored
        The number of rows, and how many of them are called positive.
    """
    refuse_same(data, out)
    explainer = Explainer(fitted, explain) if explain else None
    pieces = score_pieces(
        fitted,
        data,
        ids=ids,
        out_of_fold=out_of_fold,
        reserved=explainer.headings if explainer else (),
        report=report,
        piece_rows=piece_rows,
    )
    n = flagged = 0
    with open_writer(out, safe=safe) as writer:
        for piece in pieces:
            more = explainer.explain(piece.prepared) if explainer else {}
            writer.write(append(piece.table, more))
            n += piece.table.num_rows
            flagged += int(np.count_nonzero(piece.flagged))
    return Scored(n, flagged)
