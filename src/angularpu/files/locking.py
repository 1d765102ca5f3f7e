"""One process at a time."""

import contextlib
import fcntl
import os
import platform
import time
from collections.abc import Iterator
from pathlib import Path

from angularpu.errors import BusyError

ATTEMPTS = 10_000  # how often a lock file is opened that others remove again and again
SIGNATURE = "process "
LONGEST_SIGNATURE = 1000


@contextlib.contextmanager
def lock(path: Path, *, busy: str | None = None) -> Iterator[None]:
    """Let one process at a time run the block; the system itself ends the lock when a process dies.

    Where no lock can be had (a read-only folder, a file system without locks), the block runs without one.

    Parameters
    ----------
    path : Path
        The lock file. It and its folder are made if absent; the file is removed at the end.
    busy : str, optional
        What to say when another process holds the lock: "another fit into model is running". Without it, wait.

    Raises
    ------
    BusyError
        With ``busy``, and who holds the lock since when.
    """
    held = _take(path, busy=busy)
    try:
        yield
    finally:
        if held is not None:
            try:
                # The block may have moved it away, and another process have made a new one. One that cannot be removed
                # is harmless, and no reason to call what was done a failure.
                with contextlib.suppress(OSError):
                    if is_at(path, held):
                        path.unlink()
            finally:
                os.close(held)  # or the next one to ask for the lock, in this process too, would wait for ever


def is_at(path: Path, descriptor: int) -> bool:
    """Tell whether an open file or directory is the one that has this name now."""
    try:
        return os.path.samestat(path.stat(), os.fstat(descriptor))
    except FileNotFoundError:
        return False


def _take(path: Path, *, busy: str | None) -> int | None:
    """Return a descriptor of the locked file, or None where nothing can be locked."""
    for _ in range(ATTEMPTS):
        try:
            file = _open(path)
        except OSError:
            return None
        if file is None:
            continue
        try:
            fcntl.flock(file, fcntl.LOCK_EX if busy is None else fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            holder = os.pread(file, LONGEST_SIGNATURE, 0).decode("utf-8", "replace")
            os.close(file)
            who = holder if holder.startswith(SIGNATURE) else "another process"
            raise BusyError(f"{busy} ({who}); wait for it to end, or choose another place") from None
        except OSError:
            os.close(file)
            return None
        if is_at(path, file):
            _sign(file)
            return file
        os.close(file)  # its last holder has removed it; what counts is the file that others will find
    return None  # a folder that cannot be made, such as a link that leads nowhere


def _open(path: Path) -> int | None:
    """Open or make a lock file; return None when another process has moved its folder away just now."""
    with contextlib.suppress(FileExistsError):
        path.parent.mkdir(parents=True)
    try:
        return os.open(path, os.O_RDWR | os.O_CREAT, 0o666)
    except FileNotFoundError:
        return None


def _sign(file: int) -> None:
    """Write into a lock file who holds it."""
    since = time.strftime("%Y-%m-%d %H:%M:%S")
    with contextlib.suppress(OSError):
        os.truncate(file, 0)
        os.pwrite(file, f"{SIGNATURE}{os.getpid()} on {platform.node()} since {since}".encode(), 0)
