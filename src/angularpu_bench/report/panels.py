"""Pictures of several panels, one for each data set or metric."""

import math
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Literal

from matplotlib.axes import Axes
from matplotlib.figure import Figure

from angularpu.figures.picture import Picture
from angularpu_bench.report.bars import Bar, draw_bars
from angularpu_bench.report.curves import Curve, draw_curves

MOST_COLUMNS = 3
WIDTH = 3.3


def make_bar_picture(
    panels: Mapping[str, Sequence[Bar]],
    *,
    name: str,
    caption: str,
    metric: str,
    width: float = WIDTH,
) -> Picture:
    """Make a picture with one panel of bars for each title.

    Parameters
    ----------
    panels : mapping of title to bars
    name, caption : str
    metric : str
        What the horizontal axis shows.
    width : float
        Of one panel, in inches.
    """

    def draw(axes: Axes, title: str) -> None:
        draw_bars(axes, panels[title], metric=metric)
        axes.set_title(_break(title))

    height = 0.17 * max(len(bars) for bars in panels.values()) + 1.05
    drawn = [(title, bar) for title, bars in panels.items() for bar in bars]
    compared = any(math.isfinite(bar.published) for _, bar in drawn)
    numbers = [
        (title, bar.name, bar.mean, bar.std, *([_blank_nan(bar.published)] if compared else ())) for title, bar in drawn
    ]
    return Picture(
        name=name,
        caption=caption,
        size=_size(len(panels), height=height, width=width),
        draw=lambda canvas: _draw_grid(canvas, list(panels), draw),
        columns=("panel", "name", "mean", "std", *(["published"] if compared else ())),
        numbers=numbers,
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
        _draw_legend(canvas, below=False)

    numbers: list[tuple[Any, ...]] = [
        (title, curve.name, *point)
        for title, curves in panels.items()
        for curve in curves
        for point in zip(curve.x, curve.mean, curve.std, strict=True)
    ]
    width, height = _size(len(panels), height=2.6)
    return Picture(name, caption, (width + 1.5, height), draw_all, ("panel", "name", "x", "mean", "std"), numbers)


def make_curve_grid(
    rows: Mapping[str, Mapping[str, Sequence[Curve]]], *, name: str, caption: str, setting: str, log: bool = False
) -> Picture:
    """Make a picture with a row of panels for each metric and a column for each data set, all with axes of their own.

    Parameters
    ----------
    rows : mapping of metric to mapping of title to curves
        The same titles in every row.
    name, caption : str
    setting : str
        What the horizontal axes show.
    log : bool
        Whether the setting has a logarithmic axis.
    """
    titles = list(next(iter(rows.values())))

    def draw(canvas: Figure) -> None:
        grid = canvas.subplots(len(rows), len(titles), squeeze=False)
        for position, (metric, panels) in enumerate(rows.items()):
            for axes, title in zip(grid[position], titles, strict=True):
                lowest, leftmost = position == len(rows) - 1, title == titles[0]
                shown = {"setting": setting if lowest else "", "metric": metric if leftmost else ""}
                draw_curves(axes, panels[title], log=log, **shown)
                axes.set_title(_break(title) if position == 0 else "")
        _draw_legend(canvas, below=True)

    numbers: list[tuple[Any, ...]] = [
        (metric, title, curve.name, *point)
        for metric, panels in rows.items()
        for title, curves in panels.items()
        for curve in curves
        for point in zip(curve.x, curve.mean, curve.std, strict=True)
    ]
    size = (2.3 * len(titles) + 0.4, 1.9 * len(rows) + 0.9)
    return Picture(name, caption, size, draw, ("metric", "panel", "name", "x", "mean", "std"), numbers)


def _draw_legend(canvas: Figure, *, below: bool) -> None:
    """Draw one legend for all panels, below them or on their right; curves without a name need none."""
    lines = {str(line.get_label()): line for axes in canvas.axes for line in axes.get_lines()}
    named = {name: line for name, line in lines.items() if name and not name.startswith("_")}
    if named:
        where: Literal["outside lower center", "outside right upper"]
        where = "outside lower center" if below else "outside right upper"
        canvas.legend(list(named.values()), list(named), loc=where, ncols=len(named) if below else 1)


def _break(title: str) -> str:
    """Put what follows a comma, such as the positive classes of a data set, on a line of its own."""
    return title.replace(", ", ",\n", 1)


def _shape(panels: int) -> tuple[int, int]:
    columns = 2 if panels == 4 else min(MOST_COLUMNS, panels)
    return math.ceil(panels / columns), columns


def _size(panels: int, *, height: float, width: float = WIDTH) -> tuple[float, float]:
    rows, columns = _shape(panels)
    return width * columns + 0.4, height * rows


def _blank_nan(value: float) -> float | str:
    return value if math.isfinite(value) else ""


def _draw_grid(canvas: Figure, titles: Sequence[str], draw: Callable[[Axes, str], None]) -> None:
    grid = canvas.subplots(*_shape(len(titles)), squeeze=False).ravel()
    for axes, title in zip(grid, titles, strict=False):
        draw(axes, title)
    for axes in grid[len(titles) :]:
        axes.remove()
