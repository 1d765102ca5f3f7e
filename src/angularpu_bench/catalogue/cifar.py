"""CIFAR-10 in its official files: Python pickles, or the binary version."""

import pickle
from pathlib import Path
from typing import Any, BinaryIO

import numpy as np
from numpy.typing import NDArray

from angularpu.data.io.reading import reading
from angularpu.errors import DataError
from angularpu_bench.catalogue.dataset import Parts
from angularpu_bench.catalogue.entry import Entry, find_files

PIXELS = 3 * 32 * 32

# The functions that rebuild a pickled array, taken from NumPy itself because their module has moved between versions.
_RECONSTRUCT = np.empty(1).__reduce__()[0]
_FROM_BUFFER = np.empty(1).__reduce_ex__(5)[0]
_ALLOWED = {
    ("numpy", "ndarray"): np.ndarray,
    ("numpy", "dtype"): np.dtype,
    **{(f"numpy.{core}.multiarray", "_reconstruct"): _RECONSTRUCT for core in ("core", "_core")},
    **{(f"numpy.{core}.numeric", "_frombuffer"): _FROM_BUFFER for core in ("core", "_core")},
}


class ArrayUnpickler(pickle.Unpickler):
    """Reads pickles of NumPy arrays and plain containers, and refuses everything else that a pickle might call."""

    def __init__(self, file: BinaryIO) -> None:
        super().__init__(file, encoding="bytes")

    def find_class(self, module: str, name: str) -> Any:
        """Return one of the few functions and classes that arrays need."""
        if (module, name) not in _ALLOWED:
            raise pickle.UnpicklingError(f"it asks for {module}.{name}, which is not an array")
        return _ALLOWED[module, name]


def read_cifar10(directory: Path, entry: Entry) -> Parts:
    """Read the five training batches and the test batch.

    Parameters
    ----------
    directory : Path
        Holds ``cifar-10-batches-py`` or ``cifar-10-batches-bin``.
    entry : Entry
        Names the files; the last one is the test batch.

    Returns
    -------
    x_train, labels_train, x_test, labels_test
        Images (n, 3, 32, 32), uint8, and their classes.
    """
    *train, test = (read_batch(directory / file.name) for file in find_files(entry, directory))
    return *_cut(train), *_cut([test])


def read_batch(path: Path) -> NDArray[np.uint8]:
    """Read a batch of either version in the binary layout: (n, 3073), the class, then red, green and blue."""
    return _read_binary(path) if path.suffix == ".bin" else _read_pickle(path)


def _cut(batches: list[NDArray[np.uint8]]) -> tuple[NDArray[np.uint8], NDArray[np.int64]]:
    pixels = np.concatenate([batch[:, 1:] for batch in batches])
    return pixels.reshape(-1, 3, 32, 32), np.concatenate([batch[:, 0] for batch in batches]).astype(np.int64)


def _read_binary(path: Path) -> NDArray[np.uint8]:
    with reading(path, "a CIFAR-10 batch"):
        content = np.fromfile(path, np.uint8)
    if len(content) == 0 or len(content) % (1 + PIXELS):
        raise DataError(f"{path} is damaged: {len(content)} bytes are not a multiple of {1 + PIXELS}")
    return content.reshape(-1, 1 + PIXELS)


def _read_pickle(path: Path) -> NDArray[np.uint8]:
    try:
        with path.open("rb") as file:
            batch = ArrayUnpickler(file).load()
        named = {key.decode() if isinstance(key, bytes) else key: value for key, value in batch.items()}
        pixels, labels = np.asarray(named["data"]), np.asarray(named["labels"])
    except OSError:
        raise
    except Exception as error:  # a damaged pickle can raise anything at all
        raise DataError(f"{path} cannot be read as a CIFAR-10 batch: {error or type(error).__name__}") from error
    if pixels.dtype != np.uint8 or pixels.ndim != 2 or pixels.shape[1] != PIXELS or labels.shape != (len(pixels),):
        raise DataError(
            f"{path} is not a CIFAR-10 batch: pixels of shape {pixels.shape} and type {pixels.dtype}, "
            f"labels of shape {labels.shape}"
        )
    if labels.dtype.kind not in "iu" or (labels.size and not 0 <= labels.min() <= labels.max() < 10):
        raise DataError(f"{path} is not a CIFAR-10 batch: its labels are not numbers from 0 to 9")
    return np.column_stack([labels.astype(np.uint8), pixels])
