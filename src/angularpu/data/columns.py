"""What a column of a frame holds, and how to get numbers or text out of it."""

from typing import Any, Literal, NoReturn

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from angularpu.errors import DataError, quote

ValueKind = Literal["number", "date", "duration", "text"]

MISSING = ("", "NA", "N/A", "NaN", "nan", "null", "NULL", "None")

_PARSED: dict[ValueKind, tuple[pa.DataType, ...]] = {
    "number": (pa.float64(), pa.bool_()),
    "date": (pa.timestamp("us"), pa.timestamp("us", "UTC")),
}
_TICKS = {"s": 1.0, "ms": 1e3, "us": 1e6, "ns": 1e9}


def value_kind(type_: pa.DataType) -> ValueKind | None:
    """Say how values of an Arrow type are treated; None when they cannot be used at all.

    >>> value_kind(pa.int8()), value_kind(pa.date32()), value_kind(pa.string()), value_kind(pa.list_(pa.int8()))
    ('number', 'date', 'text', None)
    """
    is_ = pa.types
    if is_.is_integer(type_) or is_.is_floating(type_) or is_.is_decimal(type_) or is_.is_boolean(type_):
        return "number"
    if is_.is_null(type_):
        return "number"
    if is_.is_date(type_) or is_.is_timestamp(type_):
        return "date"
    if is_.is_time(type_) or is_.is_duration(type_):
        return "duration"
    if str(type_) in {"string", "large_string", "string_view"}:
        return "text"
    if is_.is_dictionary(type_) and value_kind(type_.value_type) is not None:
        return "text"
    return None


def without_views(table: pa.Table) -> pa.Table:
    """Return a table whose text columns are of a type that all of Arrow's functions know; others stay as they are.

    >>> without_views(pa.table({"t": pa.array(["a"], pa.string_view()), "n": [1]})).schema.types
    [DataType(large_string), DataType(int64)]
    """
    for place, field in enumerate(table.schema):
        inner = field.type.value_type if pa.types.is_dictionary(field.type) else field.type
        if pa.types.is_string_view(inner):
            table = table.set_column(place, field.name, _without_view(table.column(place)))
    return table


def as_column(values: Any, *, name: str) -> pa.Array:
    """Return an array as a column of a table, or say why it cannot be one.

    >>> as_column(np.array(["a", "b"]), name="key").to_pylist()
    ['a', 'b']
    """
    try:
        return pa.array(values)
    except Exception as error:  # text that is no Unicode makes NumPy and Arrow raise errors of many kinds
        raise DataError(f"{quote(name)} cannot be a column of a table: {error}; pass numbers or text") from error


def refuse_type(name: str, type_: pa.DataType) -> NoReturn:
    """Refuse a column whose values are neither numbers, dates nor text."""
    raise DataError(
        f"column {quote(name)} holds values of type {type_}, which cannot be used; "
        "pass numbers, booleans, dates, text or categories, or leave the column out"
    )


def refuse_types(table: pa.Table) -> None:
    """Refuse the first column whose values are neither numbers, dates nor text, if there is one."""
    for field in table.schema:
        if value_kind(field.type) is None:
            refuse_type(field.name, field.type)


def whole(column: pa.ChunkedArray | pa.Array) -> pa.Array:
    """Return a column in one piece, without a copy where it already is one."""
    if isinstance(column, pa.Array):
        return column
    return column.chunk(0) if column.num_chunks == 1 else column.combine_chunks()


def as_text(column: pa.Array) -> pa.Array:
    """Return any usable column as text; a number reads the same whatever its type was.

    >>> as_text(pa.array([3.0, 2.5, None])).to_pylist() == as_text(pa.array(["3", "2.5", None])).to_pylist()
    True
    """
    if pa.types.is_dictionary(column.type):
        column = column.cast(column.type.value_type)
    if pa.types.is_floating(column.type):
        column = column.cast(pa.float64())  # float32 would be written with fewer digits: another text for one value
    return column.cast(pa.large_string())


