"""A file that appears under its name only when it is complete."""

import contextlib
import hashlib
import json
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from angularpu.files.json_text import parse_json
from angularpu.files.locking import lock


def unfinished(path: Path) -> Path:
    """Return the name under which ``path`` is written until it is complete.

    >>> unfinished(Path("out/scores.csv")).name
    '.scores.csv~'
    """
    return path.with_name(f".{path.name}~")


@contextlib.contextmanager
def atomic_file(path: Path) -> Iterator[Path]:
    """Hand out a temporary path that becomes ``path`` when the block ends well, and vanishes when it does not.

    Raises
    ------
    BusyError
        When another process is writing the same file.
    """
    temporary = unfinished(path)
    with lock(temporary, busy=f"{path} is being written"):  # or two processes would write into one file
        try:
            with named_failures(path):
                yield temporary
                sync(temporary)
                temporary.replace(path)
        except BaseException:
            temporary.unlink(missing_ok=True)
            raise


def dump_json(content: Any) -> bytes:
    """Return JSON whose bytes depend on ``content`` alone."""
    return (json.dumps(content, indent=1, sort_keys=True, ensure_ascii=False) + "\n").encode("utf-8")


@contextlib.contextmanager
def named_failures(path: Path) -> Iterator[None]:
    """Give a failure of the system that names no file, such as a full disk, the name of what was being written."""
    try:
        yield
    except OSError as error:
        if error.filename is None and error.errno is not None:
            error.filename = str(path)
        raise


def write_json(path: Path, content: Any) -> None:
    """Write JSON whose bytes depend on ``content`` alone."""
    with atomic_file(path) as temporary:
        temporary.write_bytes(dump_json(content))


def read_json(path: Path) -> Any:
    """Read JSON; whatever is wrong with it, as :func:`~angularpu.files.json_text.parse_json` says, is a ValueError."""
    return parse_json(path.read_bytes())


def sync(path: Path) -> None:
    """Wait until a file, or a directory's list of names, is on disk."""
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


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
