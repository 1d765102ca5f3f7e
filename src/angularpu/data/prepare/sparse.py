"""Sparse rows, scaled by column and made dense one block at a time."""

from dataclasses import dataclass
from typing import Any

import numpy as np
import scipy.sparse as sp
from numpy.typing import NDArray

from angularpu.data.prepare.dense import refuse_nothing_left, refuse_width
from angularpu.data.prepare.numbers import FARTHEST
from angularpu.data.rows import Block, Rows
from angularpu.errors import DataError

ROWS_PER_CHUNK = 8_192


@dataclass(frozen=True, eq=False)
class SparsePreparation:
    """Columns divided by their largest absolute value, so that zeros stay zeros; constant columns are left out.

    Attributes
    ----------
    columns : int
        How many columns the fitted rows have.
    kept : (k,) int64
        Which of them come out.
    peak : (k,) float64
        Their largest absolute values.
    as_matrix : bool
        Whether prepared rows stay a CSR matrix, for classifiers that take one.
    """

    columns: int
    kept: NDArray[np.int64]
    peak: NDArray[np.float64]
    notes: tuple[str, ...] = ()
    as_matrix: bool = False

    @property
    def out_shape(self) -> tuple[int, ...]:
        """The shape of one prepared row: (width,)."""
        return (len(self.kept),)

    def apply(self, block: Block, *, first_row: int = 0) -> NDArray[np.float32]:
        """Scale a block of CSR or dense rows, of which only this block becomes dense, if it does.

        Returns
        -------
        (n, width) float32
        """
        scaled = self.scale(block, first_row=first_row)
        prepared: NDArray[np.float32] = scaled if self.as_matrix else scaled.toarray()
        return prepared

    def scale(self, block: Block, *, first_row: int = 0) -> sp.csr_matrix:
        """Scale a block of CSR or dense rows; the result is (n, width) float32, CSR."""
        if not (sp.issparse(block) or isinstance(block, np.ndarray)) or block.ndim != 2:
            raise DataError(f"the model was fitted on sparse rows of {self.columns} columns; pass CSR or a 2-D array")
        refuse_width(block.shape[1], self.columns)
        block = sp.csr_matrix(block)
        _refuse_unusable(block, first_row=first_row)
        if len(self.kept) < self.columns:
            block = block[:, self.kept]
        with np.errstate(over="ignore"):
            scaled = np.clip(block.data / self.peak[block.indices], -FARTHEST, FARTHEST).astype(np.float32)
        return sp.csr_matrix((scaled, block.indices, block.indptr), block.shape)

    def state(self) -> tuple[dict[str, NDArray[Any]], dict[str, Any]]:
        """Return all that was fitted, as arrays and as JSON."""
        content = {"kind": "sparse", "columns": self.columns, "notes": list(self.notes), "as_matrix": self.as_matrix}
        return {"kept": self.kept, "peak": self.peak}, content

    @classmethod
    def restore(cls, tensors: dict[str, NDArray[Any]], content: dict[str, Any]) -> "SparsePreparation":
        """Make a preparation of what ``state`` returned."""
        as_matrix = content.get("as_matrix", False)  # models of 0.1.0 have no word on it
        return cls(content["columns"], tensors["kept"], tensors["peak"], tuple(content["notes"]), as_matrix)


def fit_sparse(rows: Rows, *, as_matrix: bool = False) -> SparsePreparation:
    """Learn the range of each column, implicit zeros included, in one pass."""
    low, high, first_row = np.full(rows.shape, np.inf), np.full(rows.shape, -np.inf), 0
    for block in rows.chunks(ROWS_PER_CHUNK):
        _refuse_unusable(block, first_row=first_row)
        low = np.minimum(low, block.min(axis=0).toarray().ravel())
        high = np.maximum(high, block.max(axis=0).toarray().ravel())
        first_row += block.shape[0]
    kept = np.flatnonzero(low < high)
    refuse_nothing_left(len(kept))
    dropped = len(low) - len(kept)
    notes = (f"{dropped} of {len(low)} columns left out: every value is the same",) if dropped else ()
    return SparsePreparation(len(low), kept, np.maximum(np.abs(low), np.abs(high))[kept], notes, as_matrix)


def _refuse_unusable(block: sp.csr_matrix, *, first_row: int) -> None:
    bad = np.flatnonzero(~np.isfinite(block.data))
    if len(bad):
        first = int(bad[0])
        row = first_row + int(np.searchsorted(block.indptr, first, side="right")) - 1
        raise DataError(
            f"column {block.indices[first]}, row {row} (the first is 0): the value is {block.data[first]}; "
            "sparse rows may hold neither missing nor infinite values"
        )
