"""A directory of Parquet files to be scored: its files, their columns, and which of them are done."""

import hashlib
import json
import os
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq

from angularpu.data.columns import value_kind
from angularpu.data.io.reading import reading
from angularpu.errors import DataError, list_names

SUFFIX = ".parquet"
MARK = b"angularpu_scores"  # the key, in a file of scores, of what it was made of
_ENDING = 8  # bytes: how long the footer is, and four letters


@dataclass(frozen=True)
class Partition:
    """One file of a directory.

    Attributes
    ----------
    data, out : Path
        The rows and their scores.
    rows : int
        How many there are, which may be none.
    footer : str
        A checksum of the file's footer.
    mark : str
        What the scores are made of: model, columns that are kept, and file. Equal marks mean equal scores.
    """

    data: Path
    out: Path
    rows: int
    footer: str
    mark: str

    def is_done(self) -> bool:
        """Tell whether the scores are there, and were made of the same."""
        return read_mark(self.out) == self.mark


def list_partitions(data: Path, *, out: Path, ids: Sequence[str], digest: str) -> list[Partition]:
    """Find the files of a directory, all of which must have the same columns.

    Parameters
    ----------
    data : Path
        A directory of .parquet files. Names that begin with a dot or an underscore are left out, as elsewhere.
    out : Path
        Where the scores go, under the same names.
    ids : sequence of str
        Columns to keep in front of the scores.
    digest : str
        Of the model.
    """
    paths = list_files(data)
    strange = [path.name for path in paths if path.suffix.lower() != SUFFIX or not path.is_file()]
    if strange:
        raise DataError(f"{data} holds {list_names(strange)}; a directory that is scored has {SUFFIX} files alone")
    if not paths:
        raise DataError(f"{data} has no {SUFFIX} files; pass a file, or a directory of {SUFFIX} files")
    first, found = _read_schema(paths[0])[0], []
    for path in paths:
        schema, rows = _read_schema(path)
        _compare(path, schema, other=paths[0], expected=first)
        footer = read_footer_digest(path)
        mark = json.dumps({"model": digest, "ids": list(ids), "data": footer})
        found.append(Partition(path.absolute(), (out / path.name).absolute(), rows, footer, mark))
    absent = [name for name in ids if name not in first.names]
    if absent:
        raise DataError(f"{paths[0]} has no column {list_names(absent)}; it has {list_names(first.names)}")
    return found


def list_files(directory: Path) -> list[Path]:
    """Return what is in a directory, in the order of the names, but for what is hidden."""
    return sorted(path for path in directory.iterdir() if not path.name.startswith((".", "_")))


def read_mark(path: Path) -> str | None:
    """Return what a file of scores says it was made of; None where there is no file, or no such file."""
    try:
        metadata = pq.read_schema(path).metadata or {}
    except (OSError, pa.ArrowException):
        return None
    mark: bytes = metadata.get(MARK, b"")
    return mark.decode("utf-8", "replace") or None


def read_footer_digest(path: Path) -> str:
    """Return a checksum of a Parquet file's size and footer, which has the sizes and ranges of all its columns."""
    with reading(path, "Parquet"), path.open("rb") as file:
        size = file.seek(0, os.SEEK_END)
        file.seek(-_ENDING, os.SEEK_END)
        length = int.from_bytes(file.read(4), "little")
        file.seek(-_ENDING - length, os.SEEK_END)
        return hashlib.sha256(b"%d " % size + file.read(length)).hexdigest()


def _read_schema(path: Path) -> tuple[pa.Schema, int]:
    with reading(path, "Parquet"), pq.ParquetFile(path) as file:
        return file.schema_arrow, file.metadata.num_rows


def _compare(path: Path, schema: pa.Schema, *, other: Path, expected: pa.Schema) -> None:
    """Refuse a file with a column more, a column less, or one of another kind than the first file has."""
    same = "all files of a directory need the same columns"
    for lacking, having, names in (
        (path, other, set(expected.names) - set(schema.names)),
        (other, path, set(schema.names) - set(expected.names)),
    ):
        if names:
            raise DataError(f"{lacking} has no column {list_names(sorted(names))}, which {having.name} has; {same}")
    for field in expected:
        came = schema.field(field.name).type
        empty = pa.types.is_null(came) or pa.types.is_null(field.type)  # of which nothing is known
        if not empty and value_kind(came) != value_kind(field.type):
            raise DataError(
                f"column {field.name!r} of {path} is of type {came}, but of {field.type} in {other.name}; {same}"
            )
