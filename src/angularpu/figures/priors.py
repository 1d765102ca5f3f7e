"""A picture of what every estimator says about the share of positives."""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from angularpu.figures.picture import Picture, check_picture, save_picture
from angularpu.figures.style import POSITIVE, UNLABELLED
from angularpu.priors.estimate import PriorEstimate

if TYPE_CHECKING:
    from matplotlib.axes import Axes


def draw_priors(axes: "Axes", estimates: Sequence[PriorEstimate]) -> None:
    """Draw each estimate of alpha as a point with its 90 % interval, from the top down in the order given."""
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
    """Save the picture as SVG or PNG, with its numbers as CSV beside it.

    Parameters
    ----------
    path : Path
        Ends in .svg or .png.
    estimates : sequence of PriorEstimate
    """
    check_picture(path)
    picture = Picture(
        name=path.stem,
        caption="The share of positives among the unlabelled rows by every estimator, with 90 % intervals.",
        size=(6, 0.6 + 0.35 * len(estimates)),
        draw=lambda figure: draw_priors(figure.subplots(), estimates),
        columns=("name", "alpha", "low", "high", "prior", "label_freq"),
        numbers=[(e.name, e.alpha, e.low, e.high, e.prior, e.label_freq) for e in estimates],
    )
    save_picture(picture, path.parent, suffix=path.suffix)
