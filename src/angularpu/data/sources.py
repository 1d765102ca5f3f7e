"""Whatever a user holds, as Rows: arrays, tensors, sparse matrices, images and frames."""

from collections.abc import Iterator
from typing import Any

import numpy as np
import pyarrow as pa
import scipy.sparse as sp
from numpy.typing import NDArray

from angularpu.data.columns import refuse_types, without_views
from angularpu.data.fingerprints import fingerprint_rows
from angularpu.data.io.numpy_file import StoredArray
from angularpu.data.io.reading import find_duplicates
from angularpu.data.rows import Block, Kind, Rows, spans
from angularpu.errors import DataError, list_names


class ArrayRows:
    """Rows of an array in memory or on disk: (n, columns), or images (n, channels, height, width)."""

    def __init__(self, array: NDArray[Any] | StoredArray) -> None:
        self.array = array
        self.kind: Kind = "dense" if array.ndim == 2 else "image"
        self.shape = array.shape[1:]
        self.in_memory = not _is_mapped(array)

    def __len__(self) -> int:
        return len(self.array)

    def take(self, index: NDArray[np.int64]) -> Block:
        """Return the rows with these numbers; of a file on disk no others are read."""
        return self.array[index]

    def chunks(self, n: int) -> Iterator[Block]:
        """Walk through the rows, ``n`` at a time, as views."""
        return (self.array[span] for span in spans(len(self), n))

    def fingerprint(self) -> str:
        """Return a checksum of dtype, shape and values."""
        return fingerprint_rows(self)


class SparseRows:
    """Rows of a scipy CSR matrix, which is never made dense."""

    def __init__(self, matrix: sp.csr_matrix) -> None:
        self.matrix = matrix
        self.kind: Kind = "sparse"
        self.shape: tuple[int, ...] = (matrix.shape[1],)
        self.in_memory = True

    def __len__(self) -> int:
        return int(self.matrix.shape[0])

    def take(self, index: NDArray[np.int64]) -> Block:
        """Return the rows with these numbers as a CSR matrix."""
        return self.matrix[index]

    def chunks(self, n: int) -> Iterator[Block]:
        """Walk through the rows, ``n`` at a time."""
        return (self.matrix[span] for span in spans(len(self), n))

    def fingerprint(self) -> str:
        """Return a checksum of dtype, shape and stored values, whatever their order within a row."""
        return fingerprint_rows(self)


class FrameRows:
    """Rows of an Arrow table with named columns."""

    def __init__(self, table: pa.Table) -> None:
        self.table = table
        self.kind: Kind = "frame"
        self.shape: tuple[int, ...] = (table.num_columns,)
        self.in_memory = True

    def __len__(self) -> int:
        return int(self.table.num_rows)

    def take(self, index: NDArray[np.int64]) -> Block:
        """Return the rows with these numbers as a table."""
        try:
            return self.table.take(pa.array(index))
        except pa.ArrowNotImplementedError:
            refuse_types(self.table)
            raise

    def chunks(self, n: int) -> Iterator[Block]:
        """Walk through the rows, ``n`` at a time, as views."""
        return (self.table.slice(span.start, span.stop - span.start) for span in spans(len(self), n))

    def fingerprint(self) -> str:
        """Return a checksum of column names, types and values."""
        return fingerprint_rows(self)


def as_rows(x: Any) -> Rows:
    """Take what the user has and make Rows of it.

    Parameters
    ----------
    x : array, memory map, open ``.npy`` file, tensor, sparse matrix, pandas or polars frame, Arrow table, list of lists
        Two dimensions (n, columns), or images (n, channels, height, width) of uint8 or floats. Arrays keep their dtype
        and are not copied; sparse matrices become CSR; frames become Arrow tables.

    Returns
    -------
    Rows

    Raises
    ------
    DataError
        For anything else, and for no rows or no columns.

    Examples
    --------
    >>> rows = as_rows(np.arange(6).reshape(3, 2))
    >>> rows.kind, rows.shape, len(rows), rows.take(np.array([2, 0])).tolist()
    ('dense', (2,), 3, [[4, 5], [0, 1]])
    """
    if hasattr(type(x), "fingerprint"):  # asked of the type: a pandas frame also answers for its columns' names
        rows: Rows = x
        return rows
    if sp.issparse(x):
        return _sparse_rows(x)
    if isinstance(x, StoredArray):
        return _array_rows(x)
    table = _as_table(x)
    return _array_rows(_as_array(x)) if table is None else _frame_rows(table)


