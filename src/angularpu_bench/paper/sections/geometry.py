"""Cosine against distance: the eight leaderboard rows and their paired differences."""

import math
from collections.abc import Sequence

from angularpu.figures.picture import Picture
from angularpu_bench.paper.evidence import Evidence
from angularpu_bench.paper.flaws import find_common_flaws
from angularpu_bench.paper.published import Published
from angularpu_bench.paper.published_fields import show_published
from angularpu_bench.report.bars import draw_bars, make_bars
from angularpu_bench.report.differences import compare, show_difference
from angularpu_bench.report.names import name_dataset, order_datasets, order_tracks
from angularpu_bench.report.panels import make_bar_picture
from angularpu_bench.report.remarks import list_failures, list_warnings
from angularpu_bench.report.results import Results
from angularpu_bench.report.section import Part, Section, say_missing
from angularpu_bench.report.table import NONE, NOT_RUN, Cell, Table, mark_best, show_mean

COSINE, DISTANCE = "COS-WGH-Mlearn", "L2-WGH-Rlearn"
LEADERBOARD = (
    "COS-WGH-M0.5",
    COSINE,
    "COS-REG-Mlearn",
    "COS-BCE-Mlearn",
    "L2-BCE-Rlearn-N",
    "L2-WGH-R1.0",
    DISTANCE,
    "L2-BCE-Rlearn",
)
FIGURES = {"ap": "AP", "auc": "AUC", "f1_oracle": "F1, oracle cut"}
THEIR_DATASETS = ("cifar10", "svhn", "stl10", "adni")
OVERALL = "Overall"
THEIRS = ("AP cosine", "AP L2", "AUC cosine", "AUC L2", "F1 cosine", "F1 L2")
TABLE = "cosine_vs_l2"  # as the published numbers call it
NOTE = (
    f"Primary configuration, weights and a trained margin: {COSINE} minus {DISTANCE}. Differences of AP are paired "
    "by data set and draw of labels, with a 95 % bootstrap interval; overall pools all pairs, as the published one "
    "does, and so treats data sets as exchangeable."
)


def make_section(evidence: Evidence) -> Section:
    """Make the paired comparison by data set, the leaderboard over all of them, and their pictures."""
    results = evidence.results.where(kind="geometry")
    parts: list[Part] = [] if results else [say_missing("geometry")]
    parts.append(NOTE)
    absent = [name for name in THEIR_DATASETS if name not in results.distinct("dataset")]
    for position, track in enumerate(order_tracks(results.distinct("track")) or [""]):
        rows = results.where(track=track)
        datasets = [*order_datasets(rows.distinct("dataset")), *(absent if position == 0 else [])]
        parts.append(make_pair_table(rows, evidence.published, datasets=datasets, track=track))
        parts.append(make_leaderboard(rows, evidence.published, track=track))
        if rows.finished:
            parts.append(_picture_leaderboard(rows, track=track))
        if any(row.label in (COSINE, DISTANCE) for row in rows.finished):
            parts.append(_picture_pairs(rows, track=track))
    return Section("Geometry: cosine against distance", parts)


def make_pair_table(results: Results, published: Published, *, datasets: Sequence[str], track: str) -> Table:
    """Make the table of cosine against distance by data set and overall."""
    cosine, distance = (results.where(label=label) for label in (COSINE, DISTANCE))
    rows = []
    for dataset in [*datasets, OVERALL]:
        both = [part if dataset == OVERALL else part.where(dataset=dataset) for part in (cosine, distance)]
        difference = compare(*both, figure="ap")
        # Draws of one data set are no independent evidence about others: no test over all of them.
        p_value = math.nan if difference is None or dataset == OVERALL else difference.p_t
        ours = [show_mean(part.values(figure), 3) for figure in FIGURES for part in both]
        name = Cell(OVERALL if dataset == OVERALL else name_dataset(dataset))
        pairs = Cell(NOT_RUN) if difference is None else Cell(str(difference.n), difference.n)
        rows.append((name, pairs, *ours, show_difference(difference, p_value=p_value), *_beside(published, dataset)))
    columns = [f"{name} {side}" for name in FIGURES.values() for side in ("cosine", "L2")]
    return Table(
        title=f"Cosine against distance by data set{f', {track} track' if track else ''}",
        columns=(
            "data set",
            "pairs",
            *columns,
            "ΔAP [95 %]",
            "published ΔAP [95 %]",
            *(f"published {c}" for c in THEIRS),
        ),
        rows=tuple(rows),
        notes=(*list_failures(results), *list_warnings(results)),
        marks=find_common_flaws(TABLE, ""),
    )


