"""MNIST and Fashion-MNIST, in their IDX files."""

import math
import struct
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from angularpu.data.io.reading import reading
from angularpu.errors import DataError
from angularpu_bench.catalogue.compressed import read_gzip
from angularpu_bench.catalogue.dataset import Parts
from angularpu_bench.catalogue.entry import Entry, find_files

_DTYPES = {0x08: ">u1", 0x09: ">i1", 0x0B: ">i2", 0x0C: ">i4", 0x0D: ">f4", 0x0E: ">f8"}


def read_idx(path: Path) -> NDArray[Any]:
    """Read the array of an IDX file, with or without gzip.

    The file starts with two zero bytes, a code for the dtype, the number of dimensions, and the length of each as a
    big-endian 32-bit number; the values follow.

    Examples
    --------
    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = Path(folder) / "labels-idx1-ubyte"
    ...     _ = path.write_bytes(bytes([0, 0, 8, 1, 0, 0, 0, 3, 7, 8, 9]))
    ...     read_idx(path).tolist()
    [7, 8, 9]
    """
    path = Path(path)
    if not path.is_file():
        raise DataError(f"{path} does not exist; check the path")
    with reading(path, "IDX"):
        content = read_gzip(path) if path.suffix == ".gz" else path.read_bytes()
    if len(content) < 4 or content[:2] != b"\0\0" or content[2] not in _DTYPES:
        raise DataError(f"{path} is not an IDX file: its first bytes are {content[:4].hex(' ')}")
    dtype, dimensions = np.dtype(_DTYPES[content[2]]), content[3]
    start = 4 + 4 * dimensions
    shape = struct.unpack(f">{dimensions}I", content[4:start]) if len(content) >= start else ()
    expected = start + math.prod(shape) * dtype.itemsize
    if len(shape) != dimensions or len(content) != expected:
        raise DataError(f"{path} is damaged: {expected} bytes expected for shape {shape}, {len(content)} found")
    return np.frombuffer(content, dtype, offset=start).reshape(shape).astype(dtype.newbyteorder("="))


def load_fashion_mnist(
    directory: Path,
) -> tuple[NDArray[np.uint8], NDArray[np.uint8], NDArray[np.uint8], NDArray[np.uint8]]:
    """Load Fashion-MNIST, or MNIST, from its four files.

    Parameters
    ----------
    directory : Path
        Holds ``train-images-idx3-ubyte`` and its three companions, with or without ``.gz``.

    Returns
    -------
    x_train, y_train, x_test, y_test
        Images (n, 1, 28, 28) and classes (n,), all uint8.
    """
    arrays = []
    for part in ("train", "t10k"):
        x = _read_either(Path(directory) / f"{part}-images-idx3-ubyte")
        y = _read_either(Path(directory) / f"{part}-labels-idx1-ubyte")
        if x.ndim != 3 or y.shape != (len(x),):
            raise DataError(f"{directory}: {part} images of shape {x.shape} do not match labels of shape {y.shape}")
        arrays += [x[:, None], y]
    x_train, y_train, x_test, y_test = arrays
    return x_train, y_train, x_test, y_test


def read_mnist(directory: Path, entry: Entry) -> Parts:
    """Read the four IDX files that an entry of the catalogue names: images (n, 1, 28, 28), uint8, and classes."""
    file, *_ = find_files(entry, directory)
    x_train, y_train, x_test, y_test = load_fashion_mnist((directory / file.name).parent)
    return x_train, y_train.astype(np.int64), x_test, y_test.astype(np.int64)


def _read_either(path: Path) -> NDArray[Any]:
    compressed = path.with_name(f"{path.name}.gz")
    return read_idx(compressed if compressed.exists() else path)
