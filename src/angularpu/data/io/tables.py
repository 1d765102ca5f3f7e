"""Tables in files, read whole or in batches."""

from collections.abc import Collection, Iterator, Sequence
from pathlib import Path
from typing import Protocol

import pyarrow as pa

from angularpu.data.io.csv_file import open_csv
from angularpu.data.io.parquet_file import open_parquet
from angularpu.data.io.reading import refuse_path

TABLE_SUFFIXES = (".csv", ".parquet")


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


def open_table(path: Path, *, text: Collection[str] = ()) -> TableFile:
    r"""Open a CSV or Parquet file and find out which columns it has.

    Parameters
    ----------
    path : Path
        A file that ends in ``.csv`` or ``.parquet``.
    text : collection of str
        Columns of a CSV file that stay text although all their cells may look like numbers: pass the fitted
        preparation's ``text_columns`` when scoring.

    Raises
    ------
    DataError
        When the file is missing, damaged, empty, of another kind, or has two columns of one name.

    Examples
    --------
    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = Path(folder) / "people.csv"
    ...     _ = path.write_text("age,city\n31,Oslo\nNA,Bergen\n")
    ...     open_table(path).read().to_pydict()
    {'age': [31, None], 'city': ['Oslo', 'Bergen']}
    """
    path = Path(path)
    refuse_path(path, TABLE_SUFFIXES)
    return open_csv(path, text=text) if path.suffix.lower() == ".csv" else open_parquet(path)
