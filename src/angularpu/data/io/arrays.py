"""Arrays in files, read no sooner than they are needed."""

from collections.abc import Collection, Mapping
from pathlib import Path
from typing import Any

from numpy.typing import NDArray

from angularpu.checks import suggest_near
from angularpu.data.io.formats import ARRAYS, Arrays
from angularpu.data.io.numpy_file import ArrayArchive
from angularpu.data.io.reading import refuse_path
from angularpu.errors import DataError, list_names, quote

ARRAY_SUFFIXES = tuple(ARRAYS)
ROWS_NAMES = ("X", "x", "data")


def open_arrays(path: Path) -> Arrays:
    """Open a ``.npy`` file as an array that is read as it is needed, an ``.npz`` file as a mapping of names to arrays.

    Nothing is unpickled: a file of Python objects is refused.

    Examples
    --------
    >>> import tempfile
    >>> import numpy as np
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = Path(folder) / "two.npz"
    ...     np.savez(path, x=np.eye(2), s=np.array([1, 0]))
    ...     arrays = open_arrays(path)
    ...     sorted(arrays), arrays["s"].tolist()
    (['s', 'x'], [1, 0])
    """
    path = Path(path)
    refuse_path(path, tuple(ARRAYS))
    return ARRAYS[path.suffix.lower()](path)


def open_archive(path: Path) -> ArrayArchive:
    """Open an ``.npz`` file as a mapping from names to arrays; no other file will do."""
    path = Path(path)
    refuse_path(path, (".npz",))
    return ArrayArchive(path)


def find_rows(arrays: Mapping[str, NDArray[Any]], path: Path, *, besides: Collection[str] = ()) -> NDArray[Any]:
    """Return the array of an .npz file that holds the rows: the only one there is, or the one called X, x or data.

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
            f"{path} holds {'the arrays ' + list_names(names) if names else 'no array of rows'}; "
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
        near = suggest_near(name, arrays) or f"it has {list_names(arrays) or 'none'}"
        raise DataError(f"{path} has no array {quote(name)}; {near}")
    return arrays[name]
