"""Files that can be read, or one sentence saying why not."""

import contextlib
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path

from angularpu.checks import suggest_near
from angularpu.errors import AngularPUError, DataError, list_names


def refuse_path(path: Path, suffixes: Sequence[str]) -> None:
    """Raise unless ``path`` is a file with one of these suffixes."""
    if path.is_dir():
        raise DataError(f"{path} is a directory; pass a file ({', '.join(suffixes)})")
    if path.suffix.lower() not in suffixes:
        raise DataError(
            f"{path} ends in {path.suffix or 'no suffix'!r}, which cannot be read; use {', '.join(suffixes)}"
        )
    if not path.exists():
        raise DataError(f"{path} does not exist; check the path")
    if not path.is_file():
        raise DataError(f"{path} is a pipe or a device; write its content to a file first")


@contextlib.contextmanager
def reading(path: Path, form: str) -> Iterator[None]:
    """Turn whatever a reader raises on a damaged file into one sentence with its path."""
    try:
        yield
    except AngularPUError:
        raise
    except Exception as error:  # a damaged file can make a library raise anything at all
        reason = " ".join(str(error).split("\n")[0].split())
        raise DataError(f"{path} cannot be read as {form}: {reason.rstrip('.') or type(error).__name__}") from error


def refuse_table(path: Path, columns: Sequence[str], *, rows: int) -> None:
    """Raise when a table has no rows, no columns, or two columns of one name."""
    twice = find_duplicates(columns)
    if twice:
        raise DataError(f"{path} has several columns named {list_names(twice)}; rename them")
    if not columns or rows == 0:
        raise DataError(f"{path} has no {'rows' if columns else 'columns'}; nothing can be learned or scored from it")


def find_duplicates(names: Sequence[str]) -> list[str]:
    """Return the names that come more than once.

    >>> find_duplicates(["a", "b", "a"])
    ['a']
    """
    return sorted(name for name, count in Counter(names).items() if count > 1)


def choose_columns(path: Path, columns: Sequence[str], *, wanted: Sequence[str] | None) -> list[str]:
    """Return the wanted columns, all when none are named, or say which of them the file lacks."""
    known = set(columns)
    absent = [name for name in wanted or () if name not in known]
    if absent:
        near = suggest_near(absent[0], columns) or f"it has {list_names(columns)}"
        raise DataError(f"{path} has no column {list_names(absent)}; {near}")
    return list(columns if wanted is None else wanted)
