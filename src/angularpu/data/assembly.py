"""Rows made of other rows, without copying them: some of one source, or one source after another."""

from collections.abc import Iterator, Sequence

import numpy as np
import pyarrow as pa
import scipy.sparse as sp
from numpy.typing import NDArray

from angularpu.data.columns import as_text, value_kind, whole
from angularpu.data.fingerprints import fingerprint_rows
from angularpu.data.rows import Block, Rows, spans
from angularpu.data.sources import FrameRows, as_rows
from angularpu.data.stored_frame import StoredFrame
from angularpu.errors import DataError, list_names


class Subset:
    """Some rows of another source, by number."""

    def __init__(self, base: Rows, index: NDArray[np.int64]) -> None:
        self.base = base
        self.index = index
        self.kind = base.kind
        self.shape = base.shape
        self.in_memory = base.in_memory

    def __len__(self) -> int:
        return len(self.index)

    def take(self, index: NDArray[np.int64]) -> Block:
        """Return the rows with these numbers, counted within the subset."""
        return self.base.take(self.index[index])

    def chunks(self, n: int) -> Iterator[Block]:
        """Walk through the chosen rows, ``n`` at a time."""
        if isinstance(self.base, StoredFrame) and len(self) and (np.diff(self.index) > 0).all():
            return self.base.chunks_of(self.index, n)
        return (self.base.take(self.index[span]) for span in spans(len(self), n))

    def fingerprint(self) -> str:
        """Return the checksum that a copy of the chosen rows would have."""
        return fingerprint_rows(self)


class Concatenation:
    """The rows of one array or sparse source, then those of another."""

    def __init__(self, first: Rows, second: Rows) -> None:
        self.first = first
        self.second = second
        self.kind = first.kind
        self.shape = first.shape
        self.in_memory = first.in_memory and second.in_memory

    def __len__(self) -> int:
        return len(self.first) + len(self.second)

    def take(self, index: NDArray[np.int64]) -> Block:
        """Return the rows with these numbers, in the common dtype of both sources."""
        from_first = index < len(self.first)
        a = self.first.take(index[from_first])
        b = self.second.take(index[~from_first] - len(self.first))
        if self.kind == "sparse":
            # The stacked block holds a's rows first: the inverse permutation puts them where they were asked for.
            return sp.vstack([a, b], format="csr")[np.argsort(np.argsort(~from_first, kind="stable"), kind="stable")]
        block = np.empty((len(index), *self.shape), np.result_type(a, b))
        block[from_first], block[~from_first] = a, b
        return block

    def chunks(self, n: int) -> Iterator[Block]:
        """Walk through the rows of both, ``n`` at a time; a chunk may hold rows of both."""
        return (self.take(np.arange(span.start, span.stop)) for span in spans(len(self), n))

    def fingerprint(self) -> str:
        """Return the checksum that a copy of both sources' rows would have."""
        return fingerprint_rows(self)


def subset(rows: Rows, index: NDArray[np.int64]) -> Rows:
    """Choose rows by number, in this order, without copying them.

    >>> subset(as_rows([[1], [2], [3]]), np.array([2, 0])).take(np.array([0])).tolist()
    [[3]]
    """
    index = np.asarray(index, np.int64)
    return Subset(rows.base, rows.index[index]) if isinstance(rows, Subset) else Subset(rows, index)


def concatenate(first: Rows, second: Rows) -> Rows:
    """Put the rows of one source after those of another, e.g. positives and unlabelled rows from two files.

    Arrays and sparse matrices need the same width and stay where they are. Frames need the same column names, in any
    order; a column that is text in one of them is text in both.

    >>> both = concatenate(as_rows([[1, 2]]), as_rows([[3, 4], [5, 6]]))
    >>> len(both), both.take(np.array([2, 0])).tolist()
    (3, [[5, 6], [1, 2]])
    """
    if first.kind != second.kind:
        raise DataError(f"{first.kind} rows cannot be put before {second.kind} rows; bring both into one form")
    if isinstance(first, StoredFrame) and isinstance(second, StoredFrame):
        return _concatenate_stored(first, second)
    if first.kind == "frame":
        return _concatenate_frames(_table(first), _table(second))
    if first.shape != second.shape:
        raise DataError(f"rows of shape {first.shape} cannot be put before rows of shape {second.shape}")
    if first.kind == "image" and (_is_uint8(first) != _is_uint8(second)):
        raise DataError("uint8 images cannot be put beside float images, whose range may differ; convert one of them")
    return Concatenation(first, second)


def _is_uint8(rows: Rows) -> bool:
    return bool(rows.take(np.zeros(1, np.int64)).dtype == np.uint8)


def _table(rows: Rows) -> pa.Table:
    return rows.table if isinstance(rows, FrameRows) else rows.take(np.arange(len(rows)))


def _concatenate_stored(first: StoredFrame, second: StoredFrame) -> Rows:
    _refuse_differing(first.columns, second.columns)
    return StoredFrame([*first.parts, *second.parts], first.columns)


def _refuse_differing(first: Sequence[str], second: Sequence[str]) -> None:
    differing = sorted(set(first) ^ set(second))
    if differing:
        raise DataError(f"both tables need the same columns, but {list_names(differing)} came in only one of them")


def _concatenate_frames(first: pa.Table, second: pa.Table) -> Rows:
    _refuse_differing(first.column_names, second.column_names)
    second = second.select(first.column_names)
    for position, name in enumerate(first.column_names):
        a, b = first.schema.field(name).type, second.schema.field(name).type
        kinds = {value_kind(a), value_kind(b)}
        if a != b and "text" in kinds and None not in kinds:
            first = first.set_column(position, name, as_text(whole(first.column(name))))
            second = second.set_column(position, name, as_text(whole(second.column(name))))
    try:
        return as_rows(pa.concat_tables([first, second], promote_options="permissive"))
    except pa.ArrowException as error:
        raise DataError(f"the columns of both tables differ in type: {error}") from error
