"""A picture of what a decision would be if the prior were another."""

import csv
from pathlib import Path

from matplotlib.axes import Axes
from matplotlib.figure import Figure

from angularpu import files
from angularpu.decide.sensitivity import Sensitivity
from angularpu.figures.style import NEGATIVE, POSITIVE, THRESHOLD, styled


def draw_sensitivity(axes: Axes, curve: Sensitivity, *, prior: float | None) -> None:
    """Draw expected precision and recall over the prior, and mark the prior in use."""
    axes.plot(curve.prior, curve.precision, color=POSITIVE, label="expected precision")
    axes.plot(curve.prior, curve.recall, color=NEGATIVE, label="recall")
    if prior is not None:
        axes.axvline(prior, color=THRESHOLD, linewidth=1, linestyle=":", label=f"prior in use, {prior:.2f}")
    axes.set(xlim=(0, 1), ylim=(0, 1.02), xlabel="share of positives, if it were", ylabel="expected")
    axes.legend(loc="lower right")


def save_sensitivity_figure(path: Path, curve: Sensitivity, *, prior: float | None) -> None:
    """Save the picture as SVG, with its numbers as CSV beside it.

    Parameters
    ----------
    path : Path
        Ends in .svg.
    curve : Sensitivity
    prior : float or None
        The prior in use.
    """
    with styled():
        figure = Figure(figsize=(5, 3))
        draw_sensitivity(figure.subplots(), curve, prior=prior)
        with files.atomic_file(path) as temporary:
            figure.savefig(temporary, format="svg", metadata={"Date": None})
    with files.atomic_file(path.with_suffix(".csv")) as temporary, temporary.open("w", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(["prior", "threshold", "precision", "recall"])
        writer.writerows(zip(curve.prior, curve.threshold, curve.precision, curve.recall, strict=True))
