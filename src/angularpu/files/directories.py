"""Directories that appear, and are replaced, whole.

A directory is replaced in one step where the system can exchange two names: ``renameat2`` on Linux, ``renamex_np`` on
macOS, on most file systems of both. Elsewhere the old one is first renamed to ``.<name>.old~``. There
:func:`~angularpu.files.read_directory` finds it, and the next writer brings it back if the process was killed at that
moment. Whoever holds the lock ``.<name>.lock~`` is the only one to rename anything here.
"""

import contextlib
import ctypes
import errno
import os
import shutil
import sys
from collections.abc import Iterator
from pathlib import Path

from angularpu.errors import BusyError
from angularpu.files.locking import lock
from angularpu.files.single import named_failures, sync, unfinished

_NO_EXCHANGE = (errno.ENOSYS, errno.EINVAL, errno.ENOTSUP, errno.EOPNOTSUPP)
_EXCHANGE = 2  # RENAME_EXCHANGE on Linux, RENAME_SWAP on macOS
_HERE = -100  # AT_FDCWD: paths start from the current directory


@contextlib.contextmanager
def atomic_directory(path: Path) -> Iterator[Path]:
    """Hand out an empty directory that becomes ``path``, replacing what stood there, when the block ends well.

    Of several processes that write the same directory one waits for the other.
    """
    temporary = unfinished(path)
    with lock_of(path):
        _tidy(path)
        temporary.mkdir()
        try:
            with named_failures(path):
                yield temporary
                _replace(temporary, path)
        finally:
            _delete(temporary)


def move(source: Path, target: Path) -> None:
    """Give a finished file or directory its final name; what stood there is replaced in one step, and removed."""
    if not source.is_dir() and not target.is_dir():
        source.replace(target)
        return
    with lock_of(target):
        _tidy(target)
        _replace(source, target)
        _delete(source)


def remove(path: Path) -> None:
    """Remove a file or directory, if there is one, so that no reader ever meets a half-removed directory."""
    if path.is_dir() and not path.is_symlink():
        doomed = _doomed(path)
        _delete(doomed)
        path.rename(doomed)
        path = doomed
    _delete(path)


def sweep(path: Path) -> None:
    """Clear up what a process killed while writing, replacing or removing ``path`` left beside it.

    What a process that is still at work has there is left alone.
    """
    _delete(_doomed(path))
    if any(os.path.lexists(left) for left in (unfinished(path), aside(path), _lock_file(path))):
        with contextlib.suppress(BusyError), lock_of(path, busy=str(path)):
            _tidy(path)


def lock_of(path: Path, *, busy: str | None = None) -> contextlib.AbstractContextManager[None]:
    """Lock a directory for replacing it or a file in it; reading needs no lock."""
    return lock(_lock_file(path), busy=busy)


def aside(path: Path) -> Path:
    """Return where the old directory lies for a moment while it is replaced without an exchange."""
    return path.with_name(f".{path.name}.old~")


def exchange(first: Path, second: Path) -> bool:
    """Swap the names of two files or directories in one step; return False where system or file system cannot."""
    system, (a, b) = ctypes.CDLL(None, use_errno=True), map(os.fsencode, (first, second))
    try:
        if sys.platform == "darwin":
            failed = system.renamex_np(a, b, _EXCHANGE)
        else:
            failed = system.renameat2(_HERE, a, _HERE, b, _EXCHANGE)
    except AttributeError:  # a system older than the call
        return False
    number = ctypes.get_errno() if failed else 0
    if number and number not in _NO_EXCHANGE:
        raise OSError(number, os.strerror(number), str(second))
    return not failed


def _replace(source: Path, target: Path) -> None:
    """Put a directory in the place of another; what stood there is then under the name ``source``, or gone."""
    for folder, _, names in os.walk(source):
        for name in names:
            sync(Path(folder, name))
        sync(Path(folder))
    if not os.path.lexists(target):
        source.rename(target)
    elif not exchange(source, target):
        target.rename(aside(target))
        source.rename(target)
    sync(source.parent)
    sync(target.parent)  # the new one is on disk before the old one is deleted
    _delete(aside(target))


def _tidy(path: Path) -> None:
    """Bring back or remove what an earlier holder of the lock was killed over."""
    if os.path.lexists(aside(path)) and not os.path.lexists(path):
        aside(path).rename(path)
    _delete(aside(path))
    _delete(unfinished(path))


def _delete(path: Path) -> None:
    if path.is_dir() and not path.is_symlink():
        shutil.rmtree(path, ignore_errors=True)  # another process may be sweeping it too
    else:
        path.unlink(missing_ok=True)


def _lock_file(path: Path) -> Path:
    return path.with_name(f".{path.name}.lock~")


def _doomed(path: Path) -> Path:
    return path.with_name(f".{path.name}.removed~")
