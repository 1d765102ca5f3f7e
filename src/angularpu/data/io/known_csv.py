"""A CSV file read in one pass, for a model that knows which of its columns are numbers."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import pyarrow as pa
import pyarrow.csv as pacsv

from angularpu.data.columns import MISSING, blank_missing
from angularpu.data.io.csv_file import BLOCK, open_csv, read_header
from angularpu.data.io.reading import choose_columns, reading, refuse_table
from angularpu.data.rows import spans


@dataclass(frozen=True)
class KnownCsv:
    """A CSV file of plain ASCII without quotes below its header, so that a line is a row.

    Cells are read as :class:`~angularpu.data.io.csv_file.CsvFile` reads them, which takes two passes, one to find the
    types. Where a cell is no number after all, it reads the rest and says what is wrong.

    Attributes
    ----------
    path : Path
    header : tuple of str
        The names as they stand in the file.
    lines : int
        How many lines follow the header.
    text : tuple of str
        Columns that are read as text; the others are numbers.
    """

    path: Path
    header: tuple[str, ...]
    lines: int
    text: tuple[str, ...]

    @property
    def columns(self) -> tuple[str, ...]:
        """The names of the columns, without blanks around them."""
        return tuple(name.strip() for name in self.header)

    def count_rows(self) -> int:
        """Return the number of lines below the header; an empty line is no row."""
        return self.lines

    def read(self, columns: Sequence[str] | None = None) -> pa.Table:
        """Return the named columns, or all, as one table."""
        return pa.concat_tables(self.batches(self.lines, columns))

    def batches(self, n: int, columns: Sequence[str] | None = None) -> Iterator[pa.Table]:
        """Walk through the file, at most ``n`` rows at a time, holding no more than a few megabytes of text."""
        names = choose_columns(self.path, self.columns, wanted=columns)
        done = 0
        with reading(self.path, "CSV"):
            for table in self._stream(names):
                if table is None:
                    yield from _skip(open_csv(self.path, text=self.text).batches(n, names), done)
                    return
                for span in spans(table.num_rows, n):
                    yield table.slice(span.start, span.stop - span.start)
                done += table.num_rows
        if done == 0:
            refuse_table(self.path, self.columns, rows=0)

    def _stream(self, names: Sequence[str]) -> Iterator[pa.Table | None]:
        """Walk through the file a block at a time; None ends it where a cell or a line is not as it should be."""
        raw = dict(zip(self.columns, self.header, strict=True))
        types = {raw[name]: pa.string() if name in self.text else pa.float64() for name in names}
        try:
            with pacsv.open_csv(
                self.path,
                read_options=pacsv.ReadOptions(block_size=BLOCK, use_threads=False),
                convert_options=pacsv.ConvertOptions(
                    include_columns=list(types), column_types=types, null_values=list(MISSING)
                ),
            ) as reader:
                for batch in reader:
                    cells = [blank_missing(c) if c.type == pa.string() else c for c in batch.columns]
                    yield pa.table(cells, names=names)
        except pa.ArrowInvalid:
            yield None


def open_known_csv(path: Path, *, text: Sequence[str]) -> KnownCsv | None:
    """Open a CSV file whose columns are numbers but for those named; None where it has to be read with more care.

    Parameters
    ----------
    path : Path
    text : sequence of str
        Columns that are read as text.
    """
    with reading(path, "CSV"):
        header = read_header(path)
        refuse_table(path, [name.strip() for name in header], rows=1)
        lines = _count_plain_lines(path)
    return None if lines is None or lines < 2 else KnownCsv(path, tuple(header), lines - 1, tuple(text))


def _count_plain_lines(path: Path) -> int | None:
    """Return how many lines a file has; None where it holds anything beyond ASCII, or a quote below the header."""
    last = b"\n"
    with path.open("rb") as file:
        header = file.readline(BLOCK)
        if not header.isascii() or header.count(b'"') % 2:
            return None
        lines = 1
        while block := file.read(BLOCK):
            if not block.isascii() or b'"' in block:
                return None
            lines += block.count(b"\n")
            last = block[-1:]
    return lines + (last != b"\n")


def _skip(tables: Iterator[pa.Table], rows: int) -> Iterator[pa.Table]:
    """Leave out the first rows."""
    for table in tables:
        skipped = min(rows, table.num_rows)
        rows -= skipped
        if skipped < table.num_rows:
            yield table.slice(skipped)
            break
    yield from tables
