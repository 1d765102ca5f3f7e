"""A picture of what every estimator says about the share of positives."""

import csv
from collections.abc import Sequence
from pathlib import Path

from matplotlib.axes import Axes
from matplotlib.figure import Figure

from angularpu import files
from angularpu.figures.style import POSITIVE, UNLABELLED, styled
from angularpu.priors.estimate import PriorEstimate


def draw_priors(axes: Axes, estimates: Sequence[PriorEstimate]) -> None:
    """Draw each estimate of alpha as a point with its 90 % interval, one line each, in the order given."""
    for height, each in enumerate(reversed(estimates)):
        axes.plot([each.low, each.high], [height, height], color=UNLABELLED, linewidth=3, solid_capstyle="butt")
        axes.plot(each.alpha, height, "o", color=POSITIVE)
    axes.set(
        xlim=(0, 1),
        xlabel="share of positives among the unlabelled rows, with 90 % interval",
        yticks=range(len(estimates)),
        yticklabels=[each.name for each in reversed(estimates)],
    )


def save_prior_figure(path: Path, estimates: Sequence[PriorEstimate]) -> None:
    """Save the picture as SVG, with its numbers as CSV beside it.

    Parameters
    ----------
    path : Path
        Ends in .svg.
    estimates : sequence of PriorEstimate
    """
    with styled():
        figure = Figure(figsize=(6, 0.6 + 0.35 * len(estimates)))
        draw_priors(figure.subplots(), estimates)
        with files.atomic_file(path) as temporary:
            figure.savefig(temporary, format="svg", metadata={"Date": None}, bbox_inches="tight")
    with files.atomic_file(path.with_suffix(".csv")) as temporary, temporary.open("w", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(["name", "alpha", "low", "high", "prior", "label_freq"])
        writer.writerows([e.name, e.alpha, e.low, e.high, e.prior, e.label_freq] for e in estimates)