def _as_table(x: Any) -> pa.Table | None:
    """Make a table of a frame from any library, none of which is imported here; None when it is not a frame."""
    library = type(x).__module__.partition(".")[0]
    try:
        if isinstance(x, pa.Table):
            return x
        if library == "pandas" and x.ndim == 2:
            return pa.Table.from_pandas(x, preserve_index=False)
        if library == "polars" and hasattr(x, "to_arrow") and hasattr(x, "columns"):
            return x.to_arrow()
        if library not in {"pandas", "polars"} and (
            hasattr(x, "__arrow_c_stream__") or hasattr(x, "__arrow_c_array__")
        ):
            return pa.table(x)
    except Exception as error:  # every library raises errors of its own
        reason = " ".join(str(part) for part in error.args)
        raise DataError(f"the {library} frame cannot be read: {reason}; give every column one type and name") from error
    if hasattr(x, "collect") and library == "polars":
        raise DataError("a polars LazyFrame holds no rows yet; pass frame.collect()")
    return None


def _frame_rows(table: pa.Table) -> FrameRows:
    twice = find_duplicates(table.column_names)
    if twice:
        raise DataError(f"column names must differ, but {list_names(twice)} came more than once; rename them")
    _refuse_empty((table.num_rows, table.num_columns))
    # A table in many pieces takes rows two hundred times slower than one in one piece; this copies only the former.
    return FrameRows(without_views(table).combine_chunks())


def _sparse_rows(x: Any) -> SparseRows:
    if x.ndim != 2:
        raise DataError(f"a sparse matrix must have two dimensions, got shape {x.shape}")
    _refuse_dtype(x.dtype, "biuf")
    _refuse_empty(x.shape)
    return SparseRows(sp.csr_matrix(x))


def _array_rows(array: NDArray[Any] | StoredArray) -> ArrayRows:
    if array.ndim == 4:
        _refuse_image_dtype(array.dtype)
    elif array.ndim != 2:
        _refuse_dimensions(array)
    _refuse_dtype(array.dtype, "biuf")
    _refuse_empty(array.shape)
    return ArrayRows(array)


def _is_mapped(array: Any) -> bool:
    """Say whether an array is, or is a view of, a file on disk."""
    if isinstance(array, StoredArray):
        return True
    while array is not None and not isinstance(array, np.memmap):
        array = getattr(array, "base", None)
    return array is not None


def _as_array(x: Any) -> NDArray[Any]:
    if hasattr(x, "detach") and hasattr(x, "cpu"):
        x = _read_tensor(x)
    if isinstance(x, np.ma.MaskedArray):
        x = np.ma.filled(x.astype(np.float64), np.nan)
    try:
        array = np.asarray(x)
    except (ValueError, TypeError) as error:
        raise DataError(f"the rows cannot be read as an array: {error}; every row needs the same length") from error
    return _convert_objects(array) if array.dtype == object else array


def _read_tensor(x: Any) -> NDArray[Any]:
    try:
        tensor: NDArray[Any] = x.detach().cpu().numpy()
    except (TypeError, RuntimeError) as error:
        raise DataError(
            f"the tensor cannot be read as an array: {error}; pass a dense tensor, e.g. x.float()"
        ) from error
    return tensor


def _convert_objects(array: NDArray[Any]) -> NDArray[np.float64]:
    if any(isinstance(cell, str | bytes) for cell in array.flat):
        raise DataError(
            "the array holds text; pass a pandas, polars or Arrow frame, whose columns may be of different types"
        )
    try:
        return array.astype(np.float64)
    except (TypeError, ValueError) as error:
        raise DataError(f"the array holds objects that are not numbers: {error}; pass an array of numbers") from error


def _refuse_dimensions(array: NDArray[Any] | StoredArray) -> None:
    if array.ndim < 2:
        raise DataError(
            f"expected a 2-D array, got a {array.ndim}-D one of shape {array.shape}. Reshape your data either using "
            "array.reshape(-1, 1) if it has a single column or array.reshape(1, -1) if it is a single row"
        )
    raise DataError(
        f"expected 2-D rows (n, columns) or 4-D images (n, channels, height, width), got a {array.ndim}-D array of "
        f"shape {array.shape}; grey images need a channel axis: array[:, None]"
    )


def _refuse_image_dtype(dtype: np.dtype[Any]) -> None:
    if dtype != np.uint8 and dtype.kind not in "fc":
        raise DataError(f"images must be uint8 or floats, got {dtype}; convert them with array.astype")


def _refuse_dtype(dtype: np.dtype[Any], kinds: str) -> None:
    if dtype.kind == "c":
        raise DataError(f"Complex data not supported: got {dtype}; pass real and imaginary parts as columns")
    if dtype.kind not in kinds:
        raise DataError(
            f"an array must hold numbers, got {dtype}; pass text and dates as a pandas, polars or Arrow frame"
        )


def _refuse_empty(shape: tuple[int, ...]) -> None:
    if shape[0] == 0:
        raise DataError(f"Found 0 sample(s) (shape={shape}) while a minimum of 1 is required.")
    if 0 in shape[1:]:
        raise DataError(f"Found 0 feature(s) (shape={shape}) while a minimum of 1 is required.")
