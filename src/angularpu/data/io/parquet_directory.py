"""A directory of Parquet files: which files it has, and that all have the same columns."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import pyarrow as pa

from angularpu.data.columns import value_kind
from angularpu.data.io.parquet_file import read_outline
from angularpu.data.io.reading import refuse_table
from angularpu.errors import DataError, list_names

SUFFIX = ".parquet"


@dataclass(frozen=True)
class ParquetPart:
    """One Parquet file as its footer describes it.

    Attributes
    ----------
    path : Path
    schema : pyarrow.Schema
        Its columns, without the unnamed index that pandas may have stored beside them.
    groups : tuple of int
        How many rows each row group has; none for a file without rows.
    """

    path: Path
    schema: pa.Schema
    groups: tuple[int, ...]

    @property
    def rows(self) -> int:
        """How many rows the file has."""
        return sum(self.groups)


def open_part(path: Path) -> ParquetPart:
    """Read the footer of a Parquet file, which may be without rows but not without columns."""
    schema, groups = read_outline(path)
    refuse_table(path, schema.names, rows=1)
    return ParquetPart(path, schema, groups)


def open_parts(directory: Path) -> list[ParquetPart]:
    """Read the footers of a directory's files, in the order of their names; refuse those with other columns.

    Parameters
    ----------
    directory : Path
        Has .parquet files alone. Names that begin with a dot or an underscore are left out, as elsewhere.
    """
    paths = list_files(directory)
    strange = [path.name for path in paths if path.suffix.lower() != SUFFIX or not path.is_file()]
    if strange:
        raise DataError(f"{directory} holds {list_names(strange)}; a directory of rows has {SUFFIX} files alone")
    if not paths:
        raise DataError(f"{directory} has no {SUFFIX} files; pass a file, or a directory of {SUFFIX} files")
    parts = [open_part(path) for path in paths]
    for part in parts[1:]:
        _compare(part, parts[0])
    return parts


def list_files(directory: Path) -> list[Path]:
    """Return what is in a directory, in the order of the names, but for what is hidden."""
    return sorted(path for path in directory.iterdir() if not path.name.startswith((".", "_")))


def refuse_absent(parts: Sequence[ParquetPart], names: Sequence[str]) -> None:
    """Raise when the files, which have the same columns, lack one of these."""
    known = parts[0].schema.names
    absent = [name for name in names if name not in known]
    if absent:
        raise DataError(f"{parts[0].path} has no column {list_names(absent)}; it has {list_names(known)}")


def _compare(part: ParquetPart, first: ParquetPart) -> None:
    """Refuse a file with a column more, a column less, or one of another kind than the first file has."""
    same = "all files of a directory need the same columns"
    names, expected = set(part.schema.names), set(first.schema.names)
    for lacking, having, absent in ((part, first, expected - names), (first, part, names - expected)):
        if absent:
            raise DataError(
                f"{lacking.path} has no column {list_names(sorted(absent))}, which {having.path.name} has; {same}"
            )
    for field in first.schema:
        came = part.schema.field(field.name).type
        empty = pa.types.is_null(came) or pa.types.is_null(field.type)  # of which nothing is known
        if not empty and value_kind(came) != value_kind(field.type):
            raise DataError(
                f"column {field.name!r} of {part.path} is of type {came}, but of {field.type} in {first.path.name}; "
                f"{same}"
            )
