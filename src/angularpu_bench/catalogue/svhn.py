"""SVHN's cropped digits, in MATLAB files."""

from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from angularpu.data.io.reading import reading
from angularpu.errors import DataError
from angularpu_bench.catalogue.dataset import Parts
from angularpu_bench.catalogue.entry import Entry, find_files
from angularpu_bench.catalogue.matlab_file import read_matlab


def read_svhn(directory: Path, entry: Entry) -> Parts:
    """Read ``train_32x32.mat`` and ``test_32x32.mat``.

    Returns
    -------
    x_train, labels_train, x_test, labels_test
        Images (n, 3, 32, 32), uint8, and their digits; the files write the digit 0 as 10.
    """
    train, test = (read_digits(directory / file.name) for file in find_files(entry, directory))
    return *train, *test


def read_digits(path: Path) -> tuple[NDArray[np.uint8], NDArray[np.int64]]:
    """Read the images (n, 3, height, width) and digits (n,) of one file with X (height, width, 3, n) and y."""
    with reading(path, "a MATLAB file"):
        content = read_matlab(path)
    absent = [name for name in ("X", "y") if name not in content]
    if absent:
        raise DataError(f"{path} holds no variable {absent[0]!r}; SVHN's files hold X and y")
    x, y = content["X"], content["y"].ravel()
    if x.dtype != np.uint8 or x.ndim != 4 or x.shape[2] != 3 or x.shape[3] != len(y):
        raise DataError(f"{path} is not a file of SVHN: X of shape {x.shape} and type {x.dtype}, y of {len(y)} values")
    if not np.isin(y, np.arange(11)).all():
        raise DataError(f"{path} is not a file of SVHN: y must hold numbers from 1 to 10")
    return np.ascontiguousarray(x.transpose(3, 2, 0, 1)), y.astype(np.int64) % 10
