"""Prepared rows for the network: all at once when they fit, batch by batch when they do not."""

from typing import Any, Protocol

import numpy as np
import scipy.sparse as sp
import torch
from numpy.typing import NDArray
from torch import Tensor

from angularpu.data.prepare.on_disk import PreparedOnDisk
from angularpu.data.prepare.preparation import Preparation
from angularpu.data.prepare.sparse import SparsePreparation
from angularpu.data.rows import Rows
from angularpu.data.stored_frame import StoredFrame
from angularpu.nets.sparse_linear import make_csr

WHOLE_BYTES = 2 * 2**30
PREPARE_ROWS = 8192


class PreparedRows(Protocol):
    """Rows as the network takes them, float32, by their numbers."""

    def gather(self, index: Tensor) -> Tensor:
        """Return the prepared rows with these numbers."""
        ...


class PreparedInMemory:
    """Rows that were prepared once and lie in memory."""

    def __init__(self, rows: Rows, preparation: Preparation) -> None:
        prepared = np.empty((len(rows), *preparation.out_shape), np.float32)
        start = 0
        for block in rows.chunks(PREPARE_ROWS):
            part = preparation.apply(block)
            prepared[start : start + len(part)] = part
            start += len(part)
        self._x = prepared  # an array, which processes can share where a tensor would be copied

    def gather(self, index: Tensor) -> Tensor:
        """Return the prepared rows with these numbers."""
        return torch.from_numpy(self._x).index_select(0, index)


class PreparedStored:
    """Rows that were prepared once and lie in a file that is mapped into memory: the system keeps what it has room for.

    A batch is the same whatever the system keeps, so the rows are shuffled as well as rows in memory are.
    """

    def __init__(self, prepared: NDArray[np.float32]) -> None:
        self._x = prepared

    def gather(self, index: Tensor) -> Tensor:
        """Return the prepared rows with these numbers."""
        return torch.from_numpy(np.take(self._x, index.numpy(), axis=0))


class PreparedSparse:
    """Sparse rows that were prepared once and lie in memory, as sparse as before."""

    def __init__(self, rows: Rows, preparation: SparsePreparation) -> None:
        self._x = sp.csr_matrix(sp.vstack([preparation.scale(block) for block in rows.chunks(PREPARE_ROWS)]))

    def gather(self, index: Tensor) -> Tensor:
        """Return the prepared rows with these numbers, as a CSR tensor."""
        return to_tensor(self._x[index.numpy()])


class PreparedByBatch:
    """Rows that are read and prepared when a batch needs them."""

    def __init__(self, rows: Rows, preparation: Preparation) -> None:
        self._rows, self._preparation = rows, preparation

    def gather(self, index: Tensor) -> Tensor:
        """Return the prepared rows with these numbers."""
        return to_tensor(self._preparation.apply(self._rows.take(index.numpy())))


def to_tensor(x: Any) -> Tensor:
    """Return prepared rows as a tensor; those of a CSR matrix as a CSR tensor."""
    if not sp.issparse(x):
        return torch.from_numpy(x)
    start, column, value = map(torch.from_numpy, (x.indptr, x.indices, x.data))
    return make_csr(start, column, value, shape=x.shape)


def prepare_rows(rows: Rows, preparation: Preparation) -> PreparedRows:
    """Choose how to hold the rows: whole when they are in memory anyway and sparse, or at most 2 GiB once prepared."""
    if isinstance(rows, PreparedOnDisk) and rows.preparation is preparation:
        return PreparedStored(rows.prepared)
    if isinstance(rows, StoredFrame):  # whose rows are read too slowly to be taken batch by batch
        return PreparedInMemory(rows, preparation)
    if isinstance(preparation, SparsePreparation) and rows.in_memory:
        return PreparedSparse(rows, preparation)
    size = 4 * len(rows) * int(np.prod(preparation.out_shape))
    whole = rows.in_memory and size <= WHOLE_BYTES
    return PreparedInMemory(rows, preparation) if whole else PreparedByBatch(rows, preparation)
