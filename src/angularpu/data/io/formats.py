"""The formats of files: what opens each and, if it can be written, what writes it."""

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

import pyarrow as pa
import pyarrow.parquet as pq
from numpy.typing import NDArray

from angularpu.data.io.csv_file import CsvWriter, open_csv
from angularpu.data.io.numpy_file import ArrayArchive, StoredArray
from angularpu.data.io.parquet_file import open_parquet


class TableFile(Protocol):
    """A file with named columns."""

    @property
    def path(self) -> Path:
        """Where the file lies."""

    @property
    def columns(self) -> tuple[str, ...]:
        """The names of its columns, in order."""

    def count_rows(self) -> int:
        """Return the number of rows."""
        ...

    def read(self, columns: Sequence[str] | None = None) -> pa.Table:
        """Return the named columns, or all, as one table."""
        ...

    def batches(self, n: int, columns: Sequence[str] | None = None) -> Iterator[pa.Table]:
        """Walk through the file, at most ``n`` rows at a time, with bounded memory."""
        ...


class TableOpener(Protocol):
    """Opens a table; ``text`` names columns that stay text where the file does not state their types."""

    def __call__(self, path: Path, *, text: Collection[str] = ()) -> TableFile:
        """Find out which columns the file has."""
        ...


class TableSink(Protocol):
    """A file to which tables of one schema are added."""

    def write_table(self, table: pa.Table) -> None:
        """Add the rows of a table."""

    def close(self) -> None:
        """Write what is still held back."""


@dataclass(frozen=True)
class TableFormat:
    """A format with named columns.

    Attributes
    ----------
    open : callable
        Takes a path and finds out which columns the file has.
    write : callable or None
        Takes a path and a schema and begins a file; None for a format that is only read.
    """

    open: TableOpener
    write: Callable[[Path, pa.Schema], TableSink] | None = None


Arrays = StoredArray | Mapping[str, NDArray[Any]]  # one array, or several by name

TABLES = {
    ".csv": TableFormat(open_csv, CsvWriter),
    ".parquet": TableFormat(open_parquet, pq.ParquetWriter),
}
ARRAYS: dict[str, Callable[[Path], Arrays]] = {
    ".npy": StoredArray,
    ".npz": ArrayArchive,
}
