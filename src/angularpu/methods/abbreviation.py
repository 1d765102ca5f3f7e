"""Objects in one short line: a network, an array or a long list does not flood the terminal."""

import reprlib
from typing import Any

LONGEST = 80


def abbreviate(value: Any) -> str:
    """Write a value as Python would, or only what it is where that is long.

    >>> abbreviate(0.5), abbreviate("pu-auc"), abbreviate(list(range(100)))
    ('0.5', "'pu-auc'", '[0, 1, 2, 3, 4, 5, ...]')
    >>> import numpy as np
    >>> abbreviate({"clean": (np.zeros((40, 4)), np.zeros(40))})
    "{'clean': (<ndarray of shape (40, 4)>, <ndarray of shape (40,)>)}"
    """
    return _SHORT.repr(value)


class _Short(reprlib.Repr):
    """The standard library's abbreviations, and for other objects their class and shape."""

    def repr_instance(self, x: Any, level: int) -> str:
        """Return what ``x`` says of itself if that is one short line."""
        shape = getattr(x, "shape", None)
        if shape:  # an array or a frame, which would print its entries
            return f"<{type(x).__name__} of shape {tuple(shape)}>"
        text = repr(x)
        return text if len(text) <= LONGEST and "\n" not in text else f"<{type(x).__name__}>"


_SHORT = _Short()
_SHORT.maxdict = 20
_SHORT.maxstring = LONGEST
