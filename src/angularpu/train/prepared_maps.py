"""Rows behind the frozen part of a network: its maps are computed once, and kept in memory or on disk."""

import hashlib
import shutil
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn

from angularpu import files
from angularpu.data.io.reading import reading
from angularpu.data.prepare.on_disk import identify_prepared, write_array
from angularpu.data.prepare.preparation import Preparation
from angularpu.data.rows import Rows
from angularpu.errors import DataError
from angularpu.train.chunks import run_in_chunks
from angularpu.train.prepared_rows import PreparedRows, PreparedStored, prepare_rows

MAPS_BYTES = 4 * 2**30
MAPS_ROWS = 1024  # computed at a time


class PreparedByStem:
    """Rows that go through the frozen part of a network when a batch needs their maps."""

    def __init__(self, prepared: PreparedRows, stem: nn.Module) -> None:
        self._prepared, self._stem = prepared, stem.requires_grad_(requires_grad=False).eval()

    def gather(self, index: Tensor) -> Tensor:
        """Return the maps of the rows with these numbers."""
        # In chunks of one size, as rows are scored: a row's maps have the same bytes whatever stands beside it.
        return run_in_chunks(self._stem, self._prepared.gather(index))


def prepare_maps(
    rows: Rows, preparation: Preparation, stem: nn.Module, *, directory: Path | None = None
) -> PreparedRows:
    """Compute the maps of all rows, unless they are there already.

    Parameters
    ----------
    rows : Rows
    preparation : Preparation
    stem : nn.Module
        The frozen part of a network.
    directory : Path, optional
        Where the maps are kept as a file, whose name depends on all that they depend on; made if it does not exist. If
        several processes want the same file, one computes it and the others wait. Without a directory they are kept in
        memory, and computed batch by batch where they take more than 4 GiB.
    """
    source = PreparedByStem(prepare_rows(rows, preparation), stem)
    shape = (len(rows), *source.gather(torch.zeros(1, dtype=torch.int64)).shape[1:])
    if directory is not None:
        return PreparedStored(_keep(source, directory / name_maps(rows, preparation, stem), shape))
    if 4 * int(np.prod(shape)) > MAPS_BYTES:
        return source
    maps = np.empty(shape, np.float32)
    for span, part in _compute(source, len(rows)):
        maps[span] = part
    return PreparedStored(maps)


def name_maps(rows: Rows, preparation: Preparation, stem: nn.Module) -> str:
    """Return the name of the file of maps: equal names, equal maps."""
    digest = hashlib.sha256(f"{identify_prepared(rows, preparation)} {stem!r} ".encode())
    for name, tensor in sorted(stem.state_dict().items()):
        digest.update(name.encode() + tensor.contiguous().numpy().tobytes())
    return f"maps-{digest.hexdigest()[:32]}.npy"


def _keep(source: PreparedRows, path: Path, shape: tuple[int, ...]) -> NDArray[np.float32]:
    path.parent.mkdir(parents=True, exist_ok=True)
    with files.lock_of(path):
        if not path.exists():
            _write(source, path, shape)
    with reading(path, "maps"):
        maps: NDArray[np.float32] = np.load(path, mmap_mode="r")
    if maps.shape != shape or maps.dtype != np.float32:
        raise DataError(f"{path} holds {maps.dtype} of shape {maps.shape}, not float32 of {shape}; remove it")
    return maps


def _write(source: PreparedRows, path: Path, shape: tuple[int, ...]) -> None:
    size, free = 4 * int(np.prod(shape)), shutil.disk_usage(path.parent).free
    if size > free:
        raise DataError(
            f"the maps of {shape[0]} rows take {size / 2**30:.1f} GiB, and {path.parent} has {free / 2**30:.1f} GiB "
            "left; make room, or leave maps_dir out"
        )
    write_array(path, shape, (part for _, part in _compute(source, shape[0])))


def _compute(source: PreparedRows, n_rows: int) -> Iterator[tuple[slice, NDArray[np.float32]]]:
    for start in range(0, n_rows, MAPS_ROWS):
        index = torch.arange(start, min(start + MAPS_ROWS, n_rows))
        yield slice(start, start + len(index)), source.gather(index).numpy()
