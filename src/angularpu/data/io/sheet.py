"""A small CSV that people fill in, as a spreadsheet may have saved it."""

import csv
import io
import math
from collections.abc import Mapping, Sequence
from pathlib import Path

from angularpu.errors import DataError, list_names, quote

SEPARATORS = ",;\t"


def read_sheet(path: Path, *, needed: Sequence[str]) -> list[Mapping[str, str]]:
    """Return the lines of a sheet by the names of its columns, in small letters; empty lines are left out.

    Commas, semicolons or tabs, a mark of UTF-8 in front, other line ends and a changed order of columns are all right.

    Parameters
    ----------
    path : Path
    needed : sequence of str
        Columns that must be there.
    """
    # Letters that are not UTF-8 can only stand in the data's own columns, which are not read.
    text = path.read_bytes().decode("utf-8-sig", errors="replace")
    first = text.partition("\n")[0]
    separator = max(SEPARATORS, key=first.count)
    try:
        reader = csv.DictReader(io.StringIO(text, newline=""), delimiter=separator, restval="")
        names = [str(name).strip().lower() for name in reader.fieldnames or ()]
        lines = [dict(zip(names, (line[name] for name in reader.fieldnames or ()), strict=True)) for line in reader]
    except csv.Error as error:
        raise DataError(f"{path} cannot be read as CSV: {error}; save it as CSV again") from None
    absent = [name for name in needed if name not in names]
    if absent:
        raise DataError(
            f"{path} has no column {list_names(absent)}; leave the columns {' and '.join(needed)} as they were"
        )
    return [line for line in lines if any(line[name].strip() for name in needed)]


def read_row(text: str, path: Path) -> int:
    """Return the row number that a spreadsheet may have written as 7, 7.0 or '7.

    >>> read_row("7,0", Path("sheet.csv"))
    7
    """
    number = read_number(text)
    if number != number or number != int(number):
        raise DataError(f"{path} has the row number {quote(text)}, which is none; leave the column row as it was")
    return int(number)


def read_number(text: str) -> float:
    """Return a number with a decimal point or comma; NaN for anything else."""
    try:
        number = float(text.strip().lstrip("'").replace(",", "."))
    except ValueError:
        return math.nan
    return number if math.isfinite(number) else math.nan
