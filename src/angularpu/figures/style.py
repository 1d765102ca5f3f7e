"""One style for every figure, one colour for every kind of row and every method."""

import contextlib
import importlib
from collections.abc import Iterator, Mapping
from types import MappingProxyType
from typing import Any

from angularpu.errors import SettingError
from angularpu.methods.presets import PRESETS
from angularpu.methods.table import METHODS

POSITIVE = "#c1440e"
UNLABELLED = "#9aa5b1"
NEGATIVE = "#31688e"
THRESHOLD = "#111111"

GROUP_COLOURS: Mapping[str, str] = MappingProxyType(
    {"negative": NEGATIVE, "hidden positive": "#f0a35e", "unlabelled": UNLABELLED, "labelled positive": POSITIVE}
)
# For lines that differ by data set or setting rather than by method.
SERIES_COLOURS = ("#31688e", "#c1440e", "#35b779", "#8c6d31", "#6a3d9a", "#d45087", "#0b7a75", "#9aa5b1")

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


def import_matplotlib() -> Any:
    """Return matplotlib, which only pictures need, or say how to install it.

    >>> import_matplotlib().__name__
    'matplotlib'
    """
    try:
        importlib.import_module("matplotlib.figure")
        return importlib.import_module("matplotlib")
    except ModuleNotFoundError:
        raise SettingError(
            "a picture needs matplotlib, which is not installed; install it: pip install 'angularpu[figures]'"
        ) from None


@contextlib.contextmanager
def styled() -> Iterator[None]:
    """Draw in one style for the length of a block, whatever the user's own settings are."""
    with import_matplotlib().rc_context(_STYLE):
        yield


def colour_of(method: str) -> str:
    """Return a method's colour, the same in every figure; a preset has its method's, and a variant its geometry's.

    >>> colour_of("nnpu"), colour_of("paper") == colour_of("COS-WGH-Mlearn") == colour_of("angular")
    ('#2f7ed8', True)
    """
    geometry = "euclidean" if method.startswith("L2-") else "angular" if method.startswith("COS-") else "naive"
    known = PRESETS[method].method if method in PRESETS else method
    return METHODS[known if known in METHODS else geometry].colour
