"""Tables in Parquet files, streamed with bounded memory."""

import re
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq

from angularpu.data.columns import without_views
from angularpu.data.io.reading import choose_columns, reading, refuse_table

_PANDAS_INDEX = re.compile(r"__index_level_\d+__")


@dataclass(frozen=True)
class ParquetFile:
    """A Parquet file; the unnamed index that pandas may have stored beside the columns is left out."""

    path: Path
    columns: tuple[str, ...]
    rows: int

    def count_rows(self) -> int:
        """Return the number of rows, which the file states."""
        return self.rows

    def read(self, columns: Sequence[str] | None = None) -> pa.Table:
        """Return the named columns, or all, as one table."""
        names = choose_columns(self.path, self.columns, wanted=columns)
        with reading(self.path, "Parquet"), _open(self.path) as file:
            return _check(file.read(columns=names)).select(names)

    def batches(self, n: int, columns: Sequence[str] | None = None) -> Iterator[pa.Table]:
        """Walk through the file, at most ``n`` rows at a time, holding no more than that."""
        names = choose_columns(self.path, self.columns, wanted=columns)
        yield from walk_groups(self.path, n, columns=names)


def walk_groups(
    path: Path, n: int, *, columns: Sequence[str], groups: Sequence[int] | None = None
) -> Iterator[pa.Table]:
    """Walk through some row groups of a Parquet file, or all, at most ``n`` rows at a time."""
    with reading(path, "Parquet"), _open(path) as file:
        for batch in file.iter_batches(n, columns=list(columns), row_groups=groups):
            # Selected again, because pyarrow does not promise the order of the columns.
            yield _check(pa.Table.from_batches([batch])).select(list(columns))


def open_parquet(path: Path, *, text: Collection[str] = ()) -> ParquetFile:
    """Read the footer of a Parquet file, which states the types of its columns, so ``text`` changes nothing."""
    schema, groups = read_outline(path)
    refuse_table(path, schema.names, rows=sum(groups))
    return ParquetFile(path, tuple(schema.names), sum(groups))


def read_outline(path: Path) -> tuple[pa.Schema, tuple[int, ...]]:
    """Read the footer of a Parquet file: its columns, and how many rows each row group has."""
    with reading(path, "Parquet"), _open(path) as file:
        kept = [field for field in file.schema_arrow if not _PANDAS_INDEX.fullmatch(field.name)]
        groups = tuple(file.metadata.row_group(group).num_rows for group in range(file.metadata.num_row_groups))
    return pa.schema(kept), groups


def _check(table: pa.Table) -> pa.Table:
    """Return a table of columns as they are used, whose content is what its types say: text is UTF-8, for example."""
    table.validate(full=True)
    return without_views(table)


def _open(path: Path) -> pq.ParquetFile:
    # Pre-buffering would hold a whole row group, a megabyte at a time costs no speed: benchmarks/table_readers.py.
    return pq.ParquetFile(path, pre_buffer=False, buffer_size=1 << 20)
