"""What rows look like at a glance: how many, columns of which kind, and where values are missing."""

from collections import Counter
from dataclasses import dataclass
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from angularpu.data.columns import value_kind
from angularpu.data.rows import Block, Kind, Rows, rows_within

CELLS = 4_000_000  # looked at at a time


@dataclass(frozen=True)
class Overview:
    """What rows look like at a glance.

    Attributes
    ----------
    n : int
        How many rows there are.
    kind : {"dense", "sparse", "image", "frame"}
    shape : tuple of int
        The shape of one row: (columns,) or (channels, height, width).
    columns : dict
        How many columns hold numbers, dates, durations, text or something else; empty for images.
    missing : dict
        How many values are missing, by the column's name, or by its number from 0 where it has no name; columns without
        missing values are left out, and the channels of images are their columns.
    """

    n: int
    kind: Kind
    shape: tuple[int, ...]
    columns: dict[str, int]
    missing: dict[str, int]


def look_over(rows: Rows) -> Overview:
    """Count columns by kind, and missing values by column, in one pass.

    Examples
    --------
    >>> from angularpu.data.sources import as_rows
    >>> seen = look_over(as_rows(pa.table({"age": [31.0, None], "city": ["Oslo", "Rome"]})))
    >>> seen.columns, seen.missing
    ({'number': 1, 'text': 1}, {'age': 1})
    """
    missing: Counter[str] = Counter()
    for block in rows.chunks(rows_within(CELLS, rows.shape)):
        missing.update(_count_missing(block, rows.kind))
    found = {name: count for name, count in missing.items() if count}
    return Overview(len(rows), rows.kind, rows.shape, _count_columns(rows), found)


def _count_columns(rows: Rows) -> dict[str, int]:
    match rows.kind:
        case "image":
            return {}
        case "frame":
            schema = rows.take(np.zeros(1, np.int64)).schema
            return dict(Counter(value_kind(field.type) or "other" for field in schema))
    return {"number": rows.shape[0]}


def _count_missing(block: Block, kind: Kind) -> dict[str, int]:
    if kind == "frame":
        return {name: _count_in_column(block[name]) for name in block.column_names}
    values: Any = block.data if kind == "sparse" else block
    if values.dtype.kind != "f":
        return {}
    if kind == "sparse":
        counts = np.bincount(block.indices[np.isnan(values)], minlength=block.shape[1])
    else:
        counts = np.isnan(values).sum(axis=(0, *range(2, values.ndim)))
    return {str(place): int(counts[place]) for place in np.flatnonzero(counts)}


def _count_in_column(column: pa.ChunkedArray) -> int:
    if pa.types.is_floating(column.type):
        return int(pc.sum(pc.is_null(column, nan_is_null=True)).as_py() or 0)
    return int(column.null_count)
