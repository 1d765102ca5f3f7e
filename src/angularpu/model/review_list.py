"""The rows of a file that are most likely hidden positives, the most likely first."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from angularpu.data.io.writing import open_writer
from angularpu.errors import DataError, SettingError
from angularpu.methods.fitted import Fitted
from angularpu.model.explanation import Explainer
from angularpu.model.pieces import PIECE_ROWS
from angularpu.model.scored_pieces import ScoredPiece, append, refuse_same, score_pieces
from angularpu.progress import ReportProgress

ROW = "row"


@dataclass(frozen=True)
class Listed:
    """How many rows a list is made of.

    Attributes
    ----------
    n : int
        Rows in the list.
    read : int
        Rows in the file.
    known : int
        Known positives, which were left out.
    flagged : int
        Rows in the list that are called positive.
    """

    n: int
    read: int
    known: int
    flagged: int


def write_review_list(
    fitted: Fitted,
    data: Path,
    *,
    out: Path,
    top: int | None = None,
    ids: Sequence[str] = (),
    label: str | None = None,
    out_of_fold: bool = False,
    explain: int = 0,
    safe: bool = False,
    report: ReportProgress | None = None,
    piece_rows: int = PIECE_ROWS,
) -> Listed:
    """Write the rows of a file from the highest score down, without the known positives.

    In front stands ``row``, the number of the row in the file, counted from 1. Rows with equal scores stand in the
    file's order. With ``top`` no more than that many rows and one piece are held at a time; without it, all scores are.

    Parameters
    ----------
    fitted : Fitted
        The model.
    data : Path
        As :func:`~angularpu.model.score_file.score_file` takes it.
    out : Path
        A .csv or .parquet file.
    top : int, optional
        How many rows are listed; by default all.
    ids : sequence of str
        Columns of ``data`` to keep.
    label : str, optional
        Column of ``data`` that marks known positives; with ``out_of_fold`` the model knows them itself.
    out_of_fold, explain, safe, report, piece_rows
        As :func:`~angularpu.model.score_file.score_file` takes them.
    """
    refuse_same(data, out)
    if top is not None and top < 1:
        raise SettingError(f"--top must be a whole number of at least 1, got {top}")
    explainer = Explainer(fitted, explain) if explain else None
    pieces = score_pieces(
        fitted,
        data,
        ids=ids,
        label=label,
        out_of_fold=out_of_fold,
        reserved=[ROW, *(explainer.headings if explainer else [])],
        report=report,
        piece_rows=piece_rows,
    )
    counted = np.zeros(2, np.int64)
    candidates = _leave_out_known(pieces, counted, keeps_rows=explainer is not None)
    listed = _keep_best(candidates, top) if top is not None else _sort_all(candidates, explainer)
    table, prepared = listed
    if table is None or table.num_rows == 0:
        raise DataError(f"{data} has no rows besides known positives, so there is nothing to list")
    if explainer is not None and prepared is not None:
        table = append(table, explainer.explain(prepared))
    with open_writer(out, safe=safe) as writer:
        writer.write(table)
    flagged = int(np.count_nonzero(fitted.flag(table["score"].to_numpy())))
    return Listed(table.num_rows, int(counted[0]), int(counted[1]), flagged)


Candidates = Iterator[tuple[pa.Table, Any]]  # rows of the list, and the same rows prepared, if anybody asks


def _leave_out_known(pieces: Iterator[ScoredPiece], counted: NDArray[np.int64], *, keeps_rows: bool) -> Candidates:
    for piece in pieces:
        rows = np.flatnonzero(~piece.known)
        counted += [len(piece.known), len(piece.known) - len(rows)]
        table = piece.table.add_column(0, ROW, pa.array(np.arange(len(piece.known)) + piece.first_row + 1))
        yield table.take(pa.array(rows)), piece.prepared[rows] if keeps_rows else None


def _keep_best(candidates: Candidates, top: int) -> tuple[pa.Table | None, Any]:
    """Return the ``top`` rows of highest score, of which no more than these and one piece are ever held."""
    best: pa.Table | None = None
    kept: Any = None
    for table, prepared in candidates:
        best = table if best is None else pa.concat_tables([best, table])
        order = _order(best)[:top]
        best = best.take(pa.array(order)).combine_chunks()
        if prepared is not None:
            kept = (prepared if kept is None else np.concatenate([kept, prepared]))[order]
    return best, kept


def _sort_all(candidates: Candidates, explainer: Explainer | None) -> tuple[pa.Table | None, Any]:
    tables = [append(table, explainer.explain(x)) if explainer else table for table, x in candidates]
    if not tables:
        return None, None
    whole = pa.concat_tables(tables)
    return whole.take(pa.array(_order(whole))), None


def _order(table: pa.Table) -> NDArray[np.int64]:
    return np.argsort(-table["score"].to_numpy(), kind="stable")
