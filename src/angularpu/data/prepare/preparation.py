"""Rows made ready for a network, in the way that was fitted on the training rows."""

from collections.abc import Callable
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from angularpu.data.prepare.dense import DensePreparation, fit_dense
from angularpu.data.prepare.frame import FramePreparation, fit_frame
from angularpu.data.prepare.image import ImagePreparation, fit_images
from angularpu.data.prepare.sparse import SparsePreparation, fit_sparse
from angularpu.data.rows import Block, Kind, Rows
from angularpu.errors import ModelError

_FIT: dict[Kind, Callable[[Rows], "Preparation"]] = {
    "dense": fit_dense,
    "frame": fit_frame,
    "sparse": fit_sparse,
    "image": fit_images,
}
_RESTORE: dict[Kind, Callable[[dict[str, NDArray[Any]], dict[str, Any]], "Preparation"]] = {
    "dense": DensePreparation.restore,
    "frame": FramePreparation.restore,
    "sparse": SparsePreparation.restore,
    "image": ImagePreparation.restore,
}


class Preparation(Protocol):
    """A fitted preparation: a row always becomes the same bytes, whatever stands beside it."""

    @property
    def out_shape(self) -> tuple[int, ...]:
        """The shape of one prepared row: (width,) or (channels, height, width)."""

    @property
    def notes(self) -> tuple[str, ...]:
        """What was left out and why, in a user's words."""

    def apply(self, block: Block, *, first_row: int = 0) -> NDArray[np.float32]:
        """Prepare a block of rows; ``first_row`` is the number messages count from."""
        ...

    def state(self) -> tuple[dict[str, NDArray[Any]], dict[str, Any]]:
        """Return all that was fitted, as arrays and as JSON."""
        ...


def fit_preparation(rows: Rows, *, keep_sparse: bool = False) -> Preparation:
    """Learn from the training rows how to prepare rows of their kind, reading them once.

    Parameters
    ----------
    rows : Rows
        Of any kind; see docs/data.md for what becomes of each type of column.
    keep_sparse : bool
        Whether prepared sparse rows are to be CSR matrices, for classifiers that take them, instead of dense blocks.

    Raises
    ------
    DataError
        When a value is infinite, a column is of a type that cannot be used, or nothing is left to learn from.

    Examples
    --------
    >>> from angularpu.data.sources import as_rows
    >>> preparation = fit_preparation(as_rows([[1.0, 7.0], [3.0, 7.0]]))
    >>> preparation.apply(np.array([[5.0, 7.0]])).tolist(), preparation.notes
    ([[3.0]], ('column 1 left out: every value is the same',))
    """
    if keep_sparse and rows.kind == "sparse":
        return fit_sparse(rows, as_matrix=True)
    return _FIT[rows.kind](rows)


def restore_preparation(tensors: dict[str, NDArray[Any]], content: dict[str, Any]) -> Preparation:
    """Make a preparation of what its ``state`` returned.

    >>> from angularpu.data.sources import as_rows
    >>> preparation = fit_preparation(as_rows([[1.0], [3.0]]))
    >>> restore_preparation(*preparation.state()).apply(np.array([[5.0]])).tolist()
    [[3.0]]
    """
    try:
        return _RESTORE[content["kind"]](tensors, content)
    except (KeyError, TypeError) as error:
        raise ModelError(
            f"the stored preparation is incomplete: {error} is missing or unknown; save the model again"
        ) from error
