"""Bars and dots with deviations, one for each method, drawn on given axes."""

from collections.abc import Sequence
from dataclasses import dataclass

from matplotlib.axes import Axes

from angularpu.figures.style import THRESHOLD, UNLABELLED, colour_of
from angularpu_bench.report.names import name_method
from angularpu_bench.report.results import Results, summarise


@dataclass(frozen=True)
class Bar:
    """One bar: its name, its length, its deviation (0 for none) and its colour."""

    name: str
    mean: float
    std: float
    colour: str


def make_bars(results: Results, *, attribute: str, metric: str) -> list[Bar]:
    """Make one bar for each value of an attribute (method or label), best first."""
    found = {value: results.where(**{attribute: value}).values(metric) for value in results.distinct(attribute)}
    bars = [Bar(name_method(v), *summarise(values), colour_of(v)) for v, values in found.items() if len(values)]
    return sorted(bars, key=lambda bar: -bar.mean)


def draw_bars(axes: Axes, bars: Sequence[Bar], *, metric: str) -> None:
    """Draw horizontal bars from 0, the first on top, with deviations as whiskers.

    Parameters
    ----------
    axes : matplotlib Axes
    bars : sequence of Bar
    metric : str
        Name of what is measured, for the axis.
    """
    heights = range(len(bars) - 1, -1, -1)
    axes.barh(heights, [bar.mean for bar in bars], color=[bar.colour for bar in bars], height=0.72)
    _draw_whiskers(axes, bars, metric=metric)
    axes.set_xlim(left=0)


def draw_dots(axes: Axes, bars: Sequence[Bar], *, metric: str) -> None:
    """Draw only the ends of the bars, on an axis that need not begin at 0, to show differences that bars would hide."""
    axes.scatter(
        [bar.mean for bar in bars], range(len(bars) - 1, -1, -1), c=[bar.colour for bar in bars], s=22, zorder=3
    )
    _draw_whiskers(axes, bars, metric=metric)
    axes.grid(axis="y", color=UNLABELLED, alpha=0.3, linewidth=0.6)


def _draw_whiskers(axes: Axes, bars: Sequence[Bar], *, metric: str) -> None:
    heights = range(len(bars) - 1, -1, -1)
    means, deviations = [bar.mean for bar in bars], [bar.std for bar in bars]
    axes.errorbar(means, heights, xerr=deviations, fmt="none", ecolor=THRESHOLD, elinewidth=0.8)
    axes.set(yticks=heights, yticklabels=[bar.name for bar in bars], xlabel=metric, ylim=(-0.6, len(bars) - 0.4))
    axes.tick_params(axis="y", length=0)
