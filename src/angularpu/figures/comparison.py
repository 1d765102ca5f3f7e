"""A picture of how far methods fall behind the one that ranks best."""

from pathlib import Path
from typing import TYPE_CHECKING

from angularpu.figures.picture import Picture, check_picture, save_picture
from angularpu.figures.style import THRESHOLD, UNLABELLED, colour_of
from angularpu.fit.comparison import Comparison

if TYPE_CHECKING:
    from matplotlib.axes import Axes


def draw_comparison(axes: "Axes", comparison: Comparison) -> None:
    """Draw each method's difference to the best as a point with its interval; filled where it is real."""
    methods = comparison.methods
    axes.axvline(0, color=THRESHOLD, linewidth=1, linestyle=":")
    for height, each in enumerate(reversed(methods)):
        ends = [each.difference_low, each.difference_high]
        axes.plot(ends, [height, height], color=UNLABELLED, linewidth=3, solid_capstyle="butt")
        colour = colour_of(each.name)
        axes.plot(each.difference, height, "o", color=colour, markerfacecolor=colour if each.worse else "white")
    axes.set(
        xlabel=f"PU-AUC less that of {methods[0].name}, with 90 % interval; filled: really worse",
        yticks=range(len(methods)),
        yticklabels=[each.name for each in reversed(methods)],
        ylim=(-0.5, len(methods) - 0.5),
    )


def save_comparison_figure(path: Path, comparison: Comparison) -> None:
    """Save the picture as SVG or PNG, with its numbers as CSV beside it.

    Parameters
    ----------
    path : Path
        Ends in .svg or .png.
    comparison : Comparison
    """
    check_picture(path)
    picture = Picture(
        name=path.stem,
        caption="How far the PU-AUC of each method lies below the best, with 90 % intervals of all pairs at once.",
        size=(6, 0.7 + 0.35 * len(comparison.methods)),
        draw=lambda figure: draw_comparison(figure.subplots(), comparison),
        columns=("method", "pu_auc", "difference", "low", "high", "worse"),
        numbers=[
            (each.name, each.pu_auc, each.difference, each.difference_low, each.difference_high, int(each.worse))
            for each in comparison.methods
        ],
    )
    save_picture(picture, path.parent, suffix=path.suffix)
