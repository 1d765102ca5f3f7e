"""The column of labels of a table, as values or, where rows are many, as the few different values and their places."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from angularpu.data.columns import value_kind, whole
from angularpu.data.stored_frame import StoredFrame
from angularpu.errors import DataError, quote

AT_A_TIME = 65_536
MOST_LEVELS = 1000  # more different values are no labels

Encode = Callable[[NDArray[Any]], tuple[NDArray[np.int8], tuple[Any, Any]]]


@dataclass(frozen=True, eq=False)
class Levels:
    """A column of labels: its different values, a missing one among them, and which of them every row has.

    Attributes
    ----------
    values : ndarray of shape (m,)
    code : int16 array of shape (n,)
    """

    values: NDArray[Any]
    code: NDArray[np.int16]

    def encode(self, encode: Encode) -> tuple[NDArray[np.int8], tuple[Any, Any]]:
        """Return what ``encode`` makes of all rows; it looks at nothing but which values there are."""
        marks, classes = encode(self.values)
        return marks[self.code], classes


def read_values(column: pa.ChunkedArray | pa.Array, *, name: str) -> NDArray[Any]:
    """Return the values of a column of labels, or say why there cannot be any in it."""
    if pa.types.is_dictionary(column.type):
        column = column.cast(column.type.value_type)
    if value_kind(column.type) is None and not pa.types.is_binary(column.type):
        raise DataError(
            f"label {quote(name)} holds values of type {column.type}; mark the rows with two numbers or words"
        )
    values: NDArray[Any] = column.to_numpy() if isinstance(column, pa.ChunkedArray) else column.to_numpy(False)
    return values


def read_levels(rows: StoredFrame, *, name: str) -> Levels:
    """Read a column of labels piece by piece.

    Parameters
    ----------
    rows : StoredFrame
        The rows with this column alone.
    name : str
        The column.
    """
    code = np.empty(len(rows), np.int16)
    known, first = None, 0
    for table in rows.chunks(AT_A_TIME):
        column = whole(table[name])
        read_values(column.slice(0, 0), name=name)
        found = pc.unique(column)
        known = found if known is None else pc.unique(pa.concat_arrays([known, found]))
        if len(known) > MOST_LEVELS:
            raise DataError(
                f"label {quote(name)} has more than {MOST_LEVELS} different values; mark the rows with two numbers or "
                "words"
            )
        code[first : first + len(table)] = pc.index_in(column, value_set=known).to_numpy()
        first += len(table)
    return Levels(read_values(known, name=name), code)
