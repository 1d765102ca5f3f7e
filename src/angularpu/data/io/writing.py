"""Tables written piece by piece to a file that is either complete or absent."""

import contextlib
import csv
import io
from collections.abc import Iterator
from pathlib import Path
from typing import Protocol

import pyarrow as pa
import pyarrow.csv as pacsv
import pyarrow.parquet as pq

from angularpu.data.io.tables import TABLE_SUFFIXES
from angularpu.errors import DataError
from angularpu.files import atomic_file


class _Sink(Protocol):
    def write_table(self, table: pa.Table) -> None: ...

    def close(self) -> None: ...


class TableWriter:
    """Takes tables of one schema, one after another; made by ``open_writer``."""

    def __init__(self, path: Path, *, temporary: Path) -> None:
        self._path = path
        self._temporary = temporary
        self._sink: _Sink | None = None

    @property
    def empty(self) -> bool:
        """Whether nothing has been written yet."""
        return self._sink is None

    def write(self, table: pa.Table) -> None:
        """Add the rows of a table; the first one decides the columns."""
        try:
            if self._sink is None:
                make = _CsvSink if self._path.suffix.lower() == ".csv" else pq.ParquetWriter
                self._sink = make(self._temporary, table.schema)
            self._sink.write_table(table)
        except OSError as error:
            raise DataError(f"{self._path} cannot be written: {error.strerror or error}") from error

    def close(self) -> None:
        """Write what is still held back."""
        if self._sink is not None:
            self._sink.close()


@contextlib.contextmanager
def open_writer(path: Path) -> Iterator[TableWriter]:
    """Write a CSV or Parquet file in pieces; it appears under its name only when the block ends well.

    Parameters
    ----------
    path : Path
        A file that ends in ``.csv`` or ``.parquet``.

    Examples
    --------
    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = Path(folder) / "scores.csv"
    ...     with open_writer(path) as writer:
    ...         writer.write(pa.table({"id": ["a", "b"], "score": [0.5, None]}))
    ...     path.read_text().splitlines()
    ['id,score', '"a",0.5', '"b",']
    """
    path = Path(path)
    if path.suffix.lower() not in TABLE_SUFFIXES:
        raise DataError(
            f"{path} ends in {path.suffix or 'no suffix'!r}; tables are written as {', '.join(TABLE_SUFFIXES)}"
        )
    if path.is_dir():
        raise DataError(f"{path} is a directory; pass the path of a file")
    if not path.parent.is_dir():
        raise DataError(f"{path.parent} is not a directory, so {path.name} cannot be written there")
    with atomic_file(path) as temporary:
        with contextlib.closing(TableWriter(path, temporary=temporary)) as writer:
            yield writer
        if writer.empty:
            raise DataError(f"{path} is not written, because there were no rows for it")


class _CsvSink:
    """Writes the header itself, because Arrow would put quotes around every name."""

    def __init__(self, path: Path, schema: pa.Schema) -> None:
        header = io.StringIO()
        csv.writer(header, lineterminator="\n").writerow(schema.names)
        self._file = path.open("wb")
        self._file.write(header.getvalue().encode())
        options = pacsv.WriteOptions(include_header=False, quoting_style="needed")
        self._writer = pacsv.CSVWriter(self._file, schema, write_options=options)

    def write_table(self, table: pa.Table) -> None:
        self._writer.write_table(table)

    def close(self) -> None:
        self._writer.close()
        self._file.close()
