"""Curves of a metric against a setting, with deviations, drawn on given axes."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from numpy.typing import NDArray

from angularpu_bench.report.results import summarise


@dataclass(frozen=True)
class Curve:
    """One curve: its name, its colour, and its mean and deviation at each point.

    Attributes
    ----------
    name, colour : str
    x, mean, std : tuples of float, of one length
        x ascending.
    """

    name: str
    colour: str
    x: tuple[float, ...]
    mean: tuple[float, ...]
    std: tuple[float, ...]


def make_curve(name: str, colour: str, *, values: Mapping[float, NDArray[Any]]) -> Curve:
    """Make a curve from the values of all seeds at each setting; settings without values are left out.

    >>> make_curve("spam", "black", values={2.0: np.array([0.5]), 1.0: np.array([0.25, 0.75])}).mean
    (0.5, 0.5)
    """
    points = [(float(x), *summarise(found)) for x, found in sorted(values.items()) if len(found)]
    x, mean, std = zip(*points, strict=True) if points else ((), (), ())
    return Curve(name, colour, x, mean, std)


def draw_curves(axes: Axes, curves: Sequence[Curve], *, setting: str, metric: str, log: bool = False) -> None:
    """Draw curves with bands of one deviation.

    Parameters
    ----------
    axes : matplotlib Axes
    curves : sequence of Curve
    setting, metric : str
        Names of the axes.
    log : bool
        Whether the setting has a logarithmic axis.
    """
    for curve in curves:
        mean, std = np.array(curve.mean), np.array(curve.std)
        axes.plot(curve.x, mean, "o-", color=curve.colour, markersize=3.5, linewidth=1.4, label=curve.name)
        axes.fill_between(curve.x, mean - std, mean + std, color=curve.colour, alpha=0.15, linewidth=0)
    if log:
        axes.set_xscale("log")
        settings = sorted({x for curve in curves for x in curve.x})
        axes.set_xticks(settings, [f"{x:g}" for x in settings])  # powers of ten would leave most of them out
        axes.minorticks_off()
    axes.set(xlabel=setting, ylabel=metric)
