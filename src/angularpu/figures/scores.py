"""A picture of scores: what the model sees beside what is true."""

from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from angularpu.figures.picture import Picture, check_picture, save_picture
from angularpu.figures.style import NEGATIVE, POSITIVE, THRESHOLD, UNLABELLED

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

BINS = 40
Scores = NDArray[Any]


def draw_scores(axes: "Axes", groups: dict[str, Scores], *, threshold: float, colours: dict[str, str]) -> None:
    """Draw how the scores of several groups of rows are distributed, with the threshold.

    Each group is drawn as a density of its own, so that a few labelled positives can be seen beside many other rows.
    """
    everything = np.concatenate(list(groups.values()))
    edges = np.linspace(everything.min(), everything.max(), BINS + 1)
    for name, score in groups.items():
        axes.hist(score, edges.tolist(), density=True, alpha=0.55, color=colours[name], label=f"{name} ({len(score)})")
    axes.axvline(threshold, color=THRESHOLD, linewidth=1.2, label=f"threshold {threshold:.2f}")
    axes.set(xlabel="score", ylabel="density", yticks=[])
    axes.legend(loc="upper left")


def save_score_figure(path: Path, *, score_pos: Scores, score_unl: Scores, threshold: float, y_unl: Scores) -> None:
    """Save what the model sees beside what is true, as SVG or PNG, with the numbers as CSV beside it.

    Parameters
    ----------
    path : Path
        Ends in .svg or .png.
    score_pos, score_unl : arrays
        Scores of labelled positives and of unlabelled rows, made by models that were not trained on them.
    threshold : float
    y_unl : array
        True classes of the unlabelled rows, 1 or 0.
    """
    check_picture(path)
    seen = {"unlabelled": score_unl, "labelled positive": score_pos}
    true = {"negative": score_unl[y_unl == 0], "positive, unlabelled": score_unl[y_unl == 1]}

    def draw(figure: "Figure") -> None:
        left, right = figure.subplots(1, 2, sharex=True)
        draw_scores(left, seen, threshold=threshold, colours=dict(zip(seen, (UNLABELLED, POSITIVE), strict=True)))
        draw_scores(right, true, threshold=threshold, colours=dict(zip(true, (NEGATIVE, POSITIVE), strict=True)))
        left.set_title("What is known: labelled positives and unlabelled rows")
        right.set_title("What is true of the unlabelled rows")

    picture = Picture(
        name=path.stem,
        caption="Scores of labelled and unlabelled rows with the threshold, and the true classes of the latter.",
        size=(8, 2.8),
        draw=draw,
        columns=("score", "labelled", "positive"),
        numbers=[(score, 1, 1) for score in score_pos]
        + [(score, 0, int(y)) for score, y in zip(score_unl, y_unl, strict=True)],
    )
    save_picture(picture, path.parent, suffix=path.suffix)
