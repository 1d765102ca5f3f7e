"""What a user may write for "labelled" and "unlabelled", brought to 1 and 0."""

from decimal import Decimal
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from angularpu.errors import DataError

SHOWN = 5


def encode_labels(s: ArrayLike) -> tuple[NDArray[np.int8], tuple[Any, ...]]:
    """Turn any two values into 1 (labelled positive) and 0 (unlabelled); the greater one is the labelled one.

    Parameters
    ----------
    s : array-like of shape (n,)
        One value per row: 1 and 0, 1 and -1, booleans, or any two numbers or strings.

    Returns
    -------
    s : int8 array of shape (n,)
        1 for labelled positives, 0 for unlabelled rows.
    classes : tuple
        The two values as they came, the unlabelled one first; bytes become text and decimals numbers, so that a model's
        JSON can hold them.

    Raises
    ------
    DataError
        When a value is missing, or when there is not exactly one value of each kind.

    Examples
    --------
    >>> encode_labels([1, -1, -1])
    (array([1, 0, 0], dtype=int8), (-1, 1))
    >>> encode_labels(["sick", "?", "sick"])[1]
    ('?', 'sick')
    """
    # NumPy would write NaN, and 1 beside "1", as strings: a list keeps its own values.
    values = np.asarray(s, dtype=object) if isinstance(s, list | tuple) else np.asarray(s)
    if values.ndim != 1 or len(values) == 0:
        raise DataError(f"s must hold one value per row, got an array of shape {values.shape}; pass a flat array")
    classes = _sort_distinct(values)
    if len(classes) == 1:
        raise DataError(
            f"s holds one class only, {classes[0]!r}; mark labelled positives and unlabelled rows with two values"
        )
    if len(classes) > 2:
        shown = ", ".join(repr(value) for value in classes[:SHOWN]) + (", ..." if len(classes) > SHOWN else "")
        raise DataError(
            f"s holds {len(classes)} values ({shown}); mark labelled positives and unlabelled rows with just two"
        )
    return (values == classes[1]).astype(np.int8), tuple(_as_plain(value) for value in classes)


def _sort_distinct(values: NDArray[Any]) -> list[Any]:
    if values.dtype.kind not in "biufOUST":
        raise DataError(f"s must hold numbers, booleans or strings, got {values.dtype}; pass 1 and 0, for example")
    try:
        # set() is made in C and keeps Python's own notion of equality, which np.unique lacks for objects.
        distinct = list(set(values.tolist())) if values.dtype.kind == "O" else np.unique(values).tolist()
        if any(_is_missing(value) for value in distinct):
            raise DataError("s holds missing values (NaN or None); write 0 for a row that carries no label")
        return sorted(distinct)
    except TypeError:
        raise DataError(
            "s mixes values that cannot be compared, such as numbers and strings; use one type for all rows"
        ) from None


def _as_plain(value: Any) -> bool | int | float | str:
    if isinstance(value, bytes):
        return value.decode("utf-8", "replace")
    if isinstance(value, Decimal):
        return int(value) if value == int(value) else float(value)
    plain = value.item() if isinstance(value, np.generic) else value
    if not isinstance(plain, bool | int | float | str):
        kind = type(plain).__name__
        raise DataError(f"s must hold numbers, booleans or strings, got {plain!r} of type {kind}; pass 1 and 0")
    return plain


def _is_missing(value: Any) -> bool:
    return value is None or type(value).__name__ in {"NAType", "NaTType"} or bool(value != value)
