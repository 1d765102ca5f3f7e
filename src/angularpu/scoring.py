"""Score a file of any size: rows are read, prepared, scored and written piece by piece, in their order."""

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import torch
from numpy.typing import NDArray
from torch import Tensor

from angularpu.data.archive import find_array, find_rows
from angularpu.data.arrays import ARRAY_SUFFIXES, open_arrays
from angularpu.data.frame_preparation import FramePreparation
from angularpu.data.reading import refuse_path
from angularpu.data.rows import Block, spans
from angularpu.data.sources import as_rows
from angularpu.data.tables import TABLE_SUFFIXES, open_table
from angularpu.data.writing import open_writer
from angularpu.errors import DataError
from angularpu.neural import Fitted
from angularpu.train.loop import Report
from angularpu.train.scoring import score_block

PIECE_ROWS = 65_536
OUTPUTS = ("score", "probability", "prediction")


@dataclass(frozen=True)
class Piece:
    """Some rows on their way: as they were read, with the values of the id column if there is one."""

    block: Block
    ids: pa.ChunkedArray | pa.Array | None


@dataclass(frozen=True)
class Pieces:
    """A file as pieces: how many rows it has in all, and the pieces in order."""

    n: int
    pieces: Iterator[Piece]


def score_file(
    fitted: Fitted,
    data: Path,
    *,
    out: Path,
    id_column: str | None = None,
    report: Report | None = None,
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
        Column of ``data``, or array of an .npz file, that is written in front of the scores.
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
    if out.exists() and data.exists() and out.samefile(data):
        raise DataError(f"{out} is the file to be scored; write the scores to another one")
    opened = _open(fitted, data, id_column=id_column, piece_rows=piece_rows)
    done = 0
    with open_writer(out) as writer:
        for x, ids in _read_ahead(_prepare(fitted, opened.pieces)):
            score = score_block(fitted.algorithm, x)
            writer.write(_tabulate(fitted, score, ids={} if id_column is None else {id_column: ids}))
            done += len(score)
            if report:
                report(done, opened.n, "rows scored")
    return done


def _open(fitted: Fitted, data: Path, *, id_column: str | None, piece_rows: int) -> Pieces:
    refuse_path(data, (*TABLE_SUFFIXES, *ARRAY_SUFFIXES))
    if data.suffix.lower() in TABLE_SUFFIXES:
        return _open_table(fitted, data, id_column=id_column, piece_rows=piece_rows)
    return _open_array(data, id_column=id_column, piece_rows=piece_rows)


def _open_table(fitted: Fitted, data: Path, *, id_column: str | None, piece_rows: int) -> Pieces:
    preparation = fitted.preparation
    by_name = isinstance(preparation, FramePreparation)
    file = open_table(data, text=preparation.text_columns if by_name else ())
    needed = (
        [*preparation.sources, *preparation.text_columns] if by_name else [c for c in file.columns if c != id_column]
    )
    wanted = list(dict.fromkeys(needed if id_column is None else [*needed, id_column]))
    tables = file.batches(piece_rows, wanted)
    ids = (lambda table: None) if id_column is None else (lambda table: table[id_column])
    return Pieces(file.count_rows(), (Piece(table.select(needed), ids(table)) for table in tables))


def _open_array(data: Path, *, id_column: str | None, piece_rows: int) -> Pieces:
    arrays = open_arrays(data)
    if isinstance(arrays, np.ndarray):
        if id_column is not None:
            raise DataError(f"{data} is one array without named columns, so it has no id column {id_column!r}")
        rows, ids = as_rows(arrays), None
    else:
        rows = as_rows(find_rows(arrays, data, besides=[id_column] if id_column else []))
        ids = pa.array(find_array(arrays, data, name=id_column)) if id_column else None
        if ids is not None and len(ids) != len(rows):
            raise DataError(
                f"{data} has {len(rows)} rows but {len(ids)} values of {id_column!r}; one per row is needed"
            )
    starts = (span.start for span in spans(len(rows), piece_rows))
    blocks = zip(starts, rows.chunks(piece_rows), strict=True)
    return Pieces(
        len(rows), (Piece(block, None if ids is None else ids.slice(start, piece_rows)) for start, block in blocks)
    )


def _prepare(fitted: Fitted, pieces: Iterator[Piece]) -> Iterator[tuple[Tensor, Any]]:
    first_row = 0
    for piece in pieces:
        x = fitted.preparation.apply(piece.block, first_row=first_row)
        first_row += len(x)
        yield torch.from_numpy(x), piece.ids


def _read_ahead(items: Iterator[tuple[Tensor, Any]]) -> Iterator[tuple[Tensor, Any]]:
    """Make the next item in a thread of its own while the current one is used."""
    with ThreadPoolExecutor(1) as reader:
        upcoming = reader.submit(next, items, None)
        while (item := upcoming.result()) is not None:
            upcoming = reader.submit(next, items, None)
            yield item


def _tabulate(fitted: Fitted, score: NDArray[np.float32], *, ids: dict[str, Any]) -> pa.Table:
    above = score > np.float32(fitted.decision.threshold)  # the threshold is a float32 number
    prediction = pa.array(list(fitted.classes)).take(pa.array(above.astype(np.int8)))
    columns = {"score": score, "probability": fitted.probability(score), "prediction": prediction}
    return pa.table({**ids, **columns})
