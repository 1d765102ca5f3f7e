"""Embeddings in two dimensions, coloured by group, drawn on given axes."""

from collections.abc import Mapping
from typing import Any

from matplotlib.axes import Axes
from numpy.typing import NDArray

from angularpu.figures.style import GROUP_COLOURS


def draw_embeddings(axes: Axes, groups: Mapping[str, NDArray[Any]], *, title: str) -> None:
    """Draw the points of several groups, the first below the others, with equal scales on both axes.

    Parameters
    ----------
    axes : matplotlib Axes
    groups : mapping of name to array of shape (n, 2)
        Names as in ``style.GROUP_COLOURS``.
    title : str
    """
    for name, points in groups.items():
        axes.scatter(points[:, 0], points[:, 1], s=6, alpha=0.7, linewidths=0, color=GROUP_COLOURS[name], label=name)
    axes.set(title=title, xticks=[], yticks=[])
    axes.set_aspect("equal", adjustable="datalim")
