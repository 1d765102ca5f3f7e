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
MISSED, FALSE_ALARM = "#f0a35e", "#6a3d9a"
Scores = NDArray[Any]


def draw_scores(axes: "Axes", groups: dict[str, Scores], *, threshold: float, colours: dict[str, str]) -> None:
    """Draw how the scores of several groups of rows are distributed, with the threshold.

    Each group is drawn as a density of its own, so that a few labelled positives can be seen beside many other rows.
    """
    edges = _find_edges(np.concatenate(list(groups.values())))
    for name, score in groups.items():
        axes.hist(score, edges, density=True, alpha=0.55, color=colours[name], label=f"{name} ({len(score)})")
    axes.axvline(threshold, color=THRESHOLD, linewidth=1.2, label=f"threshold {threshold:.2f}")
    axes.set(xlabel="score", ylabel="density", yticks=[])
    axes.legend(loc="upper left")


def draw_outcomes(axes: "Axes", score: Scores, *, threshold: float, y: Scores) -> None:
    """Draw how many rows have each score, by what becomes of them at the threshold: counts, one row a row."""
    above = score > threshold
    outcomes = {
        "found": (score[(y == 1) & above], POSITIVE),
        "missed": (score[(y == 1) & ~above], MISSED),
        "false alarms": (score[(y == 0) & above], FALSE_ALARM),
        "rightly not flagged": (score[(y == 0) & ~above], NEGATIVE),
    }
    groups, colours = zip(*outcomes.values(), strict=True)
    names = [f"{name}: {len(group)}" for name, group in zip(outcomes, groups, strict=True)]
    axes.hist(list(groups), _find_edges(score), stacked=True, color=list(colours), label=names)
    axes.axvline(threshold, color=THRESHOLD, linewidth=1.2)
    axes.set(xlabel="score", ylabel="rows")
    axes.legend(loc="upper left")


def _draw_known(axes: "Axes", score_pos: Scores, score_unl: Scores, *, threshold: float) -> None:
    groups = {f"unlabelled: {len(score_unl)}": score_unl, f"known positives: {len(score_pos)}": score_pos}
    edges = _find_edges(np.concatenate(list(groups.values())))
    axes.hist(list(groups.values()), edges, stacked=True, color=[UNLABELLED, POSITIVE], label=list(groups))
    axes.axvline(threshold, color=THRESHOLD, linewidth=1.2, label=f"threshold {threshold:.2f}")
    axes.set(xlabel="score", ylabel="rows")
    axes.legend(loc="upper left")


def _find_edges(score: Scores) -> list[float]:
    return [float(edge) for edge in np.linspace(score.min(), score.max(), BINS + 1)]


def save_score_figure(path: Path, *, score_pos: Scores, score_unl: Scores, threshold: float, y_unl: Scores) -> None:
    """Save what the model sees beside what becomes of the unlabelled rows, as SVG or PNG, with the numbers as CSV.

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

    def draw(figure: "Figure") -> None:
        left, right = figure.subplots(1, 2, sharex=True)
        _draw_known(left, score_pos, score_unl, threshold=threshold)
        draw_outcomes(right, score_unl, threshold=threshold, y=y_unl)
        left.set_title("What is known")
        right.set_title("What becomes of the unlabelled rows")

    picture = Picture(
        name=path.stem,
        caption="Scores with the threshold: what is known; and what is found, missed or a false alarm among the rest.",
        size=(8, 2.8),
        draw=draw,
        columns=("score", "labelled", "positive"),
        numbers=[(score, 1, 1) for score in score_pos]
        + [(score, 0, int(y)) for score, y in zip(score_unl, y_unl, strict=True)],
    )
    save_picture(picture, path.parent, suffix=path.suffix)
