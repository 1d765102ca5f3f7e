"""A picture of what a threshold is worth if the share of positives is another."""

from pathlib import Path
from typing import TYPE_CHECKING

from angularpu.decide.sensitivity import Sensitivity
from angularpu.figures.picture import Picture, check_picture, save_picture
from angularpu.figures.style import NEGATIVE, POSITIVE, THRESHOLD

if TYPE_CHECKING:
    from matplotlib.axes import Axes


def draw_sensitivity(axes: "Axes", curve: Sensitivity, *, prior: float | None) -> None:
    """Draw expected precision and recall over the prior, and mark the prior in use."""
    axes.plot(curve.prior, curve.precision, color=POSITIVE, label="expected precision")
    axes.plot(curve.prior, curve.recall, color=NEGATIVE, label="recall")
    if prior is not None:
        axes.axvline(prior, color=THRESHOLD, linewidth=1, linestyle=":", label=f"prior in use, {prior:.2f}")
    axes.set(xlim=(0, 1), ylim=(0, 1.02), xlabel="if this share of rows were positive", ylabel="expected")
    axes.legend(loc="lower right")


def save_sensitivity_figure(path: Path, curve: Sensitivity, *, prior: float | None) -> None:
    """Save the picture as SVG or PNG, with its numbers as CSV beside it.

    Parameters
    ----------
    path : Path
        Ends in .svg or .png.
    curve : Sensitivity
    prior : float or None
        The prior in use.
    """
    check_picture(path)
    picture = Picture(
        name=path.stem,
        caption="Expected precision and recall of the threshold in use, by the share of positives.",
        size=(5, 3),
        draw=lambda figure: draw_sensitivity(figure.subplots(), curve, prior=prior),
        columns=("prior", "threshold", "precision", "recall"),
        numbers=list(zip(curve.prior, curve.threshold, curve.precision, curve.recall, strict=True)),
    )
    save_picture(picture, path.parent, suffix=path.suffix)
