"""From the labels that a user writes to 1 for labelled and 0 for unlabelled rows."""

import itertools
from decimal import Decimal
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from angularpu.checks import suggest_near
from angularpu.errors import DataError, list_names, quote

Plain = bool | int | float | str
SAY_POSITIVE = "say which value marks the known positives (--positive VALUE, positive=VALUE)"
REST = "unlabelled"  # the name of the unlabelled rows if they have several values


def encode_labels(s: ArrayLike, *, advice: str = "") -> tuple[NDArray[np.int8], tuple[Any, ...]]:
    """Turn any two values into 1 (labelled positive) and 0 (unlabelled); the greater one means labelled.

    If there is one value only, missing ones mean unlabelled.

    Parameters
    ----------
    s : array-like of shape (n,)
        One value per row: 1 and 0, 1 and -1, booleans, any two numbers or strings, or one value and NaN or None.
    advice : str
        What else a user can do about too many values; it ends the sentence that refuses them.

    Returns
    -------
    s : int8 array of shape (n,)
        1 for labelled positives, 0 for unlabelled rows.
    classes : tuple
        The two values, the unlabelled one first. Bytes become text and decimals become numbers, so that they can be
        written as JSON; a missing value becomes the empty text, False or 0.

    Raises
    ------
    DataError
        If there are not exactly two values, or two values and missing ones.

    Examples
    --------
    >>> encode_labels([1, -1, -1])
    (array([1, 0, 0], dtype=int8), (-1, 1))
    >>> encode_labels(["sick", "?", "sick"])[1]
    ('?', 'sick')
    >>> encode_labels(["fraud", None, None])
    (array([1, 0, 0], dtype=int8), ('', 'fraud'))
    """
    values = _flatten(s)
    classes, has_missing = _find_distinct(values)
    if has_missing and len(classes) == 1 and classes[0]:
        known = _as_plain(classes[0])
        return _mark(values, classes[0]), (type(known)(), known)
    if has_missing:
        raise DataError(
            f"the labels are missing (NaN or None) in some rows and {list_names(classes)} in others; missing means "
            f"unlabelled only beside a single value: write one value for all rows without a label{advice}"
        )
    if len(classes) == 1:
        raise DataError(
            f"the labels hold one class only, {quote(classes[0])}; mark known positives and unlabelled rows with two "
            "values"
        )
    if len(classes) > 2:
        raise DataError(
            f"the labels hold {len(classes)} values ({list_names(classes)}); mark known positives and unlabelled rows "
            f"with just two{advice}"
        )
    return _mark(values, classes[1]), tuple(_as_plain(value) for value in classes)


def encode_unmistakable(s: ArrayLike) -> tuple[NDArray[np.int8], tuple[Any, Any]]:
    """Turn labels into 1 and 0 as :func:`encode_labels` does, but never by the alphabet: two words are refused.

    A file's words often sort the wrong way round ("known" before "unknown"), and the inverted model would be fitted.

    Examples
    --------
    >>> encode_unmistakable(["sick", "", ""])[1]
    ('', 'sick')
    >>> encode_unmistakable(["known", "unknown", "unknown"])
    Traceback (most recent call last):
    angularpu.errors.DataError: the labels are the words 'known' and 'unknown', ...
    """
    marked, classes = encode_labels(s, advice=f", or {SAY_POSITIVE}")
    rest, positive = classes
    if isinstance(positive, str) and rest:
        raise DataError(
            f"the labels are the words {quote(rest)} and {quote(positive)}, which do not tell which of them marks the "
            f"known positives; {SAY_POSITIVE}"
        )
    return marked, (rest, positive)


def encode_positive(s: ArrayLike, positive: str) -> tuple[NDArray[np.int8], tuple[Any, Any]]:
    """Turn the value that is spelled ``positive`` into 1 and all others, missing ones included, into 0.

    Parameters
    ----------
    s : array-like of shape (n,)
    positive : str
        The value as a user writes it: ``fraud``, ``1``, ``true``.

    Returns
    -------
    s : int8 array of shape (n,)
    classes : tuple
        The names of the unlabelled rows and of the positives; that of the former is their value if they have only one.

    Examples
    --------
    >>> encode_positive(["fraud", "unknown", "unknown"], "fraud")
    (array([1, 0, 0], dtype=int8), ('unknown', 'fraud'))
    >>> encode_positive([2.0, 0.0, float("nan")], "2")
    (array([1, 0, 0], dtype=int8), ('unlabelled', 2.0))
    """
    values = _flatten(s)
    classes, has_missing = _find_distinct(values)
    found = [value for value in classes if positive in spell(value)]
    if not found:
        near = suggest_near(positive, [str(_as_plain(value)) for value in classes])
        raise DataError(f"no row has the value {quote(positive)}; {near or f'the values are {list_names(classes)}'}")
    marked = _mark(values, found[0])
    if marked.all():
        raise DataError(f"every row has the value {quote(positive)}; without unlabelled rows there is nothing to find")
    others = [value for value in classes if value != found[0]]
    rest = _as_plain(others[0]) if len(others) == 1 and not has_missing else REST
    return marked, (rest, _as_plain(found[0]))


