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
        with reading(self.path, "Parquet"), _open(self.path) as file:
            for batch in file.iter_batches(n, columns=names):
                # Selected again, because pyarrow does not promise the order of the columns.
                yield _check(pa.Table.from_batches([batch])).select(names)


def open_parquet(path: Path, *, text: Collection[str] = ()) -> ParquetFile:
    """Read the footer of a Parquet file, which states the types of its columns, so ``text`` changes nothing."""
    with reading(path, "Parquet"), _open(path) as file:
        names = [name for name in file.schema_arrow.names if not _PANDAS_INDEX.fullmatch(name)]
        rows = file.metadata.num_rows
    refuse_table(path, names, rows=rows)
    return ParquetFile(path, tuple(names), rows)


def _check(table: pa.Table) -> pa.Table:
    """Return a table of columns as they are used, whose content is what its types say: text is UTF-8, for example."""
    table.validate(full=True)
    return without_views(table)


def _open(path: Path) -> pq.ParquetFile:
    # Pre-buffering would hold a whole row group, a megabyte at a time costs no speed: benchmarks/table_readers.py.
    return pq.ParquetFile(path, pre_buffer=False, buffer_size=1 << 20)
