"""Figures: functions of data and axes."""

import csv
from pathlib import Path
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from numpy.typing import NDArray

from angularpu import files
from angularpu.figures.style import NEGATIVE, POSITIVE, THRESHOLD, UNLABELLED, styled

BINS = 40
Scores = NDArray[Any]


def draw_scores(axes: Axes, groups: dict[str, Scores], *, threshold: float, colours: dict[str, str]) -> None:
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
    """Save what the model sees beside what is true, as SVG, with the numbers as CSV beside it.

    Parameters
    ----------
    path : Path
        Ends in .svg.
    score_pos, score_unl : arrays
        Scores of labelled positives and of unlabelled rows, made by models that were not trained on them.
    threshold : float
    y_unl : array
        True classes of the unlabelled rows, 1 or 0.
    """
    seen = {"unlabelled": score_unl, "labelled positive": score_pos}
    true = {"negative": score_unl[y_unl == 0], "positive, unlabelled": score_unl[y_unl == 1]}
    with styled():
        figure = Figure(figsize=(8, 2.8))
        left, right = figure.subplots(1, 2, sharex=True)
        draw_scores(left, seen, threshold=threshold, colours=dict(zip(seen, (UNLABELLED, POSITIVE), strict=True)))
        draw_scores(right, true, threshold=threshold, colours=dict(zip(true, (NEGATIVE, POSITIVE), strict=True)))
        left.set_title("What is known: labelled positives and unlabelled rows")
        right.set_title("What is true of the unlabelled rows")
        with files.atomic_file(path) as temporary:
            figure.savefig(temporary, format="svg", metadata={"Date": None})
    with files.atomic_file(path.with_suffix(".csv")) as temporary, temporary.open("w", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(["score", "labelled", "positive"])
        writer.writerows([f"{score:.6g}", 1, 1] for score in score_pos)
        writer.writerows([f"{score:.6g}", 0, int(y)] for score, y in zip(score_unl, y_unl, strict=True))
