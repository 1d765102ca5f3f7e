"""Who leads: the average rank of every method, with its ranks on single data sets behind it."""

from collections.abc import Collection, Sequence

import numpy as np
from matplotlib.figure import Figure

from angularpu.figures.picture import Picture
from angularpu.figures.style import POSITIVE, THRESHOLD, UNLABELLED
from angularpu_bench.report.ranking import Ranking

GREY = "#707070"


def make_leaderboard(
    ranking: Ranking, *, methods: Sequence[str], datasets: Sequence[str], name: str, marked: Collection[str]
) -> Picture:
    """Make the picture, the best average rank on top.

    Parameters
    ----------
    ranking : Ranking
    methods, datasets : sequences of str
        Their titles.
    name : str
    marked : collection of str
        The titles of the methods that stand out; the others are grey.
    """
    order = np.argsort(ranking.ranks, kind="stable")

    def draw(figure: Figure) -> None:
        axes = figure.subplots()
        heights = np.arange(len(order), 0, -1)
        for height, method in zip(heights, order, strict=True):
            own, average = ranking.each[:, method], ranking.ranks[method]
            colour = POSITIVE if methods[method] in marked else GREY
            axes.plot([own.min(), own.max()], [height, height], color=UNLABELLED, linewidth=1, alpha=0.6, zorder=1)
            axes.scatter(own, np.full(len(own), height), s=14, color=UNLABELLED, zorder=2)
            axes.scatter(average, height, s=44, color=colour, edgecolors="white", linewidths=0.8, zorder=3)
            axes.text(len(methods) + 0.8, float(height), f"{average:.1f}", va="center", fontsize=8, color=colour)
        axes.set_yticks(heights, [methods[method] for method in order])
        for label in axes.get_yticklabels():
            shown = label.get_text() in marked
            label.set(fontweight="bold" if shown else "normal", color=POSITIVE if shown else THRESHOLD)
        axes.set_xlim(0.3, len(methods) + 2.2)
        axes.set_xticks([1, *range(5, len(methods) + 1, 5)])
        axes.set_ylim(0.3, len(order) + 0.7)
        axes.tick_params(axis="y", length=0)
        axes.set_xlabel(f"rank by AUC among {len(methods)} methods (1 is best): average, and on each data set")

    return Picture(
        name=name,
        caption=f"Who leads? Average rank by AUC over {ranking.n} data sets (large dots and numbers; 1 is best), and "
        "the rank on each of them (small dots).",
        size=(7.4, 0.19 * len(methods) + 0.8),
        draw=draw,
        columns=("method", "average_rank", *datasets),
        numbers=[(methods[m], float(ranking.ranks[m]), *map(float, ranking.each[:, m])) for m in order],
    )
