"""One look for every figure, one colour for every kind of row and every method."""

import contextlib
from collections.abc import Iterator
from typing import Any

import matplotlib as mpl

POSITIVE = "#c1440e"
UNLABELLED = "#9aa5b1"
NEGATIVE = "#31688e"
THRESHOLD = "#111111"

_STYLE: dict[Any, Any] = {
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.titlesize": 10,
    "axes.labelsize": 9,
    "figure.constrained_layout.use": True,
    "font.size": 9,
    "legend.frameon": False,
    "legend.fontsize": 8,
    "svg.fonttype": "path",
    "svg.hashsalt": "angularpu",  # otherwise every run gives its marks other names
}


@contextlib.contextmanager
def styled() -> Iterator[None]:
    """Draw in the house style for the length of a block, whatever the user's own is."""
    with mpl.rc_context(_STYLE):
        yield
