"""Rows of numbers without names, prepared by column."""

from dataclasses import dataclass
from typing import Any

import numpy as np
import pyarrow as pa
import scipy.sparse as sp
from numpy.typing import NDArray

from angularpu.data.columns import as_numbers, value_kind, whole
from angularpu.data.prepare.moments import measure, rows_at_a_time
from angularpu.data.prepare.numbers import Numbers, choose_numbers, describe_dropped, refuse_infinity
from angularpu.data.rows import Block, Rows, rows_within, spans
from angularpu.errors import DataError, quote

CELLS_IN_CACHE = 1 << 17  # a block of float64 that fits the second-level cache


@dataclass(frozen=True, eq=False)
class DensePreparation:
    """Columns standardised by position; missing values become 0 with an indicator; constant columns are left out."""

    columns: int
    numbers: Numbers
    notes: tuple[str, ...] = ()

    @property
    def out_shape(self) -> tuple[int, ...]:
        """The shape of one prepared row: (width,)."""
        return (self.numbers.width,)

    @property
    def out_names(self) -> tuple[str, ...]:
        """The place, as text, of the column that each prepared one was made of."""
        return tuple(str(place) for place in (*self.numbers.kept, *self.numbers.flagged))

    @property
    def out_columns(self) -> tuple[str, ...]:
        """What each prepared column was made of, for messages."""
        return tuple(f"column {place}" for place in self.out_names)

    def apply(self, block: Block, *, first_row: int = 0) -> NDArray[np.float32]:
        """Prepare an (n, columns) array, a sparse block, or a table of as many number columns.

        Returns
        -------
        (n, width) float32
        """
        array = read_matrix(block, self.columns)
        out = np.empty((len(array), self.numbers.width), np.float32)
        for span in spans(len(array), rows_within(CELLS_IN_CACHE, (self.columns,))):
            self.numbers.fill(array[span], out[span], describe=_describe, first_row=first_row + span.start)
        return out

    def state(self) -> tuple[dict[str, NDArray[Any]], dict[str, Any]]:
        """Return all that was fitted, as arrays and as JSON."""
        content = {"kind": "dense", "columns": self.columns, "notes": list(self.notes)}
        return self.numbers.state(), content

    @classmethod
    def restore(cls, tensors: dict[str, NDArray[Any]], content: dict[str, Any]) -> "DensePreparation":
        """Make a preparation of what ``state`` returned."""
        return cls(content["columns"], Numbers.restore(tensors), tuple(content["notes"]))


def fit_dense(rows: Rows) -> DensePreparation:
    """Learn mean, spread and missing values of each column, in one pass."""
    moments, first_row = measure(np.empty((0, *rows.shape))), 0
    for block in rows.chunks(rows_at_a_time(*rows.shape)):
        refuse_infinity(block, describe=_describe, first_row=first_row)
        moments = moments.merge(measure(block))
        first_row += len(block)
    numbers = choose_numbers(moments)
    refuse_nothing_left(numbers.width)
    notes = describe_dropped(moments, [_describe(i) for i in range(*rows.shape)])
    return DensePreparation(rows.shape[0], numbers, tuple(notes))


def read_matrix(block: Block, columns: int) -> NDArray[Any]:
    """Return a block of any kind as an array of this many number columns, or say why it is none."""
    if isinstance(block, pa.Table):
        refuse_width(block.num_columns, columns)
        for field in block.schema:
            if value_kind(field.type) != "number":
                raise DataError(
                    f"column {quote(field.name)} holds values of type {field.type}, but the model was fitted on "
                    "numbers; pass number columns only, in the order of the fitted data"
                )
        arrays = [as_numbers(whole(block[name]), "number", name=name) for name in block.column_names]
        return np.column_stack(arrays)
    array = block.toarray() if sp.issparse(block) else block
    if array.ndim != 2:
        raise DataError(f"the model was fitted on {columns} columns, but rows of shape {array.shape[1:]} came")
    refuse_width(array.shape[1], columns)
    return np.asarray(array)


def refuse_width(came: int, fitted: int) -> None:
    """Raise when rows have another number of columns than the fitted ones."""
    if came != fitted:
        raise DataError(f"the model was fitted on {fitted} columns, but {came} came; pass the same columns, in order")


def refuse_nothing_left(width: int) -> None:
    """Raise when no column is left to learn from."""
    if width == 0:
        raise DataError("every column is constant, empty or an identifier, so nothing is left to learn from")


def _describe(position: int) -> str:
    return f"column {position}"
