"""NumPy's files: an array read from disk as it is needed, or an archive of arrays; nothing is ever unpickled."""

import contextlib
import itertools
import math
import os
import sys
import warnings
import weakref
import zipfile
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any

import numpy as np
from numpy.typing import NDArray

from angularpu.data.io.memory import refuse_size
from angularpu.data.io.reading import reading
from angularpu.errors import DataError, quote

_HEADERS = {(1, 0): np.lib.format.read_array_header_1_0, (2, 0): np.lib.format.read_array_header_2_0}
_PACKED = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)  # as NumPy writes archives
_ENCRYPTED = 1
_WHOLE_BYTES = 2 * 2**30


@dataclass(frozen=True)
class Header:
    """What an array's first bytes say about it, checked: no Python objects, no size beyond all bounds."""

    shape: tuple[int, ...]
    dtype: np.dtype[Any]
    by_columns: bool
    start: int

    @property
    def end(self) -> int:
        """How many bytes the header and the values have."""
        return self.start + math.prod(self.shape) * self.dtype.itemsize


def read_header(file: IO[bytes]) -> Header:
    """Read the first bytes of an array; whatever is wrong with them is a ValueError, or what NumPy raises."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # NumPy warns about old headers, Python about odd literals in damaged ones
        version = np.lib.format.read_magic(file)
        if version not in _HEADERS:
            raise ValueError(f"format {version[0]}.{version[1]} is not one of plain numbers or text")
        shape, by_columns, dtype = _HEADERS[version](file)
    if dtype.hasobject:
        raise ValueError("it holds Python objects, which are never loaded; save numbers or text")
    if dtype.itemsize == 0 or any(not 0 <= length <= sys.maxsize for length in shape):
        raise ValueError(f"there is no array of shape {shape} and type {dtype}")
    return Header(shape, dtype, by_columns, file.tell())


class StoredArray:
    """An array in an ``.npy`` file, of which no more is read than is asked for.

    It is not mapped into memory: should the file be cut shorter meanwhile, that would end the process.

    Attributes
    ----------
    path : Path
    shape : tuple of int
    dtype : numpy.dtype
    """

    def __init__(self, path: Path) -> None:
        with reading(path, "an .npy array"), path.open("rb") as file:
            self._header = header = read_header(file)
            found = os.fstat(file.fileno()).st_size
            if found < header.end:
                raise ValueError(f"{header.end} bytes expected, {found} found")
            self._descriptor = os.dup(file.fileno())
        weakref.finalize(self, os.close, self._descriptor)
        self.path, self.shape, self.dtype, self.ndim = path, header.shape, header.dtype, len(header.shape)
        self._whole: NDArray[Any] | None = None

    def __len__(self) -> int:
        return self.shape[0] if self.shape else 0

    def __reduce__(self) -> tuple[type["StoredArray"], tuple[Path]]:
        """Travel to another process as a path, for an open file does not."""
        return StoredArray, (self.path.absolute(),)

    def __getitem__(self, rows: slice | NDArray[np.int64]) -> NDArray[Any]:
        """Read a run of rows, or the rows with these numbers in this order."""
        numbers = np.arange(*rows.indices(len(self))) if isinstance(rows, slice) else rows
        n = len(numbers)
        if n and not 0 <= numbers.min() <= numbers.max() < len(self):
            raise IndexError(f"{self.path} has {len(self)} rows")
        starts = [0, *(np.flatnonzero(np.diff(numbers) != 1) + 1).tolist()] if n else []
        if self._header.by_columns and len(starts) > 1 and self._header.end <= _WHOLE_BYTES:
            # The values of one row lie far apart: reading them row by row would take longer than reading them all.
            self._whole = self[:] if self._whole is None else self._whole
            return self._whole[numbers]
        block = np.empty((n, *self.shape[1:]), self.dtype)
        for start, stop in itertools.pairwise([*starts, n]):
            self._read_run(int(numbers[start]), block[start:stop])
        return block

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> NDArray[Any]:
        return np.asarray(self[:], dtype)

    def _read_run(self, start: int, block: NDArray[Any]) -> None:
        columns, size = math.prod(self.shape[1:]), self.dtype.itemsize
        if not self._header.by_columns:
            self._fill(block, self._header.start + start * columns * size)
            return
        turned = np.empty((columns, len(block)), self.dtype)
        for place, column in enumerate(turned):
            self._fill(column, self._header.start + (place * len(self) + start) * size)
        block[...] = turned.reshape(*self.shape[:0:-1], len(block)).T

    def _fill(self, block: NDArray[Any], place: int) -> None:
        left = block.reshape(-1).view(np.uint8).data
        while left:
            n = os.preadv(self._descriptor, [left], place)
            if n == 0:
                raise DataError(
                    f"{self.path} was cut shorter while it was read; write it again, then repeat the command"
                )
            left, place = left[n:], place + n


class ArrayArchive(Mapping[str, NDArray[Any]]):
    """The arrays of an ``.npz`` file by name, each read when it is asked for."""

    def __init__(self, path: Path) -> None:
        self.path = path
        with self._open() as archive:
            self._names = tuple(name.removesuffix(".npy") for name in archive.namelist())

    def __getitem__(self, name: str) -> NDArray[Any]:
        if name not in self._names:
            raise KeyError(name)
        with self._open() as archive:
            if f"{name}.npy" not in archive.namelist():
                raise ValueError(f"{quote(name)} is no array")
            entry = archive.getinfo(f"{name}.npy")
            if entry.compress_type not in _PACKED or entry.flag_bits & _ENCRYPTED:
                raise ValueError(f"{quote(name)} is encrypted, or compressed in another way than NumPy does")
            with archive.open(entry) as file:
                header = read_header(file)
            if entry.file_size != header.end:
                raise ValueError(f"{quote(name)} needs {header.end} bytes, but {entry.file_size} are there")
            refuse_size(f"{self.path}, array {quote(name)},", header.end, stored=entry.compress_size)
            with archive.open(entry) as file, warnings.catch_warnings():
                warnings.simplefilter("ignore")
                array: NDArray[Any] = np.lib.format.read_array(file, allow_pickle=False)
                return array

    @contextlib.contextmanager
    def _open(self) -> Iterator[zipfile.ZipFile]:
        with reading(self.path, "an .npz archive"), self.path.open("rb") as file:
            if file.read(6) == b"\x93NUMPY":
                raise ValueError("it is a single array; call the file .npy")
            with zipfile.ZipFile(file) as archive:
                yield archive

    def __iter__(self) -> Iterator[str]:
        return iter(self._names)

    def __len__(self) -> int:
        return len(self._names)
