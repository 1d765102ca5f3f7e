"""Cosine against distance: the eight rows of the leaderboard, and the paired differences of two of them."""

import math
from collections.abc import Mapping, Sequence
from types import MappingProxyType

import numpy as np

from angularpu_bench.paper.beside import Column, fill_columns, name_columns
from angularpu_bench.paper.evidence import Evidence
from angularpu_bench.paper.flaws import find_common_flaws
from angularpu_bench.paper.published import Place, Published
from angularpu_bench.paper.published_fields import show_published
from angularpu_bench.paper.sections.geometry_figures import draw_geometry
from angularpu_bench.report.differences import compare_results, show_difference
from angularpu_bench.report.names import name_dataset, order_datasets, order_tracks
from angularpu_bench.report.remarks import list_failures, list_warnings
from angularpu_bench.report.results import Results
from angularpu_bench.report.section import Part, Section, say_missing
from angularpu_bench.report.table import DIGITS, NONE, NOT_RUN, Field, Table, mark_best, show_mean

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
AS_PRINTED, CHOSEN = "as published", "both with the chosen epoch"
# What the comparison depends on: the same pair of rows with something changed.
PAIRS: Mapping[str, tuple[str, str]] = MappingProxyType(
    {
        AS_PRINTED: (COSINE, DISTANCE),
        "weights greatest at the boundary": (f"{COSINE}-boundary", f"{DISTANCE}-boundary"),
        "L2 with scale 0.1": (COSINE, f"{DISTANCE}-scale0.1"),
        "L2 with scale 0.01": (COSINE, f"{DISTANCE}-scale0.01"),
        "L2 with the rate 1e-5": (COSINE, f"{DISTANCE}-rate1e-5"),
        CHOSEN: (f"{COSINE}-chosen", f"{DISTANCE}-chosen"),
    }
)
SHOWN_METRICS = {"ap": "AP", "auc": "AUC", "f1_oracle": "F1, oracle threshold"}
LEADING = (Column("ap", "ap", 3), Column("auc", "auc", 3), Column("f1_oracle", "f1", 3))
PUBLISHED_DATASETS = ("cifar10", "svhn", "stl10", "adni")
OVERALL = "Overall"
PUBLISHED_COLUMNS = ("AP cosine", "AP L2", "AUC cosine", "AUC L2", "F1 cosine", "F1 L2")
PAIR_TABLE = "cosine_vs_l2"  # its name in the file of published numbers
NOTE = (
    f"Primary configuration, weights and a trained margin: {COSINE} minus {DISTANCE}. Differences of AP are paired "
    "by data set and draw of labels, with a 95 % t interval; overall pools all pairs, as the published one "
    "does, as if all data sets were one."
)


def make_section(evidence: Evidence) -> Section:
    """Make the paired comparison by data set, the leaderboard over all data sets, and pictures of both."""
    results = evidence.results.where(kind="geometry")
    parts: list[Part] = [] if results else [say_missing("geometry")]
    parts.append(NOTE)
    absent = [name for name in PUBLISHED_DATASETS if name not in results.distinct("dataset")]
    for position, track in enumerate(order_tracks(results.distinct("track")) or [""]):
        rows = results.where(track=track)
        datasets = [*order_datasets(rows.distinct("dataset")), *(absent if position == 0 else [])]
        parts.append(make_pair_table(rows, evidence.published, datasets=datasets, track=track))
        if rows.finished:
            parts.append(make_configurations(rows, track=track))
        parts.append(make_leaderboard(rows, evidence.published, track=track))
        parts += draw_geometry(rows.finished, evidence.published, pair=(COSINE, DISTANCE), track=track)
    return Section("Geometry: cosine against distance", parts)


