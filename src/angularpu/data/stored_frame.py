"""Rows of Parquet files that are larger than memory: read from disk whenever they are walked through or taken."""

from collections.abc import Iterator, Sequence
from typing import Literal

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from angularpu.data.columns import as_text, value_kind, whole, without_views
from angularpu.data.fingerprints import fingerprint_rows
from angularpu.data.io.parquet_directory import ParquetPart
from angularpu.data.io.parquet_file import walk_groups
from angularpu.data.rows import Block, Kind
from angularpu.errors import DataError, quote

READ_ROWS = 16_384  # at a time where few of them are wanted
UNKNOWN_BYTES = 16  # of a value of no fixed size, such as a word


class StoredFrame:
    """The rows of several Parquet files, one file after another, as one frame of which little is held at a time.

    Walking through the rows reads every file once. Taking rows by number reads the row groups that have them, so it is
    for a few thousand rows now and then, not for every batch of a training.

    Parameters
    ----------
    parts : sequence of ParquetPart
        Files that all have these columns; a column may be of different types of one kind, such as int32 and int64.
    columns : sequence of str
        The columns that are read, in this order.
    categories : {"text", "values"}
        Whether columns of categories (Arrow's dictionaries) are read as text, as features are, or as what they stand
        for.
    """

    def __init__(
        self,
        parts: Sequence[ParquetPart],
        columns: Sequence[str],
        *,
        categories: Literal["text", "values"] = "text",
    ) -> None:
        self.parts, self.columns = tuple(part for part in parts if part.rows), tuple(columns)
        self.kind: Kind = "frame"
        self.shape: tuple[int, ...] = (len(self.columns),)
        self.in_memory = False
        self._schema = pa.schema(
            [(name, _find_type(name, parts, decode=categories == "values")) for name in self.columns]
        )
        if not self.parts:
            raise DataError(f"{parts[0].path} has no rows; nothing can be learned or scored from it")

    def __len__(self) -> int:
        return sum(part.rows for part in self.parts)

    def count_bytes(self) -> int:
        """Return about how much memory all rows would take."""
        widths = (UNKNOWN_BYTES if value_kind(type_) == "text" else _count_bytes(type_) for type_ in self._schema.types)
        return len(self) * sum(widths)

    def read(self) -> pa.Table:
        """Return all rows as one table in memory."""
        return pa.concat_tables(self.chunks(len(self)))

    def chunks(self, n: int) -> Iterator[Block]:
        """Walk through the rows, ``n`` at a time, however the files are cut."""
        return _cut((table for part in self.parts for table in self._walk(part, n, groups=None)), n)

    def chunks_of(self, index: NDArray[np.int64], n: int) -> Iterator[Block]:
        """Walk through the rows with these numbers, which ascend, ``n`` at a time, reading every file once."""
        return _cut(self._pick(self.chunks(READ_ROWS), index), n)

    def take(self, index: NDArray[np.int64]) -> Block:
        """Return the rows with these numbers, in this order, as a table."""
        wanted, place = np.unique(np.asarray(index, np.int64), return_inverse=True)
        if len(wanted) and not 0 <= wanted[0] <= wanted[-1] < len(self):
            raise IndexError(f"there are {len(self)} rows")
        found, first = [self._schema.empty_table()], 0
        for part in self.parts:
            for group, rows in enumerate(part.groups):
                own = wanted[np.searchsorted(wanted, first) : np.searchsorted(wanted, first + rows)] - first
                found += self._pick(self._walk(part, READ_ROWS, groups=[group]), own) if len(own) else []
                first += rows
        return pa.concat_tables(found).combine_chunks().take(pa.array(place))

    def fingerprint(self) -> str:
        """Return a checksum of column names, types and values, the same as that of the rows in memory."""
        return fingerprint_rows(self)

    @staticmethod
    def _pick(tables: Iterator[pa.Table], rows: NDArray[np.int64]) -> Iterator[pa.Table]:
        """Yield some rows of tables that follow each other, counted from the first, ascending."""
        first = 0
        for table in tables:
            own = rows[np.searchsorted(rows, first) : np.searchsorted(rows, first + len(table))] - first
            if len(own):
                yield table.take(pa.array(own))
            first += len(table)
            if first > rows[-1]:
                return

    def _walk(self, part: ParquetPart, n: int, *, groups: Sequence[int] | None) -> Iterator[pa.Table]:
        count = 0
        for table in walk_groups(part.path, n, columns=self.columns, groups=groups):
            count += len(table)
            yield pa.table([_convert(table[field.name], field.type) for field in self._schema], schema=self._schema)
        if count != sum(part.groups[group] for group in (groups or range(len(part.groups)))):
            raise DataError(f"{part.path} was changed while it was read; repeat the command when it is complete")


def _cut(tables: Iterator[pa.Table], n: int) -> Iterator[pa.Table]:
    """Yield the rows of tables that follow each other, ``n`` at a time, each time in one piece."""
    waiting: list[pa.Table] = []
    for table in tables:
        waiting.append(table)
        while sum(map(len, waiting)) >= n:
            joined = pa.concat_tables(waiting)
            yield joined.slice(0, n).combine_chunks()
            waiting = [joined.slice(n)]
    if sum(map(len, waiting)):
        yield pa.concat_tables(waiting).combine_chunks()


def _find_type(name: str, parts: Sequence[ParquetPart], *, decode: bool) -> pa.DataType:
    """Return the one type that a column of several files is read as: text if one of them has text."""
    types = [without_views(part.schema.empty_table().select([name])).schema.field(0).type for part in parts]
    if decode:
        types = [type_.value_type if pa.types.is_dictionary(type_) else type_ for type_ in types]
    if any(value_kind(type_) == "text" for type_ in types):
        return pa.large_string()
    try:
        unified = pa.unify_schemas([pa.schema([(name, type_)]) for type_ in types], promote_options="permissive")
    except pa.ArrowException as error:
        came = " and ".join(dict.fromkeys(str(type_) for type_ in types))
        raise DataError(f"column {quote(name)} is of the types {came} in different files; write it in one") from error
    return unified.field(0).type


def _convert(column: pa.ChunkedArray, type_: pa.DataType) -> pa.Array:
    joined = whole(column)
    if value_kind(type_) == "text":
        return as_text(joined)
    return joined if joined.type == type_ else joined.cast(type_)


def _count_bytes(type_: pa.DataType) -> int:
    try:
        return max(1, int(type_.bit_width) // 8)
    except ValueError:  # a type without a fixed size, which is refused later
        return UNKNOWN_BYTES