def as_numbers(column: pa.Array, kind: ValueKind, *, name: str, first_row: int = 0) -> NDArray[np.generic]:
    """Return a column as numbers, NaN where a value is missing; dates and durations become seconds.

    Text is parsed when every value of it is of the expected kind.

    Parameters
    ----------
    column : pyarrow.Array of length n
    kind : {"number", "date", "duration"}
        What the column is expected to hold.
    name : str
        The column's name, for messages.
    first_row : int
        The number of the first row, for messages.

    Returns
    -------
    ndarray of shape (n,), of any real dtype

    Examples
    --------
    >>> as_numbers(pa.array(["1.5", "NA"]), "number", name="weight")
    array([1.5, nan])
    """
    if pa.types.is_null(column.type):
        return np.full(len(column), np.nan)
    if pa.types.is_dictionary(column.type):
        column = column.cast(column.type.value_type)
    found = value_kind(column.type)
    if found == "text":
        column = _parse(column, kind, name=name, first_row=first_row)
    elif found is None:
        refuse_type(name, column.type)
    elif found != kind:
        raise DataError(
            f"column {quote(name)} holds {kind}s in the fitted data, but values of type {column.type} came; convert it"
        )
    if pa.types.is_boolean(column.type):
        column = column.cast(pa.uint8())
    elif pa.types.is_decimal(column.type):
        column = column.cast(pa.float64())
    elif kind != "number":
        return _seconds(column)
    numbers: NDArray[np.generic] = column.to_numpy(zero_copy_only=False)
    return numbers


def blank_missing(text: pa.Array) -> pa.Array:
    """Trim the cells of a text column and make those that stand for a missing value null.

    >>> blank_missing(pa.array([" 7", "N/A", ""])).to_pylist()
    ['7', None, None]
    """
    text = pc.utf8_trim_whitespace(text)
    return pc.if_else(pc.is_in(text, value_set=pa.array(MISSING, text.type)), pa.scalar(None, text.type), text)


def parses(text: pa.Array, type_: pa.DataType) -> bool:
    """Say whether every value of a text column that is not missing can be read as this type.

    >>> parses(pa.array(["1", None]), pa.int64()), parses(pa.array(["1", "one"]), pa.int64())
    (True, False)
    """
    start, size = 0, 64
    while start < len(text):
        try:
            text.slice(start, size).cast(type_)
        except pa.ArrowInvalid:
            return False
        # Growing pieces, because Arrow makes an error message for every value that fails, and keeps one.
        start, size = start + size, 2 * size
    return True


def _without_view(column: pa.ChunkedArray) -> pa.ChunkedArray:
    if not pa.types.is_dictionary(column.type):
        return column.cast(pa.large_string())
    chunks = [
        pa.DictionaryArray.from_arrays(chunk.indices, chunk.dictionary.cast(pa.large_string()))
        for chunk in column.chunks
    ]
    return pa.chunked_array(chunks, pa.dictionary(column.type.index_type, pa.large_string()))


def _parse(text: pa.Array, kind: ValueKind, *, name: str, first_row: int) -> pa.Array:
    text = blank_missing(as_text(text))
    types = _PARSED.get(kind, ())
    for type_ in types:
        if parses(text, type_):
            return text.cast(type_)
    row = _first_failure(text, types)
    raise DataError(
        f"column {quote(name)}, row {first_row + row} (the first is 0): {quote(text[row].as_py())} is not a {kind}"
    )


def _first_failure(text: pa.Array, types: tuple[pa.DataType, ...]) -> int:
    """Find by halving the first row that ends the run of values one of the types can read."""
    reached = 0
    for type_ in types:
        low, high = 0, len(text) - 1
        while low < high:
            middle = (low + high) // 2
            low, high = (middle + 1, high) if parses(text.slice(low, middle + 1 - low), type_) else (low, middle)
        reached = max(reached, low)
    return reached


def _seconds(column: pa.Array) -> NDArray[np.float64]:
    if pa.types.is_date(column.type):
        column = column.cast(pa.timestamp("s" if pa.types.is_date32(column.type) else "ms"))
    ticks = column.view(pa.int32() if column.type.bit_width == 32 else pa.int64())
    seconds: NDArray[np.float64] = ticks.to_numpy(zero_copy_only=False) / _TICKS[column.type.unit]
    return seconds
