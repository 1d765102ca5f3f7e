"""Tables written piece by piece to a file that is either complete or absent."""

import contextlib
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

import pyarrow as pa

from angularpu.data.io.formats import TABLES, TableSink
from angularpu.data.io.formulas import neutralise
from angularpu.errors import AngularPUError, DataError, SettingError
from angularpu.files import atomic_file


class TableWriter:
    """Takes tables of one schema, one after another; made by ``open_writer``."""

    def __init__(self, path: Path, *, begin: Callable[[pa.Schema], TableSink], safe: bool) -> None:
        self._path = path
        self._begin = begin
        self._safe = safe
        self._sink: TableSink | None = None

    @property
    def empty(self) -> bool:
        """Whether nothing has been written yet."""
        return self._sink is None

    def write(self, table: pa.Table) -> None:
        """Add the rows of a table; the first one decides the columns."""
        with _writing(self._path):
            table = neutralise(table) if self._safe else table
            if self._sink is None:
                self._sink = self._begin(table.schema)
            self._sink.write_table(table)

    def close(self) -> None:
        """Write what is still held back."""
        if self._sink is not None:
            with _writing(self._path):
                self._sink.close()


@contextlib.contextmanager
def _writing(path: Path) -> Iterator[None]:
    """Turn what fails while a file is written into one sentence with its path."""
    try:
        yield
    except AngularPUError:
        raise
    except (OSError, ValueError, pa.ArrowException) as error:  # a ValueError where Arrow cannot write the path itself
        reason = error.strerror if isinstance(error, OSError) and error.strerror else str(error).split("\n")[0]
        raise DataError(f"{path} cannot be written: {reason}") from error


@contextlib.contextmanager
def open_writer(path: Path, *, safe: bool = False) -> Iterator[TableWriter]:
    """Write a CSV or Parquet file in pieces; it appears under its name only when the block ends well.

    Parameters
    ----------
    path : Path
        A file that ends in ``.csv`` or ``.parquet``.
    safe : bool
        Put an apostrophe before text in a CSV file that a spreadsheet would take for a formula.

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
    written = {suffix: known.write for suffix, known in TABLES.items() if known.write}
    write = written.get(path.suffix.lower())
    if write is None:
        raise DataError(f"{path} ends in {path.suffix or 'no suffix'!r}; tables are written as {', '.join(written)}")
    if safe and path.suffix.lower() != ".csv":
        raise SettingError(
            f"only CSV can be made safe for spreadsheets, got {path}; write a .csv file, or leave it out"
        )
    if path.is_dir():
        raise DataError(f"{path} is a directory; pass the path of a file")
    if not path.parent.is_dir():
        raise DataError(f"{path.parent} is not a directory, so {path.name} cannot be written there")
    with atomic_file(path) as temporary:
        with contextlib.closing(TableWriter(path, begin=partial(write, temporary), safe=safe)) as writer:
            yield writer
        if writer.empty:
            raise DataError(f"{path} is not written, because there were no rows for it")
