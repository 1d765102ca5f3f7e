"""Pictures of single rows instead of means: how scores are distributed, and where embeddings lie."""

from collections.abc import Sequence
from functools import partial

import numpy as np
from matplotlib.figure import Figure

from angularpu.figures.picture import Picture
from angularpu.figures.scores import draw_scores
from angularpu.figures.style import GROUP_COLOURS
from angularpu_bench.paper.evidence import Evidence
from angularpu_bench.report.names import name_dataset, name_method
from angularpu_bench.report.point_files import POINT_COLUMNS, Point
from angularpu_bench.report.scatter import draw_embeddings
from angularpu_bench.report.section import Part, Section

PANEL_NAMES = {"before": "without the regulariser", "after": "with the regulariser"}


def make_section(evidence: Evidence) -> Section:
    """Draw score distributions and embeddings of each data set for which there are points."""
    parts: list[Part] = []
    for name, points in (("scores", evidence.scores), ("embeddings", evidence.embeddings)):
        if not points:
            parts.append(f"No {name} to draw: experiments/results/{name}.csv is missing.")
        for dataset in dict.fromkeys(point["dataset"] for point in points):
            parts.append(_make_picture([p for p in points if p["dataset"] == dataset], name, dataset=dataset))
    return Section("Scores and embeddings", parts)


def _make_picture(points: Sequence[Point], name: str, *, dataset: str) -> Picture:
    panels = list(dict.fromkeys(point["panel"] for point in points))
    captions = {
        "scores": f"Scores on {name_dataset(dataset)} by true class, with the PU-valid threshold.",
        "embeddings": "What does the regulariser do? Embeddings of "
        f"{name_dataset(dataset)}: the cosine with the prototype, which is the score, and what is left; by true class.",
    }
    return Picture(
        name=f"{name}-{dataset}",
        caption=captions[name],
        size=(3.6 * len(panels), 2.8 if name == "scores" else 3.6),
        draw=partial(_draw_scores if name == "scores" else _draw_embeddings, points=points, panels=panels),
        columns=POINT_COLUMNS[name],
        numbers=[list(point.values()) for point in points],
    )


def _draw_scores(figure: Figure, *, points: Sequence[Point], panels: Sequence[str]) -> None:
    for axes, panel in zip(figure.subplots(1, len(panels), squeeze=False)[0], panels, strict=True):
        groups = _group(points, panel, columns=("score",))
        threshold = next(float(point["threshold"]) for point in points if point["panel"] == panel)
        scores = {name: values[:, 0] for name, values in groups.items()}
        draw_scores(axes, scores, threshold=threshold, colours=dict(GROUP_COLOURS))
        axes.set_title(name_method(panel))


def _draw_embeddings(figure: Figure, *, points: Sequence[Point], panels: Sequence[str]) -> None:
    for axes, panel in zip(figure.subplots(1, len(panels), squeeze=False)[0], panels, strict=True):
        draw_embeddings(axes, _group(points, panel, columns=("x", "y")), title=PANEL_NAMES.get(panel, panel))
    figure.legend(*figure.axes[0].get_legend_handles_labels(), loc="outside lower center", ncols=len(GROUP_COLOURS))


def _group(points: Sequence[Point], panel: str, *, columns: Sequence[str]) -> dict[str, np.ndarray]:
    here = [point for point in points if point["panel"] == panel]
    names = [name for name in GROUP_COLOURS if any(point["group"] == name for point in here)]
    return {n: np.array([[float(p[c]) for c in columns] for p in here if p["group"] == n]) for n in names}
