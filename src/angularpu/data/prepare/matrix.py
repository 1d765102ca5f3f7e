"""All prepared rows as a matrix of which any rows can be taken: in memory, or on disk."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from angularpu.data.prepare.on_disk import PreparedOnDisk
from angularpu.data.prepare.preparation import Preparation
from angularpu.data.rows import Rows
from angularpu.data.stored_frame import StoredFrame


class MatrixOnDisk:
    """Rows on disk as a matrix whose rows are read and prepared when they are taken.

    >>> import tempfile
    >>> from pathlib import Path
    >>> from angularpu.data.io.arrays import open_arrays
    >>> from angularpu.data.prepare.preparation import fit_preparation
    >>> from angularpu.data.sources import as_rows
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = Path(folder) / "x.npy"
    ...     np.save(path, np.array([[1.0], [3.0]]))
    ...     rows = as_rows(open_arrays(path))
    ...     MatrixOnDisk(rows, fit_preparation(rows))[np.array([1, 0])].tolist()
    [[1.0], [-1.0]]
    """

    def __init__(self, rows: Rows, preparation: Preparation) -> None:
        self._rows, self._preparation = rows, preparation
        self.shape = (len(rows), int(np.prod(preparation.out_shape)))

    def __getitem__(self, index: NDArray[np.int64]) -> NDArray[np.float32]:
        return self._preparation.apply(self._rows.take(index)).reshape(len(index), -1)


def open_matrix(rows: Rows, preparation: Preparation) -> Any:
    """Return all rows, prepared, as a matrix that takes ``matrix[index]`` and has a ``shape``.

    Returns
    -------
    ndarray, CSR matrix, memory map or MatrixOnDisk, of shape (n, width)
    """
    if isinstance(rows, PreparedOnDisk) and rows.preparation is preparation:
        return rows.prepared
    if not rows.in_memory and not isinstance(rows, StoredFrame):
        return MatrixOnDisk(rows, preparation)
    x = preparation.apply(rows.take(np.arange(len(rows))))
    return x.reshape(x.shape[0], -1)
