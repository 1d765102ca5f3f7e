"""A picture of how much each column of a model matters."""

from pathlib import Path
from typing import TYPE_CHECKING

from angularpu.figures.picture import Picture, check_picture, save_picture
from angularpu.figures.style import POSITIVE, UNLABELLED
from angularpu.model.importance import Importance

if TYPE_CHECKING:
    from matplotlib.axes import Axes

MOST_BARS = 20


def draw_importance(axes: "Axes", importance: Importance) -> None:
    """Draw a bar for each column, the most important on top, as many as fit."""
    names = importance.names[:MOST_BARS]
    loss, sd = importance.loss[:MOST_BARS], importance.sd[:MOST_BARS]
    axes.barh(range(len(names)), loss, xerr=sd, color=POSITIVE, ecolor=UNLABELLED)
    axes.invert_yaxis()
    axes.set(
        xlabel=f"loss of PU-AUC ({importance.pu_auc:.3f}) when the column is shuffled",
        yticks=range(len(names)),
    )
    axes.set_yticklabels([name.replace("$", r"\$") for name in names])  # a name is no formula


def save_importance_figure(path: Path, importance: Importance) -> None:
    """Save the picture as SVG, with the numbers of all columns as CSV beside it.

    Parameters
    ----------
    path : Path
        Ends in .svg.
    importance : Importance
    """
    check_picture(path)
    picture = Picture(
        name=path.stem,
        caption="The loss of PU-AUC when one column is shuffled.",
        size=(6, 0.8 + 0.28 * min(MOST_BARS, len(importance.names))),
        draw=lambda figure: draw_importance(figure.subplots(), importance),
        columns=("column", "loss", "sd"),
        numbers=list(zip(importance.names, importance.loss, importance.sd, strict=True)),
    )
    save_picture(picture, path.parent)