def make_pair_table(results: Results, published: Published, *, datasets: Sequence[str], track: str) -> Table:
    """Make the table of cosine against distance by data set and overall."""
    cosine, distance = (results.where(label=label) for label in (COSINE, DISTANCE))
    rows = []
    for dataset in [*datasets, OVERALL]:
        both = [part if dataset == OVERALL else part.where(dataset=dataset) for part in (cosine, distance)]
        difference = compare_results(*both, metric="ap")
        # Draws of one data set are not independent evidence about other data sets, so the overall row has no test.
        p_value = math.nan if difference is None or dataset == OVERALL else difference.p_t
        ours = [show_mean(part.values(metric), 3) for metric in SHOWN_METRICS for part in both]
        name = Field(OVERALL if dataset == OVERALL else name_dataset(dataset))
        pairs = Field(NOT_RUN) if difference is None else Field(str(difference.n), difference.n)
        rows.append((name, pairs, *ours, show_difference(difference, p_value=p_value), *_beside(published, dataset)))
    columns = [f"{name} {side}" for name in SHOWN_METRICS.values() for side in ("cosine", "L2")]
    return Table(
        title=f"Cosine against distance by data set{f', {track} track' if track else ''}",
        columns=(
            "data set",
            "pairs",
            *columns,
            "ΔAP [95 %]",
            "published ΔAP [95 %]",
            *(f"published {c}" for c in PUBLISHED_COLUMNS),
        ),
        rows=tuple(rows),
        notes=(*list_failures(results), *list_warnings(results)),
        marks=find_common_flaws(PAIR_TABLE, ""),
    )


def make_configurations(results: Results, *, track: str) -> Table:
    """Make the table of what the difference in AP depends on, by data set; a pair that was not run says so."""
    datasets = order_datasets(results.distinct("dataset"))
    rows = []
    for name, (cosine, distance) in PAIRS.items():
        both = [results.where(label=label) for label in (cosine, distance)]
        differences = [compare_results(*(part.where(dataset=d) for part in both), metric="ap") for d in datasets]
        known = [difference.mean for difference in differences if difference is not None]
        mean = Field(f"{np.mean(known):+.{DIGITS}f}", float(np.mean(known))) if known else Field(NOT_RUN)
        shown = [Field(NOT_RUN) if each is None else show_difference(each) for each in differences]
        rows.append((Field(name), *shown, mean))
    return Table(
        title=f"What the difference in AP depends on{f', {track} track' if track else ''}",
        columns=("cosine minus distance", *map(name_dataset, datasets), "mean over data sets"),
        rows=tuple(rows),
        notes=("The chosen epoch is the one that held-out PU-AUC chooses; all other rows keep the last of 15.",),
    )


def make_leaderboard(results: Results, published: Published, *, track: str) -> Table:
    """Make the table of the eight rows over all data sets and seeds, with the published means beside ours."""
    datasets = order_datasets(results.distinct("dataset"))
    labels = list(dict.fromkeys([*LEADERBOARD, *results.distinct("label")]))
    rows = []
    for label in labels:
        own = results.where(label=label)
        n = Field(str(len(own.finished)), len(own.finished)) if own else Field(NOT_RUN)
        place = Place("leaderboard", "overall", label)
        rows.append((Field(label), n, *fill_columns(LEADING, own, published=published, place=place, beside=True)))
    columns = ("row", "cells", *name_columns(LEADING, beside=True))
    over = ", ".join(name_dataset(name) for name in datasets)
    notes = [f"Ours over {over}; deviations include what data sets differ by."] if datasets else []
    if len({len(results.where(label=label).finished) for label in labels} - {0}) > 1:
        notes.append("Rows with fewer cells lack draws or data sets: do not compare their means with others.")
    return Table(
        title=f"Leaderboard over all data sets and seeds{f', {track} track' if track else ''}",
        columns=columns,
        rows=mark_best(rows, columns=[columns.index(column.name) for column in LEADING], eligible=[True] * len(rows)),
        notes=tuple(notes),
        marks=find_common_flaws("leaderboard", "overall"),
    )


def _beside(published: Published, dataset: str) -> list[Field]:
    """Return the published difference with its interval, and the published metrics of both sides."""
    row = published.row(PAIR_TABLE, dataset, "cosine-l2")
    if not row:
        return [Field(NONE)] * (1 + len(PUBLISHED_COLUMNS))
    mean, low, high = (row[f"delta_ap{end}"].mean for end in ("", "_ci_low", "_ci_high"))
    of_table = find_common_flaws(PAIR_TABLE, "")
    of_dataset = tuple(mark for mark in find_common_flaws(PAIR_TABLE, dataset) if mark not in of_table)
    return [
        Field(f"{mean:+.3f} [{low:+.3f}, {high:+.3f}]", mean, marks=of_dataset),
        *(
            show_published(published, Place(PAIR_TABLE, dataset, side), metric=metric)
            for metric in ("ap", "auc", "f1")
            for side in ("cosine", "l2")
        ),
    ]
