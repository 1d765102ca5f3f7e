"""NumPy's files: an array mapped from disk, or an archive of arrays; nothing is ever unpickled."""

import contextlib
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from angularpu.data.io.reading import reading


class ArrayArchive(Mapping[str, NDArray[Any]]):
    """The arrays of an ``.npz`` file by name, each read when it is asked for."""

    def __init__(self, path: Path) -> None:
        self.path = path
        with self._open() as archive:
            self._names = tuple(archive.files)

    def __getitem__(self, name: str) -> NDArray[Any]:
        if name not in self._names:
            raise KeyError(name)
        with self._open() as archive:
            array = archive[name]
            if not isinstance(array, np.ndarray):
                raise ValueError(f"{name!r} is no array")
            return array

    @contextlib.contextmanager
    def _open(self) -> Iterator[Any]:
        # The file is opened here because NumPy leaves it open when it turns out to be damaged.
        with reading(self.path, "an .npz archive"), self.path.open("rb") as file:
            archive = np.load(file, allow_pickle=False)
            if isinstance(archive, np.ndarray):
                raise ValueError("it is a single array; call the file .npy")
            with archive:
                yield archive

    def __iter__(self) -> Iterator[str]:
        return iter(self._names)

    def __len__(self) -> int:
        return len(self._names)


def open_array(path: Path) -> NDArray[Any]:
    """Open a ``.npy`` file as a memory map."""
    with reading(path, "an .npy array"):
        return np.lib.format.open_memmap(path, mode="r")
