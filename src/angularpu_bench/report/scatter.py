"""Embeddings by their angle to the prototype, coloured by group, drawn on given axes."""

from collections.abc import Mapping
from typing import Any

from matplotlib.axes import Axes
from numpy.typing import NDArray

from angularpu.figures.style import GROUP_COLOURS


def draw_embeddings(axes: Axes, groups: Mapping[str, NDArray[Any]], *, title: str) -> None:
    """Draw the cosine with the prototype and what is left of the embedding, the first group below the others.

    Parameters
    ----------
    axes : matplotlib Axes
    groups : mapping of name to array of shape (n, 2)
        Names as in ``style.GROUP_COLOURS``.
    title : str
    """
    for name, points in groups.items():
        axes.scatter(points[:, 0], points[:, 1], s=6, alpha=0.7, linewidths=0, color=GROUP_COLOURS[name], label=name)
    axes.set(title=title, xlabel="cosine with the prototype", ylabel="rest, along its main axis", xlim=(-1.05, 1.05))
