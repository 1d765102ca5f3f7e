"""The arrays of a stored preparation: which there are, and which numbers they may hold."""

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from angularpu.errors import ModelError
from angularpu.files import Outline

_PLACES, _VALUES = Outline((None,), "int64"), Outline((None,), "float64")


def outline_preparation(content: Mapping[str, Any]) -> dict[str, Outline]:
    """Return the arrays that a preparation's JSON asks for.

    >>> sorted(outline_preparation({"kind": "sparse", "columns": 3}))
    ['kept', 'peak']
    """
    match content["kind"]:
        case "sparse":
            return {"kept": _PLACES, "peak": _VALUES}
        case "image":
            channels = Outline((content["shape"][0],), "float64")
            return {"mean": channels, "std": channels}
    return {"kept": _PLACES, "mean": _VALUES, "std": _VALUES, "flagged": _PLACES}


def check_preparation(content: Mapping[str, Any], arrays: Mapping[str, NDArray[Any]]) -> None:
    """Refuse arrays that point outside the columns, differ in length, or would divide by nothing.

    Parameters
    ----------
    content : mapping
        The preparation's JSON, checked.
    arrays : mapping of str to array
        As :func:`outline_preparation` asks for, all finite.
    """
    for name in ("std", "peak"):
        if name in arrays and not np.all(arrays[name] > 0):
            raise ModelError(f"the array 'preparation/{name}' must be above 0")
    if content["kind"] == "image":
        return
    columns = len(content["sources"]) if content["kind"] == "frame" else content["columns"]
    for name in ("kept", "flagged"):
        _check_places(f"preparation/{name}", arrays.get(name, np.empty(0, np.int64)), columns)
    lengths = {len(arrays[name]) for name in ("kept", "mean", "std", "peak") if name in arrays}
    if len(lengths) > 1:
        raise ModelError("the arrays of the preparation differ in length")


def _check_places(name: str, places: NDArray[np.int64], columns: int) -> None:
    if np.any(places < 0) or np.any(places >= columns) or np.any(np.diff(places) <= 0):
        raise ModelError(f"the array {name!r} must hold ascending numbers of {columns} columns")
