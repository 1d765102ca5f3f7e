"""Frozen features on disk: computed once for the same images and weights, piece by piece, then memory-mapped."""

import dataclasses
import hashlib
import io
import json
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any, BinaryIO

import numpy as np
from numpy.typing import NDArray

from angularpu.data.io.reading import reading
from angularpu.data.sources import as_rows
from angularpu.errors import DataError
from angularpu.files import lock_of, move, read_json, remove, unfinished, write_json
from angularpu.progress import ReportProgress
from angularpu_bench.catalogue.backbone import Backbone, extract_features, load_backbone
from angularpu_bench.catalogue.dataset import Dataset

RECIPE = 1  # raise it whenever the same images and weights would give other features
PIECE_BATCHES = 8  # a few seconds of work: the most that a killed run loses


def embed_dataset(
    dataset: Dataset,
    *,
    weights: Path,
    cache: Path,
    backbone: str = "vgg16",
    input_size: int | None = None,
    report: ReportProgress | None = None,
) -> Dataset:
    """Replace the images of a data set by their frozen features.

    Parameters
    ----------
    dataset : Dataset
        Of kind "image".
    weights : Path
        The backbone's weight file.
    cache : Path
        Directory for the features; what it already holds is not computed again.
    backbone : {"vgg16", "vgg11_bn"}
    input_size : int, optional
        Pixels of an image's shorter side at the input, at least 32; by default the image's own size, but at least 32.
    report : callable, optional
        Called after every batch with (images done, all images, text), for training and test images in turn.

    Returns
    -------
    Dataset
        Of kind "table": float32 features of shape (n, 1280), memory-mapped from the cache; all else is unchanged.
    """
    images = take_images(dataset)
    network = load_backbone(backbone, weights, input_size=input_size)
    x = {part: embed_images(images[part], network, cache=cache, report=report) for part in images}
    return dataclasses.replace(dataset, kind="table", x_train=x["train"], x_test=x["test"])


def take_images(dataset: Dataset) -> dict[str, NDArray[Any]]:
    """Return the images of a data set, "train" and "test"."""
    if dataset.kind != "image":
        raise DataError(f"{dataset.name} holds {dataset.kind} rows, not images; fit them as they are")
    return {"train": dataset.x_train, "test": dataset.x_test}


def embed_images(
    images: NDArray[Any], backbone: Backbone, *, cache: Path, report: ReportProgress | None = None
) -> NDArray[np.float32]:
    """Return the features of images as a memory map, shape (n, backbone.width); see ``keep_features``."""
    path = keep_features(images, backbone, cache=cache, report=report)
    with reading(path, "features"):
        return np.lib.format.open_memmap(path, mode="r")


def keep_features(
    images: NDArray[Any], backbone: Backbone, *, cache: Path, report: ReportProgress | None = None
) -> Path:
    """Return the ``.npy`` file with the features of images; compute it first if it does not exist.

    After a kill, the next call resumes at the last finished piece and ends with the same bytes. If several processes
    want the same file, one computes it and the others wait.

    Parameters
    ----------
    images : array of uint8, shape (n, channels, height, width)
    backbone : Backbone
    cache : Path
        Directory, made if it does not exist. A file's name depends on the images, the weights, the input size and the
        blocks, so features of different origin never share a file.
    report : callable, optional
        Called after every batch with (images done, all images, text).
    """
    path = cache / f"{backbone.name}-{identify(images, backbone)[:32]}.npy"
    if path.exists():
        return path
    cache.mkdir(parents=True, exist_ok=True)
    partial, progress = unfinished(path), unfinished(path.with_suffix(".progress"))
    with lock_of(path), partial.open("ab") as file:
        if path.exists():
            remove(partial)
        else:
            done = _resume(file, progress, shape=(len(images), backbone.width))
            for stop, features in _extract(images, backbone, done=done, report=report):
                file.write(features.tobytes())
                file.flush()
                os.fsync(file.fileno())
                write_json(progress, {"rows": stop})
            move(partial, path)
        remove(progress)
    return path


def identify(images: NDArray[Any], backbone: Backbone) -> str:
    """Return a checksum of everything that the features depend on."""
    content = {
        "recipe": RECIPE,
        "size": backbone.find_size(images),
        "images": as_rows(images).fingerprint(),
        "backbone": backbone.name,
        "weights": backbone.weights,
        "blocks": backbone.blocks,
    }
    return hashlib.sha256(json.dumps(content).encode()).hexdigest()


def _resume(file: BinaryIO, progress: Path, *, shape: tuple[int, int]) -> int:
    """Truncate an unfinished file after its last finished piece, or start it; return how many rows it holds."""
    header = io.BytesIO()
    dtype = np.dtype(np.float32)
    fields = {"descr": np.lib.format.dtype_to_descr(dtype), "fortran_order": False, "shape": shape}
    np.lib.format.write_array_header_1_0(header, fields)
    rows = _count_rows(progress)
    end = len(header.getvalue()) + rows * shape[1] * dtype.itemsize
    if rows and os.fstat(file.fileno()).st_size >= end:
        file.truncate(end)
        return rows
    file.truncate(0)
    file.write(header.getvalue())
    return 0


def _count_rows(progress: Path) -> int:
    """Return how many rows were finished; none where the note about it is missing or damaged."""
    try:
        return int(read_json(progress)["rows"])
    except (FileNotFoundError, ValueError, KeyError, TypeError, OverflowError):
        return 0


def _extract(
    images: NDArray[Any], backbone: Backbone, *, done: int, report: ReportProgress | None
) -> Iterator[tuple[int, NDArray[np.float32]]]:
    """Compute piece after piece; a piece holds whole batches, so its bytes do not depend on where a run started."""
    rows = PIECE_BATCHES * backbone.count_batch(images)
    for start in range(done, len(images), rows):
        piece = images[start : start + rows]
        yield start + len(piece), extract_features(piece, backbone, report=_shift(report, start, len(images)))


def _shift(report: ReportProgress | None, start: int, n: int) -> ReportProgress | None:
    """Turn the progress of one piece into progress of the whole."""
    if report is None:
        return None
    return lambda done, _, text: report(start + done, n, text)
