"""A file of rows, read piece by piece as a model wants them, with the columns that are kept beside the scores."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from angularpu.data.columns import as_column
from angularpu.data.io.arrays import ARRAY_SUFFIXES, find_array, find_rows, open_arrays
from angularpu.data.io.formats import TableFile
from angularpu.data.io.known_csv import open_known_csv
from angularpu.data.io.numpy_file import StoredArray
from angularpu.data.io.reading import refuse_path
from angularpu.data.io.tables import TABLE_SUFFIXES, open_table
from angularpu.data.prepare.frame import FramePreparation
from angularpu.data.prepare.preparation import Preparation
from angularpu.data.rows import Block, spans
from angularpu.data.sources import as_rows
from angularpu.errors import DataError

PIECE_ROWS = 65_536

Columns = dict[str, Any]  # columns of a piece by their names


@dataclass(frozen=True, eq=False)
class Pieces:
    """Rows of a file in their order.

    Attributes
    ----------
    n : int
        How many rows there are.
    blocks : iterator of (block, columns)
        Raw rows for the model, and the kept columns of the same rows.
    """

    n: int
    blocks: Iterator[tuple[Block, Columns]]


def open_pieces(
    data: Path, preparation: Preparation, *, kept: Sequence[str] = (), piece_rows: int = PIECE_ROWS
) -> Pieces:
    """Open a file of any size for a model.

    Parameters
    ----------
    data : Path
        A table (.csv, .parquet) or array (.npy, .npz) with the columns the model was fitted on; others are not read.
    preparation : Preparation
        Of the model.
    kept : sequence of str
        Columns of ``data``, or arrays of an .npz file, that come beside the rows; text if they are a CSV's, unless the
        model takes them for numbers.
    piece_rows : int
        How many rows are held at a time.
    """
    refuse_path(data, (*TABLE_SUFFIXES, *ARRAY_SUFFIXES))
    if data.suffix.lower() in TABLE_SUFFIXES:
        return _open_table(data, preparation, kept=kept, piece_rows=piece_rows)
    return _open_array(data, kept=kept, piece_rows=piece_rows)


def _open_table(data: Path, preparation: Preparation, *, kept: Sequence[str], piece_rows: int) -> Pieces:
    if isinstance(preparation, FramePreparation):
        # As text, the id 007 stays what it is.
        ids = [name for name in kept if name not in preparation.sources]
        file = _open_named(data, preparation, text=list(dict.fromkeys([*preparation.text_columns, *ids])), kept=kept)
        needed = [*preparation.sources, *preparation.text_columns]
    else:
        file = open_table(data, text=list(kept))
        needed = [name for name in file.columns if name not in kept]
    tables = file.batches(piece_rows, list(dict.fromkeys([*needed, *kept])))
    return Pieces(file.count_rows(), ((table.select(needed), {name: table[name] for name in kept}) for table in tables))


def _open_named(data: Path, preparation: FramePreparation, *, text: list[str], kept: Sequence[str]) -> TableFile:
    """Open a table; a CSV file of numbers in one pass, where no number is to be written again as it stands."""
    only_numbers = set(preparation.sources.values()) <= {"number"} and not any(k in preparation.sources for k in kept)
    known = open_known_csv(data, text=text) if data.suffix.lower() == ".csv" and only_numbers else None
    return known or open_table(data, text=text)


def _open_array(data: Path, *, kept: Sequence[str], piece_rows: int) -> Pieces:
    arrays = open_arrays(data)
    if isinstance(arrays, StoredArray):
        if kept:
            raise DataError(f"{data} is one array without named columns, so it has no column {kept[0]!r}")
        rows, found = as_rows(arrays), {}
    else:
        found = {name: find_array(arrays, data, name=name) for name in kept}
        rows = as_rows(find_rows(arrays, data, besides=found))
    for name, values in found.items():
        if values.shape != (len(rows),):
            raise DataError(
                f"{data} has {len(rows)} rows, but {name!r} has the shape {values.shape}; one value per row is needed"
            )
    columns = {name: as_column(values, name=name) for name, values in found.items()}
    pieces = zip(spans(len(rows), piece_rows), rows.chunks(piece_rows), strict=True)
    return Pieces(len(rows), ((block, {name: each[span] for name, each in columns.items()}) for span, block in pieces))
