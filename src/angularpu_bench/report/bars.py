"""Bars with deviations, one for each method, drawn on given axes."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType

from matplotlib.axes import Axes

from angularpu.figures.style import THRESHOLD, colour_of
from angularpu_bench.report.names import name_method
from angularpu_bench.report.results import Results, summarise


@dataclass(frozen=True)
class Bar:
    """One bar: its name, length, deviation (0 for none) and colour, and the published length (NaN for none)."""

    name: str
    mean: float
    std: float
    colour: str
    published: float = math.nan


def make_bars(results: Results, *, metric: str, published: Mapping[str, float] = MappingProxyType({})) -> list[Bar]:
    """Make one bar for each method or variant, best first, with what was published of it."""
    found = {label: results.where(label=label).values(metric) for label in results.distinct("label")}
    bars = [
        Bar(name_method(label), *summarise(values), colour_of(label), published.get(label, math.nan))
        for label, values in found.items()
        if len(values)
    ]
    return sorted(bars, key=lambda bar: -bar.mean)


def draw_bars(axes: Axes, bars: Sequence[Bar], *, metric: str) -> None:
    """Draw horizontal bars from 0, the first on top, with deviations as whiskers and published means as diamonds.

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
    published = [bar.published for bar in bars]
    axes.scatter(published, heights, marker="D", s=26, facecolors="white", edgecolors=THRESHOLD, linewidths=1, zorder=4)
    axes.set_xlim(left=0)


def _draw_whiskers(axes: Axes, bars: Sequence[Bar], *, metric: str) -> None:
    heights = range(len(bars) - 1, -1, -1)
    means, deviations = [bar.mean for bar in bars], [bar.std for bar in bars]
    upward = [min(bar.std, max(0.0, 1 - bar.mean)) for bar in bars]  # no metric drawn here exceeds 1
    axes.errorbar(means, heights, xerr=[deviations, upward], fmt="none", ecolor=THRESHOLD, elinewidth=0.8)
    axes.set(yticks=heights, yticklabels=[bar.name for bar in bars], xlabel=metric, ylim=(-0.6, len(bars) - 0.4))
    axes.tick_params(axis="y", length=0)
