"""STL-10 in its binary files."""

from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from angularpu.errors import DataError
from angularpu_bench.catalogue.dataset import Parts
from angularpu_bench.catalogue.entry import Entry, find_files

SHAPE = (3, 96, 96)


def read_stl10(directory: Path, entry: Entry) -> Parts:
    """Open ``stl10_binary``: the labelled training images and the test images, memory-mapped.

    Returns
    -------
    x_train, labels_train, x_test, labels_test
        Images (n, 3, 96, 96), uint8, read from disk as they are needed, and their classes counted from 0.
    """
    train_x, train_y, test_x, test_y = (directory / file.name for file in find_files(entry, directory))
    return *_open_part(train_x, train_y), *_open_part(test_x, test_y)


def _open_part(images: Path, labels: Path) -> tuple[NDArray[np.uint8], NDArray[np.int64]]:
    y = np.fromfile(labels, np.uint8)
    expected, found = len(y) * int(np.prod(SHAPE)), images.stat().st_size
    if len(y) == 0 or found != expected:
        raise DataError(f"{images} is damaged: {expected} bytes expected for {len(y)} labels, {found} found")
    if not np.isin(y, np.arange(1, 11)).all():
        raise DataError(f"{labels} must hold numbers from 1 to 10")
    # The files store each channel column by column.
    x = np.memmap(images, np.uint8, "r", shape=(len(y), *SHAPE)).transpose(0, 1, 3, 2)
    return x, y.astype(np.int64) - 1