def warn_reversed(s: NDArray[np.int8], classes: tuple[Any, ...]) -> str | None:
    """Return a warning if most rows are taken for known positives because of the alphabet.

    >>> warn_reversed(np.array([1, 1, 0], np.int8), ("fraud", "unknown"))[:64]
    "most rows are taken for known positives, because 'unknown' comes"
    """
    if not isinstance(classes[1], str) or 2 * np.count_nonzero(s) <= len(s):
        return None
    rest, positive = map(quote, classes)
    return (
        f"most rows are taken for known positives, because {positive} comes after {rest} in the alphabet; "
        f"if {rest} marks the known positives, say so"
    )


def has_missing(s: NDArray[Any]) -> bool:
    """Tell whether any row has no value at all.

    >>> has_missing(np.array(["a", None])), has_missing(np.array([1.0, np.nan])), has_missing(np.array([1, 0]))
    (True, True, False)
    """
    if s.dtype.kind == "O":
        return any(map(_is_missing, set(s.tolist())))
    return s.dtype.kind == "f" and bool(np.isnan(s).any())


def _flatten(s: ArrayLike) -> NDArray[Any]:
    # NumPy would write NaN, and 1 beside "1", as strings: a list keeps its own values.
    values = np.asarray(s, dtype=object) if isinstance(s, list | tuple) else np.asarray(s)
    if values.ndim != 1 or len(values) == 0:
        raise DataError(f"s must hold one value per row, got an array of shape {values.shape}; pass a flat array")
    return values


def _find_distinct(values: NDArray[Any]) -> tuple[list[Any], bool]:
    """Return the different values in order, and whether any row has none."""
    if values.dtype.kind not in "biufOUST":
        raise DataError(f"s must hold numbers, booleans or strings, got {values.dtype}; pass 1 and 0, for example")
    try:
        # set() is fast and compares as Python does, which np.unique does not for objects.
        distinct = list(set(values.tolist())) if values.dtype.kind == "O" else np.unique(values).tolist()
        present = [value for value in distinct if not _is_missing(value)]
        "".join(value for value in present if isinstance(value, str)).encode()
    except (ValueError, SystemError) as error:  # NumPy's strings may hold numbers that are no characters
        raise DataError("the labels hold text that is no valid Unicode; write other words") from error
    except TypeError as error:
        raise DataError(f"s must hold numbers, booleans or strings, got {error}; pass 1 and 0") from error
    try:
        return sorted(present), len(present) < len(distinct)
    except TypeError:
        raise DataError(
            "the labels mix values that cannot be compared, such as numbers and strings; use one type for all rows"
        ) from None


def _mark(values: NDArray[Any], positive: Any) -> NDArray[np.int8]:
    """Return 1 where a value is the positive one; missing values are never compared."""
    if values.dtype.kind != "O":
        marked: NDArray[np.int8] = (values == positive).astype(np.int8)
        return marked
    return np.fromiter(map({positive: 1}.get, values.tolist(), itertools.repeat(0)), np.int8, len(values))


def spell(value: Any) -> set[str]:
    """Return the ways in which a user may write a value."""
    plain = _as_plain(value)
    ways = {str(plain), str(plain).lower(), str(plain).upper()} if isinstance(plain, bool) else {str(plain)}
    return ways | {str(int(plain))} if isinstance(plain, float) and plain.is_integer() else ways


def _as_plain(value: Any) -> Plain:
    if isinstance(value, bytes):
        return value.decode("utf-8", "replace")
    if isinstance(value, Decimal):
        value = int(value) if value == int(value) else float(value)
    plain = value.item() if isinstance(value, np.generic) else value
    if isinstance(plain, int | float) and not -(2**63) <= plain < 2**64:
        raise DataError(f"s must hold finite numbers of at most 64 bits, got {quote(plain)}; pass 1 and 0")
    if not isinstance(plain, bool | int | float | str):
        kind = type(plain).__name__
        raise DataError(f"s must hold numbers, booleans or strings, got {quote(plain)} of type {kind}; pass 1 and 0")
    return plain


def _is_missing(value: Any) -> bool:
    return value is None or type(value).__name__ in {"NAType", "NaTType"} or bool(value != value)
