"""A directory of Parquet files to be scored: its files, their columns, and which of them are done."""

import hashlib
import json
import os
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq

from angularpu.data.io.parquet_directory import open_parts, refuse_absent
from angularpu.data.io.reading import reading

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
    parts, found = open_parts(data), []
    refuse_absent(parts, ids)
    for part in parts:
        footer = read_footer_digest(part.path)
        mark = json.dumps({"model": digest, "ids": list(ids), "data": footer})
        found.append(Partition(part.path.absolute(), (out / part.path.name).absolute(), part.rows, footer, mark))
    return found


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
