"""Recall at a high precision, on medical images."""

from angularpu_bench.paper.beside import Column, fill_columns, name_columns
from angularpu_bench.paper.evidence import Evidence
from angularpu_bench.paper.flaws import find_common_flaws
from angularpu_bench.paper.published import PRINTED_DATASETS, Place, Published, name_as_printed
from angularpu_bench.paper.sections.decisions import ABOUT, THRESHOLDS, make_decision_table
from angularpu_bench.report.names import (
    AS_PUBLISHED,
    name_dataset,
    name_method,
    order_datasets,
    order_methods,
    order_tracks,
)
from angularpu_bench.report.remarks import describe_data, describe_draws, list_failures, list_warnings
from angularpu_bench.report.results import Results
from angularpu_bench.report.section import Part, Section, say_missing
from angularpu_bench.report.table import NOT_RUN, Field, Table, count_seeds, mark_best

RANKING = (
    Column("auc", "auc"),
    Column("ap", "ap"),
    Column("recall_at_p90", "recall_at_precision_0.90"),
    Column("recall_at_p95", "recall_at_precision_0.95"),
)
TITLE = "Recall at high precision"
TABLE, PUBLISHED_ROW = "medmnist", "AngularPU"  # in the file of published numbers
NOTE = (
    "How many positives are found while 90 %, or 95 %, of the flagged rows are right (recall at precision 0.90 and "
    "0.95); then the decisions. The row as published keeps the last of this section's ten epochs, the others the one "
    f"that held-out PU-AUC chooses; bold: best but for the row as published and the supervised one. {THRESHOLDS}"
)


def make_section(evidence: Evidence) -> Section:
    """Make two tables for each track and data set, and for each published data set that was not run."""
    results = evidence.results.where(kind="medmnist")
    parts: list[Part] = [NOTE] if results else [say_missing("medmnist")]
    places = [
        (dataset, results.where(track=track, dataset=dataset))
        for track in order_tracks(results.distinct("track"))
        for dataset in order_datasets(results.where(track=track).distinct("dataset"))
    ]
    absent = [
        (dataset, Results(()))
        for dataset, theirs in PRINTED_DATASETS.items()
        if theirs in evidence.published.datasets(TABLE) and dataset not in results.distinct("dataset")
    ]
    for dataset, rows in [*places, *absent]:
        ranking, decisions = make_tables(rows, evidence.published, dataset=dataset)
        parts += [ranking, ABOUT, decisions]
    return Section(TITLE, parts)


def make_tables(results: Results, published: Published, *, dataset: str) -> tuple[Table, Table]:
    """Make the tables of one data set: how rows are ranked, and how they are decided."""
    theirs = name_as_printed(dataset)
    known = theirs in published.datasets(TABLE)
    printed = {label: Place(TABLE, theirs, PUBLISHED_ROW) for label in ("angular", AS_PUBLISHED)} if known else {}
    methods = order_methods(dict.fromkeys([*results.distinct("label"), *printed]))
    names = {method: name_method(method) for method in methods}
    groups = {method: results.where(label=method) for method in methods}
    competing = [method for method in methods if method not in ("oracle_pn", AS_PUBLISHED)]
    rows = []
    for method, own in groups.items():
        seeds = count_seeds(len(own.finished), len(own)) if own else Field(NOT_RUN)
        shown = fill_columns(RANKING, own, published=published, place=printed.get(method), beside=known)
        rows.append((Field(names[method]), seeds, *shown))
    track = f", {results.rows[0].track} track" if results else ""
    columns = ("method", "seeds", *name_columns(RANKING, beside=known))
    best = [columns.index(column.name) for column in RANKING]
    ranking = Table(
        title=f"{TITLE}: {name_dataset(dataset)}{track}",
        columns=columns,
        rows=mark_best(rows, columns=best, eligible=[method in competing for method in methods]),
        notes=(
            *describe_draws(results),
            *describe_data(dataset),
            *list_failures(results),
            *list_warnings(results),
        ),
        marks=find_common_flaws(TABLE, theirs) if known else (),
    )
    return ranking, make_decision_table(groups, names=names, printed=printed, published=published, competing=competing)
