"""Pictures of several panels, one for each data set or metric."""

import math
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from matplotlib.axes import Axes
from matplotlib.figure import Figure

from angularpu.figures.picture import Picture
from angularpu_bench.report.bars import Bar, draw_bars, draw_dots
from angularpu_bench.report.curves import Curve, draw_curves

MOST_COLUMNS = 3
WIDTH = 3.3


def make_bar_picture(
    panels: Mapping[str, Sequence[Bar]], *, name: str, caption: str, metric: str, dots: bool = False
) -> Picture:
    """Make a picture with one panel of bars for each title, or of dots if differences are small."""

    def draw(axes: Axes, title: str) -> None:
        (draw_dots if dots else draw_bars)(axes, panels[title], metric=metric)
        axes.set_title(title)

    height = 0.17 * max(len(bars) for bars in panels.values()) + 0.9
    return Picture(
        name=name,
        caption=caption,
        size=_size(len(panels), height=height),
        draw=lambda canvas: _draw_grid(canvas, list(panels), draw),
        columns=("panel", "name", "mean", "std"),
        numbers=[(title, bar.name, bar.mean, bar.std) for title, bars in panels.items() for bar in bars],
    )


def make_curve_picture(
    panels: Mapping[str, Sequence[Curve]], *, name: str, caption: str, setting: str, log: bool = False
) -> Picture:
    """Make a picture with one panel of curves for each metric, and one legend for all panels.

    Parameters
    ----------
    panels : mapping of title to curves
    name, caption : str
    setting : str
        What the horizontal axis shows.
    log : bool
        Whether the setting has a logarithmic axis.
    """

    def draw(axes: Axes, title: str) -> None:
        draw_curves(axes, panels[title], setting=setting, metric=title, log=log)

    def draw_all(canvas: Figure) -> None:
        _draw_grid(canvas, list(panels), draw)
        lines = {str(line.get_label()): line for axes in canvas.axes for line in axes.get_lines()}
        canvas.legend(list(lines.values()), list(lines), loc="outside right upper")

    numbers: list[tuple[Any, ...]] = [
        (title, curve.name, *point)
        for title, curves in panels.items()
        for curve in curves
        for point in zip(curve.x, curve.mean, curve.std, strict=True)
    ]
    width, height = _size(len(panels), height=2.6)
    return Picture(name, caption, (width + 1.5, height), draw_all, ("panel", "name", "x", "mean", "std"), numbers)


def _shape(panels: int) -> tuple[int, int]:
    columns = 2 if panels == 4 else min(MOST_COLUMNS, panels)
    return math.ceil(panels / columns), columns


def _size(panels: int, *, height: float) -> tuple[float, float]:
    rows, columns = _shape(panels)
    return WIDTH * columns + 0.4, height * rows


def _draw_grid(canvas: Figure, titles: Sequence[str], draw: Callable[[Axes, str], None]) -> None:
    grid = canvas.subplots(*_shape(len(titles)), squeeze=False).ravel()
    for axes, title in zip(grid, titles, strict=False):
        draw(axes, title)
    for axes in grid[len(titles) :]:
        axes.remove()
