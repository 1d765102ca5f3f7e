"""Which array of an ``.npz`` file holds the rows."""

from collections.abc import Collection, Mapping
from pathlib import Path
from typing import Any

from numpy.typing import NDArray

from angularpu.errors import DataError

ROWS_NAMES = ("X", "x", "data")


def find_rows(arrays: Mapping[str, NDArray[Any]], path: Path, *, besides: Collection[str] = ()) -> NDArray[Any]:
    """Return the only array there is, or the one called X, x or data.

    Parameters
    ----------
    arrays : mapping of str to array
    path : Path
        Where they came from, for messages.
    besides : collection of str
        Arrays that hold something else: labels, names of the rows.

    Examples
    --------
    >>> import numpy as np
    >>> find_rows({"X": np.eye(2), "s": np.array([1, 0]), "note": np.array(3)}, Path("a.npz"), besides=["s"]).shape
    (2, 2)
    """
    names = [name for name in arrays if name not in besides]
    known = names if len(names) == 1 else [name for name in ROWS_NAMES if name in names]
    if not known:
        raise DataError(
            f"{path} holds {'the arrays ' + ', '.join(map(repr, names)) if names else 'no array of rows'}; "
            "call the array of rows X"
        )
    return arrays[known[0]]


def find_array(arrays: Mapping[str, NDArray[Any]], path: Path, *, name: str) -> NDArray[Any]:
    """Return the array of this name, or say which ones there are.

    >>> import numpy as np
    >>> find_array({"s": np.array([1, 0])}, Path("a.npz"), name="s").tolist()
    [1, 0]
    """
    if name not in arrays:
        raise DataError(f"{path} has no array {name!r}; it has {', '.join(map(repr, arrays)) or 'none'}")
    return arrays[name]
