"""The main tables: every method on every data set, with published numbers beside ours."""

import math
from collections.abc import Mapping
from dataclasses import replace

from angularpu_bench.paper.beside import Column, fill_columns, name_columns
from angularpu_bench.paper.evidence import Evidence
from angularpu_bench.paper.flaws import find_common_flaws
from angularpu_bench.paper.published import Published, name_as_printed, place_methods
from angularpu_bench.paper.sections.decisions import ABOUT, THRESHOLDS, make_decision_table
from angularpu_bench.paper.sections.overview import draw_overview
from angularpu_bench.report.comparison import share_of_gap
from angularpu_bench.report.differences import compare_results, show_difference, show_differences
from angularpu_bench.report.names import (
    AS_PUBLISHED,
    TRACK_NAMES,
    is_told,
    name_dataset,
    name_method,
    order_datasets,
    order_methods,
    order_tracks,
)
from angularpu_bench.report.remarks import describe_data, describe_draws, list_failures, list_warnings
from angularpu_bench.report.results import Results
from angularpu_bench.report.section import Part, Section, say_missing
from angularpu_bench.report.table import NONE, NOT_RUN, Field, Table, count_seeds, mark_best, show_mean, show_number

LEAST_GAP = 0.005  # between naive and supervised AUC; shares of a smaller gap are noise
REFERENCE = "angular"
FOLDED = "How every method ranks rows"
NAIVE, SUPERVISED = "naive", "oracle_pn"
RANKING = (Column("auc", "auc"), Column("ap", "ap"))
COMPARED = ("AUC minus AngularPU's [95 %]", "share of gap")
NOTE = (
    "Two tables for each data set: how methods rank rows, then how they decide. Numbers are mean ± standard deviation "
    "over seeds; the best is bold, the supervised row aside. Differences are paired by draw of labels, with their t "
    "interval and the p-value of the paired t-test after Holm's correction over the table. Share of gap: how far the "
    f"AUC gets from naive (0) to supervised (1); a dash where these are less than {LEAST_GAP:g} apart. The column "
    "prior says which methods are given the true share of positives; the threshold of every method is chosen without "
    f"it. {THRESHOLDS} Published numbers come from another setting."
)
NOTE_PAPER = (
    f"**{name_method(AS_PUBLISHED)}** is AngularPU by the paper's own schedule: 15 epochs, the last one kept, where "
    "all other networks have the spec's budget and the epoch that held-out PU-AUC chooses. It is the same method a "
    "second time, so it does not compete with itself: it is never bold, has no rank, and its p-value is not part of "
    "Holm's correction. The published AngularPU numbers are beside both rows."
)


def make_section(evidence: Evidence) -> Section:
    """Make the main tables, two for each spec, track and data set, and an overview of each track."""
    results = evidence.results.where(kind="main")
    parts: list[Part] = [] if results else [say_missing("main")]
    tables: list[Part] = [NOTE, NOTE_PAPER] if results else []
    for spec in sorted(results.distinct("spec"), key=lambda name: name != "main"):
        for track in order_tracks(results.where(spec=spec).distinct("track")):
            rows = results.where(spec=spec, track=track)
            title = f"**Track {TRACK_NAMES.get(track, track)}** (spec `{spec}`)"
            parts += [title, *draw_overview(rows, name=f"{spec}-{track}")]
            tables.append(title)
            for dataset in order_datasets(rows.distinct("dataset")):
                ranking, decisions = make_tables(rows.where(dataset=dataset), evidence.published)
                tables += [replace(ranking, folded=FOLDED), replace(decisions, folded=ABOUT.rstrip(":"))]
    parts += tables
    run = {name_as_printed(name) for name in results.distinct("dataset")}
    absent = [name for name in evidence.published.datasets("main") if name not in run]
    if absent and results:
        parts.append(f"Published but not run here: {', '.join(absent)}; see the published tables below.")
    return Section("Every method", parts)


def make_tables(results: Results, published: Published) -> tuple[Table, Table]:
    """Make the tables of one data set in one track: how methods rank rows, and how they decide."""
    (dataset,) = results.distinct("dataset")
    printed = place_methods(dataset, published)
    methods = order_methods(dict.fromkeys([*results.distinct("label"), *printed]))
    names = {method: name_method(method) for method in methods}
    groups = {method: results.where(label=method) for method in methods}
    competing = [method for method in methods if method not in (SUPERVISED, AS_PUBLISHED)]
    beside = bool(printed)
    rows = []
    for method, compared in zip(methods, _compare(groups), strict=True):
        own = groups[method]
        seeds = count_seeds(len(own.finished), len(own)) if own else Field(NOT_RUN)
        told = Field("given" if is_told(method) else NONE)
        shown = fill_columns(RANKING, own, published=published, place=printed.get(method), beside=beside)
        rows.append((Field(names[method]), told, seeds, *shown, *compared, show_mean(own.values("seconds"), 1)))
    columns = ("method", "prior", "seeds", *name_columns(RANKING, beside=beside), *COMPARED, "seconds")
    best = [columns.index(column.name) for column in RANKING]
    ranking = Table(
        title=f"{name_dataset(dataset)}, {results.rows[0].track} track",
        columns=columns,
        rows=mark_best(rows, columns=best, eligible=[method in competing for method in methods]),
        notes=(
            *describe_draws(results),
            *describe_data(dataset),
            *list_failures(results),
            *list_warnings(results),
        ),
        marks=find_common_flaws("main", name_as_printed(dataset)) if printed else (),
    )
    return ranking, make_decision_table(groups, names=names, printed=printed, published=published, competing=competing)


def _compare(groups: Mapping[str, Results]) -> list[tuple[Field, Field]]:
    """Return, row by row, the difference to AngularPU and the share of the gap that is closed."""
    none = Results(())
    reference = groups.get(REFERENCE, none)
    compared = {
        label: None if label == REFERENCE else compare_results(own, reference, metric="auc")
        for label, own in groups.items()
    }
    itself = compared.pop(AS_PUBLISHED, None)  # no rival: its p-value is not one of those corrected together
    shown = dict(zip(compared, show_differences(list(compared.values())), strict=True))
    shown[AS_PUBLISHED] = show_difference(itself, p_value=itself.p_t if itself else math.nan)
    naive, supervised = (_mean(groups.get(end, none), "auc") for end in (NAIVE, SUPERVISED))
    small = supervised - naive < LEAST_GAP
    gaps = {
        label: math.nan if small else share_of_gap(_mean(own, "auc"), naive=naive, supervised=supervised)
        for label, own in groups.items()
    }
    return [(shown[label], show_number(gaps[label], 2)) for label in groups]


def _mean(results: Results, metric: str) -> float:
    values = results.values(metric)
    return float(values.mean()) if len(values) else math.nan
