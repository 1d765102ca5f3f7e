"""Reading a directory that may be replaced meanwhile."""

import errno
import io
import os
import stat
from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

from angularpu.files.directories import aside
from angularpu.files.locking import is_at

T = TypeVar("T")
ATTEMPTS = 100  # how often a directory is read that is replaced again and again
LOOKS = 10  # how often it is looked for when it is not there


class HeldDirectory:
    """A directory whose files are opened by name, whatever has been put in its place meanwhile."""

    def __init__(self, descriptor: int) -> None:
        self._descriptor = descriptor

    def open(self, name: str) -> io.BufferedReader:
        """Open one of its files for reading; a symbolic link, which may lead anywhere, is no file of it.

        Raises
        ------
        OSError
            ELOOP for a symbolic link, EINVAL for a pipe or a device, which might never end.
        """
        # Without O_NONBLOCK, opening a pipe waits for somebody to write into it.
        descriptor = os.open(name, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK, dir_fd=self._descriptor)
        if stat.S_ISREG(os.fstat(descriptor).st_mode):
            return os.fdopen(descriptor, "rb")
        os.close(descriptor)
        raise OSError(errno.EINVAL, "is no regular file", name)


def read_directory(path: Path, read: Callable[[HeldDirectory], T]) -> T:
    """Read the files of one directory, never some of the old one and some of the one that replaces it.

    Parameters
    ----------
    path : Path
    read : callable
        Called with the directory; when it fails and the directory was replaced meanwhile, called again.

    Raises
    ------
    FileNotFoundError, NotADirectoryError
        When there is no such directory.
    """
    failure: Exception = FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT), str(path))
    missed = 0
    for place in [path, aside(path)] * ATTEMPTS:
        try:
            held = os.open(place, os.O_RDONLY | os.O_DIRECTORY)
        except FileNotFoundError:
            missed += 1
            if missed == LOOKS:
                break
            continue
        missed = 0
        try:
            return read(HeldDirectory(held))
        except Exception as error:
            if place == path and is_at(path, held):
                raise
            failure = error
        finally:
            os.close(held)
    raise failure
