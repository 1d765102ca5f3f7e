"""Paired differences to one method, a panel for each data set, all panels in one order of methods."""

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from angularpu.figures.picture import Picture
from angularpu.figures.style import UNLABELLED, colour_of
from angularpu_bench.report.differences import compare_results
from angularpu_bench.report.names import name_dataset, name_method, name_told
from angularpu_bench.report.results import Results

MOST_COLUMNS = 4
GREY = "#707070"


@dataclass(frozen=True)
class Gap:
    """How far a method lies from the reference on a data set: the mean over draws, and its t interval."""

    dataset: str
    method: str
    mean: float
    low: float
    high: float


def find_gaps(results: Results, methods: Sequence[str], *, datasets: Sequence[str], reference: str) -> list[Gap]:
    """Compare every method with the reference on every data set, over the draws of labels that both have."""
    gaps = []
    for dataset in datasets:
        here = results.where(dataset=dataset)
        for method in methods:
            found = compare_results(here.where(label=method), here.where(label=reference), metric="auc")
            if found is not None:
                gaps.append(Gap(dataset, method, found.mean, found.low, found.high))
    return gaps


def make_forest(gaps: Sequence[Gap], *, name: str, reference: str) -> Picture:
    """Make the picture: methods from the best mean difference to the worst, the reference as a line at zero."""
    datasets = list(dict.fromkeys(gap.dataset for gap in gaps))
    means = {method: np.mean([gap.mean for gap in gaps if gap.method == method]) for method in {g.method for g in gaps}}
    order = sorted(means, key=lambda method: (means[method], method))
    columns = min(MOST_COLUMNS, len(datasets))
    rows = math.ceil(len(datasets) / columns)

    def draw(figure: Figure) -> None:
        grid = figure.subplots(rows, columns, squeeze=False, sharey=True).ravel()
        for axes, dataset in zip(grid, datasets, strict=False):
            own = [gap for gap in gaps if gap.dataset == dataset]
            _draw_panel(axes, own, order=order, colour=colour_of(reference))
            axes.set_title(name_dataset(dataset).replace(", ", ",\n", 1))
        for axes in grid[len(datasets) :]:
            axes.remove()
        between = "\n" if columns == 1 else " "  # one panel is too narrow for one line
        below = f"AUC minus {name_method(reference)}'s:{between}right of the line a method is better"
        figure.supxlabel(below, fontsize=9)

    return Picture(
        name=name,
        caption=f"Which methods rank better than {name_method(reference)}? AUC minus {name_method(reference)}'s on the "
        "same draws of labels, mean and 95 % t interval; methods in one order, the best mean on top.",
        size=(1.9 * columns + 1.6, rows * (0.16 * len(order) + 0.8) + 0.4),
        draw=draw,
        columns=("dataset", "method", "difference", "low", "high"),
        numbers=[(gap.dataset, gap.method, gap.mean, gap.low, gap.high) for gap in gaps],
    )


def _draw_panel(axes: Axes, gaps: Sequence[Gap], *, order: Sequence[str], colour: str) -> None:
    heights = [order.index(gap.method) for gap in gaps]
    ends = np.array([[gap.mean - gap.low, gap.high - gap.mean] for gap in gaps]).T
    axes.axvline(0, color=colour, linewidth=1.6, zorder=1)
    axes.errorbar(
        [gap.mean for gap in gaps],
        heights,
        xerr=np.nan_to_num(np.maximum(ends, 0)),
        fmt="o",
        color=GREY,
        markersize=3,
        elinewidth=0.9,
    )
    axes.set_yticks(range(len(order)), [name_told(method) for method in order])
    axes.set_ylim(-0.7, len(order) - 0.3)
    axes.tick_params(axis="y", length=0)
    axes.locator_params(axis="x", nbins=3)
    axes.grid(axis="y", color=UNLABELLED, alpha=0.25, linewidth=0.6)
