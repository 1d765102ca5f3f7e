"""Rows of Parquet files prepared once into a file that is mapped into memory, so that any of them is at hand."""

import contextlib
import hashlib
import json
import tempfile
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from angularpu import files
from angularpu.data.prepare.preparation import Preparation
from angularpu.data.rows import Block, Rows, rows_within
from angularpu.data.stored_frame import StoredFrame

CELLS = 1 << 20  # prepared at a time


class PreparedOnDisk:
    """Rows that lie on disk twice: raw, to be walked through, and prepared, row by row, to be taken in any order.

    Parameters
    ----------
    rows : Rows
        The raw rows.
    preparation : Preparation
        That of the prepared ones.
    prepared : memory map of shape (n, width), float32
    """

    def __init__(self, rows: Rows, *, preparation: Preparation, prepared: NDArray[np.float32]) -> None:
        self.rows, self.preparation, self.prepared = rows, preparation, prepared
        self.kind, self.shape, self.in_memory = rows.kind, rows.shape, False

    def __len__(self) -> int:
        return len(self.rows)

    def take(self, index: NDArray[np.int64]) -> Block:
        """Return the raw rows with these numbers."""
        return self.rows.take(index)

    def chunks(self, n: int) -> Iterator[Block]:
        """Walk through the raw rows, ``n`` at a time."""
        return self.rows.chunks(n)

    def fingerprint(self) -> str:
        """Return the checksum of the raw rows."""
        return self.rows.fingerprint()


@contextlib.contextmanager
def preparing_on_disk(rows: Rows, preparation: Preparation, *, directory: Path | None) -> Iterator[Rows]:
    """Hand out rows whose prepared form is at hand: those of Parquet files are written to disk, others are left alone.

    Parameters
    ----------
    rows : Rows
    preparation : Preparation
        Learnt from the rows.
    directory : Path or None
        Where the file goes. It appears when it is complete, is used again by a run that was killed and is resumed, and
        is removed in the end. None: a temporary directory of the system's.
    """
    if not isinstance(rows, StoredFrame):
        yield rows
        return
    with contextlib.ExitStack() as stack:
        if directory is None:
            directory = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="angularpu-")))
        path = directory / f"prepared-{identify_prepared(rows, preparation)}.npy"
        if not path.exists():
            directory.mkdir(parents=True, exist_ok=True)
            write_array(path, (len(rows), *preparation.out_shape), _prepare(rows, preparation))
        yield PreparedOnDisk(rows, preparation=preparation, prepared=np.load(path, mmap_mode="r"))
        path.unlink(missing_ok=True)  # not after an error: the run that is resumed needs it again


def identify_prepared(rows: Rows, preparation: Preparation) -> str:
    """Return a name for prepared rows: equal names, equal content."""
    arrays, content = preparation.state()
    digest = hashlib.sha256(rows.fingerprint().encode() + json.dumps(content, sort_keys=True).encode())
    for name, array in sorted(arrays.items()):
        digest.update(name.encode() + np.ascontiguousarray(array).tobytes())
    return digest.hexdigest()[:16]


def write_array(path: Path, shape: tuple[int, ...], parts: Iterable[NDArray[np.float32]]) -> None:
    """Write a ``.npy`` file of float32, part by part; it appears when it is complete."""
    header: dict[str, Any] = {"descr": "<f4", "fortran_order": False, "shape": shape}
    with files.atomic_file(path) as temporary, temporary.open("wb") as file:
        np.lib.format.write_array_header_1_0(file, header)
        for part in parts:
            # Written, not stored into a map: a full disk is then an error that can be told, not the end of the process.
            file.write(part.astype("<f4", copy=False).data)


def _prepare(rows: Rows, preparation: Preparation) -> Iterator[NDArray[np.float32]]:
    first = 0
    for block in rows.chunks(rows_within(CELLS, rows.shape)):
        yield preparation.apply(block, first_row=first)
        first += len(block)
