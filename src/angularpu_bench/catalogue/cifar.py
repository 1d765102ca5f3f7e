"""CIFAR-10 in its official files: Python pickles, or the binary version."""

from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from angularpu.data.io.reading import reading
from angularpu.errors import DataError
from angularpu_bench.catalogue.dataset import Parts
from angularpu_bench.catalogue.entry import Entry, find_files
from angularpu_bench.catalogue.pickled_batch import read_pickled_batch

PIXELS = 3 * 32 * 32


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
    with reading(path, "a CIFAR-10 batch"):
        pixels, labels = read_pickled_batch(path)
    if pixels.shape != (len(labels), PIXELS):
        raise DataError(f"{path} is not a CIFAR-10 batch: pixels of shape {pixels.shape} for {len(labels)} labels")
    if not all(0 <= label < 10 for label in labels):
        raise DataError(f"{path} is not a CIFAR-10 batch: its labels are not numbers from 0 to 9")
    return np.column_stack([np.array(labels, np.uint8), pixels])
