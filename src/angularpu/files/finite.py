"""Arrays from a file that must be finite; apart from the other files, which do without NumPy."""

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from angularpu.errors import ModelError


def refuse_infinite(arrays: Mapping[str, NDArray[Any]]) -> None:
    """Refuse arrays with a number that is not finite.

    >>> refuse_infinite({"coef_": np.array([1.0, np.nan])})
    Traceback (most recent call last):
    angularpu.errors.ModelError: the array 'coef_' holds numbers that are not finite
    """
    for name, array in arrays.items():
        if array.dtype.kind == "f" and not np.isfinite(array).all():
            raise ModelError(f"the array {name!r} holds numbers that are not finite")
