"""Which method leads where: the rank of every method on every data set, as a map of colours with numbers."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from matplotlib.figure import Figure
from numpy.typing import NDArray

from angularpu.figures.picture import Picture

DARK = 0.45  # of the way from the best rank to the worst; below it the numbers are white


def make_heat_map(
    ranks: NDArray[Any], *, methods: Sequence[str], datasets: Sequence[str], name: str, caption: str, marked: str
) -> Picture:
    """Make the picture, methods from the best average rank on top to the worst.

    Parameters
    ----------
    ranks : array of shape (data sets, methods)
        1 is best.
    methods, datasets : sequences of str
        Their titles.
    name, caption : str
    marked : str
        The title of the method that is written in bold.
    """
    order = np.argsort(ranks.mean(axis=0), kind="stable")
    shown, worst = ranks[:, order].T, len(methods)

    def draw(figure: Figure) -> None:
        axes = figure.subplots()
        columns, rows = np.arange(len(datasets) + 1) - 0.5, np.arange(len(order) + 1) - 0.5
        axes.pcolormesh(columns, rows, shown, cmap="Blues_r", vmin=1, vmax=worst, rasterized=False)
        axes.invert_yaxis()
        for (row, column), rank in np.ndenumerate(shown):
            colour = "white" if (rank - 1) / max(worst - 1, 1) < DARK else "black"
            axes.text(column, row, f"{rank:g}", ha="center", va="center", fontsize=7, color=colour)
        axes.set_xticks(range(len(datasets)), [title.replace(", ", ",\n", 1) for title in datasets], rotation=40)
        for label in axes.get_xticklabels():
            label.set(ha="left", rotation_mode="anchor")
        axes.set_yticks(range(len(order)), [methods[method] for method in order])
        for label in axes.get_yticklabels():
            label.set_fontweight("bold" if label.get_text() == marked else "normal")
        axes.xaxis.tick_top()
        axes.tick_params(length=0)
        axes.spines[:].set_visible(False)

    return Picture(
        name=name,
        caption=caption,
        size=(2.2 + 0.75 * len(datasets), 1.3 + 0.19 * len(methods)),
        draw=draw,
        columns=("dataset", "method", "rank"),
        numbers=[
            (dataset, methods[method], float(ranks[position, method]))
            for position, dataset in enumerate(datasets)
            for method in order
        ],
    )