def make_leaderboard(results: Results, published: Published, *, track: str) -> Table:
    """Make the eight rows over all data sets and seeds, published means beside ours."""
    datasets = order_datasets(results.distinct("dataset"))
    labels = list(dict.fromkeys([*LEADERBOARD, *results.distinct("label")]))
    rows = []
    for label in labels:
        own = results.where(label=label)
        n = Cell(str(len(own.finished)), len(own.finished)) if own else Cell(NOT_RUN)
        beside = [
            show_published(published, "leaderboard", dataset="overall", row=label, metric=metric)
            for metric in ("ap", "auc", "f1")
        ]
        rows.append((Cell(label), n, *(show_mean(own.values(figure), 3) for figure in FIGURES), *beside))
    over = ", ".join(name_dataset(name) for name in datasets)
    return Table(
        title=f"Leaderboard over all data sets and seeds{f', {track} track' if track else ''}",
        columns=("row", "cells", *FIGURES.values(), "published AP", "published AUC", "published F1"),
        rows=mark_best(rows, columns=range(2, 5), eligible=[True] * len(rows)),
        notes=(f"Ours over {over}; deviations include what data sets differ by.",) if datasets else (),
        marks=find_common_flaws("leaderboard", "overall"),
    )


def _beside(published: Published, dataset: str) -> list[Cell]:
    """Return the published difference with its interval, and the figures of both sides."""
    row = published.row(TABLE, dataset, "cosine-l2")
    if not row:
        return [Cell(NONE)] * (1 + len(THEIRS))
    mean, low, high = (row[f"delta_ap{end}"].mean for end in ("", "_ci_low", "_ci_high"))
    of_table = find_common_flaws(TABLE, "")
    of_dataset = tuple(mark for mark in find_common_flaws(TABLE, dataset) if mark not in of_table)
    return [
        Cell(f"{mean:+.3f} [{low:+.3f}, {high:+.3f}]", mean, marks=of_dataset),
        *(
            show_published(published, TABLE, dataset=dataset, row=side, metric=metric)
            for metric in ("ap", "auc", "f1")
            for side in ("cosine", "l2")
        ),
    ]


def _picture_leaderboard(results: Results, *, track: str) -> Picture:
    bars = make_bars(results, attribute="label", figure="ap")
    return Picture(
        name=f"leaderboard-{track}",
        caption="Average precision of the leaderboard's rows over all data sets and seeds; cosine red, distance pale.",
        size=(6, 0.26 * len(bars) + 0.8),
        draw=lambda figure: draw_bars(figure.subplots(), bars, figure="AP"),
        columns=("row", "mean", "std"),
        numbers=[(bar.name, bar.mean, bar.std) for bar in bars],
    )


def _picture_pairs(results: Results, *, track: str) -> Picture:
    chosen = Results(tuple(row for row in results.finished if row.label in (COSINE, DISTANCE)))
    panels = {
        name_dataset(name): make_bars(chosen.where(dataset=name), attribute="label", figure="ap")
        for name in order_datasets(chosen.distinct("dataset"))
    }
    caption = "Average precision with cosine and with distance, weights and a trained margin, by data set."
    return make_bar_picture(panels, name=f"geometry-{track}", caption=caption, figure="AP")
