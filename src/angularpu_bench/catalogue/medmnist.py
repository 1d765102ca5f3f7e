"""MedMNIST: any set of two-dimensional images of the family, in its .npz file."""

from collections.abc import Collection
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from angularpu.data.io.arrays import open_archive
from angularpu.errors import DataError
from angularpu_bench.catalogue.dataset import Dataset, Parts
from angularpu_bench.catalogue.entry import Entry, find_files
from angularpu_bench.catalogue.images import order_channels


def read_medmnist(directory: Path, entry: Entry) -> Parts:
    """Read the set that an entry of the catalogue names."""
    (file,) = find_files(entry, directory)
    return read_splits(directory / file.name)


def load_medmnist(path: Path, *, positives: Collection[int]) -> Dataset:
    """Load any set of the family, of any image size, with your own grouping of classes.

    Parameters
    ----------
    path : Path
        The official file, e.g. ``bloodmnist.npz`` or ``pathmnist_64.npz``.
    positives : collection of int
        The labels that count as positive.

    Returns
    -------
    Dataset
        Its training part pools the official training and validation images.
    """
    path = Path(path)
    unchecked = f"{path.name} was not compared with any checksum"
    return Dataset(path.stem, "image", *read_splits(path), frozenset(positives), (unchecked,))


def read_splits(path: Path) -> Parts:
    """Read a file's six arrays; training and validation images are pooled, grey ones get three equal channels."""
    arrays = open_archive(path)
    wanted = [f"{split}_{part}" for split in ("train", "val", "test") for part in ("images", "labels")]
    absent = [name for name in wanted if name not in arrays]
    if absent:
        raise DataError(f"{path} has no array {', '.join(absent)}; MedMNIST's files hold {', '.join(wanted)}")
    parts = {
        split: _read_part(path, arrays[f"{split}_images"], arrays[f"{split}_labels"])
        for split in ("train", "val", "test")
    }
    (x, y), (x_more, y_more), (x_test, y_test) = parts.values()
    if x.shape[1:] != x_more.shape[1:]:
        raise DataError(f"{path}: training images of shape {x.shape[1:]}, validation images of {x_more.shape[1:]}")
    # Written straight into contiguous memory: a set has hundreds of megabytes, and would otherwise be copied twice.
    x_train = np.concatenate([x, x_more], out=np.empty((len(x) + len(x_more), *x.shape[1:]), x.dtype))
    return _colour(x_train), np.concatenate([y, y_more]), _colour(np.ascontiguousarray(x_test)), y_test


def _read_part(
    path: Path, images: NDArray[np.uint8], labels: NDArray[np.int64]
) -> tuple[NDArray[np.uint8], NDArray[np.int64]]:
    if labels.ndim == 2 and labels.shape[1] > 1:
        raise DataError(
            f"{path} has {labels.shape[1]} labels for each image; choose a set with one, or make one of them"
        )
    if images.ndim not in (3, 4) or (images.ndim == 4 and images.shape[3] != 3) or len(images) != labels.size:
        raise DataError(f"{path}: images of shape {images.shape} do not match labels of shape {labels.shape}")
    return order_channels(images), labels.ravel().astype(np.int64)


def _colour(images: NDArray[np.uint8]) -> NDArray[np.uint8]:
    # The three channels of a grey image share the same memory.
    return np.broadcast_to(images, (len(images), 3, *images.shape[2:]))
