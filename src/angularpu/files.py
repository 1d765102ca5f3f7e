"""Files and directories that are either finished or absent: the only place that renames.

A name without a trailing ``~`` is finished. What a killed process left under a ``~`` name is overwritten by the next.
"""

import contextlib
import hashlib
import json
import os
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any


def unfinished(path: Path) -> Path:
    """Return the name under which ``path`` is written until it is complete.

    >>> unfinished(Path("out/scores.csv")).name
    '.scores.csv~'
    """
    return path.with_name(f".{path.name}~")


@contextlib.contextmanager
def atomic_file(path: Path) -> Iterator[Path]:
    """Hand out a temporary path that becomes ``path`` when the block ends well, and vanishes when it does not."""
    temporary = unfinished(path)
    try:
        yield temporary
        _sync(temporary)
        temporary.replace(path)
    finally:
        temporary.unlink(missing_ok=True)


@contextlib.contextmanager
def atomic_directory(path: Path) -> Iterator[Path]:
    """Hand out an empty directory that becomes ``path``, replacing what stood there, when the block ends well."""
    temporary = unfinished(path)
    remove(temporary)
    temporary.mkdir()
    try:
        yield temporary
        for file in temporary.iterdir():
            _sync(file)
        move(temporary, path)
    finally:
        remove(temporary)


def remove(path: Path) -> None:
    """Remove a file or directory, if there is one, so that no reader ever meets a half-removed directory."""
    if path.is_dir() and not path.is_symlink():
        doomed = _doomed(path)
        shutil.rmtree(doomed, ignore_errors=True)
        path.rename(doomed)
        shutil.rmtree(doomed)
    else:
        path.unlink(missing_ok=True)


def sweep(path: Path) -> None:
    """Remove what a process killed while writing or removing ``path`` may have left beside it."""
    shutil.rmtree(_doomed(path), ignore_errors=True)
    remove(unfinished(path))


def move(source: Path, target: Path) -> None:
    """Give a finished file or directory its final name, replacing what stood there."""
    remove(target)
    source.rename(target)


def write_json(path: Path, content: Any) -> None:
    """Write JSON whose bytes depend on ``content`` alone."""
    with atomic_file(path) as temporary:
        temporary.write_text(json.dumps(content, indent=1, sort_keys=True, ensure_ascii=False) + "\n", encoding="utf-8")


def sha256(path: Path) -> str:
    """Return the checksum of a file's content.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     _ = (Path(folder) / "a").write_bytes(b"abc")
    ...     sha256(Path(folder) / "a")[:8]
    'ba7816bf'
    """
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def _doomed(path: Path) -> Path:
    return path.with_name(f".{path.name}.removed~")


def _sync(path: Path) -> None:
    with path.open("rb") as file:
        os.fsync(file.fileno())
