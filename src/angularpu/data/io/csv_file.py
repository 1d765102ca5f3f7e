"""Tables in CSV files, whose columns are typed by all of their cells."""

import contextlib
import csv
import io
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import pyarrow as pa
import pyarrow.csv as pacsv

from angularpu.data.columns import blank_missing, parses, value_kind
from angularpu.data.io.encodings import refuse_not_utf8, refuse_other_content
from angularpu.data.io.quotes import CountedFile, ends_in_quotes, refuse_stray_quote
from angularpu.data.io.reading import choose_columns, reading, refuse_table
from angularpu.data.rows import spans
from angularpu.errors import DataError, quote

MOST_COLUMNS = 50_000
BLOCK = 1 << 22  # bytes of text parsed at a time; no row may be longer
_TYPES = (pa.int64(), pa.float64(), pa.bool_(), pa.timestamp("us"), pa.timestamp("us", "UTC"))


@dataclass(frozen=True)
class CsvFile:
    """A CSV file with a header, commas, and double quotes around cells that need them.

    Attributes
    ----------
    path : Path
    header : tuple of str
        The names as they stand in the file.
    types : tuple of pyarrow.DataType
        The type of each column: what all of its cells that are not missing can be read as, text otherwise.
    rows : int
    """

    path: Path
    header: tuple[str, ...]
    types: tuple[pa.DataType, ...]
    rows: int

    @property
    def columns(self) -> tuple[str, ...]:
        """The names of the columns, without blanks around them."""
        return tuple(name.strip() for name in self.header)

    def count_rows(self) -> int:
        """Return the number of rows, counted when the columns were typed."""
        return self.rows

    def read(self, columns: Sequence[str] | None = None) -> pa.Table:
        """Return the named columns, or all, as one table."""
        return pa.concat_tables(self.batches(self.rows, columns))

    def batches(self, n: int, columns: Sequence[str] | None = None) -> Iterator[pa.Table]:
        """Walk through the file, at most ``n`` rows at a time, holding no more than a few megabytes of text."""
        names = choose_columns(self.path, self.columns, wanted=columns)
        place_of = {name: place for place, name in enumerate(self.columns)}
        places = [place_of[name] for name in names]
        with reading(self.path, "CSV"):
            for texts in _stream_text(self.path, [self.header[place] for place in places]):
                cells = [_convert(text, self.types[place]) for text, place in zip(texts, places, strict=True)]
                table = pa.table(cells, names=names)
                for span in spans(table.num_rows, n):
                    yield table.slice(span.start, span.stop - span.start)


def open_csv(path: Path, *, text: Collection[str] = ()) -> CsvFile:
    """Read a CSV file once, to count its rows and to find what every cell of each column can be read as.

    Parameters
    ----------
    path : Path
    text : collection of str
        Columns that stay text although all their cells may look like numbers, e.g. codes.
    """
    with reading(path, "CSV"):
        header = read_header(path)
        refuse_table(path, [name.strip() for name in header], rows=1)
        possible = [() if name.strip() in text else _TYPES for name in header]
        rows, empty = 0, [True] * len(header)
        for texts in _stream_checked(path, header):
            rows += len(texts[0])
            for place in [i for i, types in enumerate(possible) if types]:
                cells = blank_missing(texts[place])
                empty[place] &= cells.null_count == len(cells)
                possible[place] = tuple(type_ for type_ in possible[place] if parses(cells, type_))
    refuse_table(path, header, rows=rows)
    types = [
        pa.null() if types and blank else (*types, pa.string())[0] for types, blank in zip(possible, empty, strict=True)
    ]
    return CsvFile(path, tuple(header), tuple(types), rows)


class CsvWriter:
    """A CSV file to which tables of one schema are added; quotes stand only where they are needed."""

    def __init__(self, path: Path, schema: pa.Schema) -> None:
        for field in schema:
            if value_kind(field.type) is None and not pa.types.is_binary(field.type):
                raise DataError(
                    f"column {quote(field.name)} holds values of type {field.type}, which CSV cannot hold; "
                    "write a .parquet file"
                )
        header = io.StringIO()  # written here, because Arrow would put quotes around every name
        csv.writer(header, lineterminator="\n").writerow(schema.names)
        options = pacsv.WriteOptions(include_header=False, quoting_style="needed")
        self._file = path.open("wb")
        try:
            self._file.write(header.getvalue().encode())
            self._writer = pacsv.CSVWriter(self._file, schema, write_options=options)
        except BaseException:
            self._file.close()
            raise

    def write_table(self, table: pa.Table) -> None:
        """Add the rows of a table."""
        self._writer.write_table(table)

    def close(self) -> None:
        """Write what is still held back."""
        with self._file:
            self._writer.close()


def _convert(text: pa.Array, type_: pa.DataType) -> pa.Array:
    return pa.nulls(len(text)) if type_ == pa.null() else blank_missing(text).cast(type_)


def read_header(path: Path) -> list[str]:
    """Return the names of the columns as they stand in the file."""
    refuse_other_content(path)
    _refuse_many_columns(path)
    with _explained(path), _open(path) as reader:
        return list(reader.schema.names)


@contextlib.contextmanager
def _explained(path: Path) -> Iterator[None]:
    """Say what is wrong with a file where Arrow would call it something else."""
    try:
        yield
    except (pa.ArrowInvalid, UnicodeDecodeError):
        refuse_stray_quote(path)
        refuse_not_utf8(path)
        raise


def _refuse_many_columns(path: Path) -> None:
    """Raise before Arrow makes room for columns that no table has: it takes ten thousand bytes for each."""
    with path.open("rb") as file:
        columns = 1 + max((line.count(b",") for line in file.read(BLOCK).splitlines()), default=0)
    if columns > MOST_COLUMNS:
        raise DataError(
            f"{path} has {columns:,} columns, more than the {MOST_COLUMNS:,} that are read from CSV; "
            "save it as .parquet or .npy"
        )


def _stream_checked(path: Path, names: Sequence[str]) -> Iterator[list[pa.Array]]:
    """Walk through the file as text and raise, at its end at the latest, when a quote of it is never closed."""
    rows = 0
    with CountedFile(path) as file:
        with _explained(path):
            for texts in _stream_text(file, names):
                rows += len(texts[0])
                yield texts
        # As many lines as rows, and a header: no cell holds a line break, so only the last line can be at fault.
        if file.lines != rows + 1 or ends_in_quotes(path):
            refuse_stray_quote(path)


def _stream_text(file: Path | CountedFile, names: Sequence[str]) -> Iterator[list[pa.Array]]:
    """Walk through the named columns as text, a block of the file at a time."""
    texts = pacsv.ConvertOptions(include_columns=names, column_types=dict.fromkeys(names, pa.string()))
    with _open(file, texts) as reader:
        for batch in reader:
            yield batch.columns


def _open(file: Path | CountedFile, convert: pacsv.ConvertOptions | None = None) -> pacsv.CSVStreamingReader:
    return pacsv.open_csv(
        file,
        read_options=pacsv.ReadOptions(block_size=BLOCK, use_threads=False),  # with threads, errors name no row
        parse_options=pacsv.ParseOptions(newlines_in_values=True),
        convert_options=convert,
    )
