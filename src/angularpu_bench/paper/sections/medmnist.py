"""Recall at a high precision, on medical images."""

from angularpu_bench.paper.evidence import Evidence
from angularpu_bench.paper.flaws import find_common_flaws
from angularpu_bench.paper.published import PRINTED_DATASETS, Published, name_as_printed
from angularpu_bench.paper.published_fields import show_published, show_published_prior
from angularpu_bench.report.names import (
    METRIC_NAMES,
    name_dataset,
    name_method,
    order_datasets,
    order_methods,
    order_tracks,
)
from angularpu_bench.report.remarks import describe_data, describe_draws, list_failures, list_warnings
from angularpu_bench.report.results import Results
from angularpu_bench.report.section import Part, Section, say_missing
from angularpu_bench.report.table import NONE, NOT_RUN, Field, Table, count_seeds, mark_best, show_mean

SHOWN_METRICS = ("auc", "ap", "f1_pu", "f1_oracle", "recall_at_p90", "recall_at_p95")
PUBLISHED_METRICS = {
    "auc": "AUC",
    "ap": "AP",
    "f1": "F1",
    "recall_at_precision_0.90": "recall at precision .90",
    "recall_at_precision_0.95": "recall at precision .95",
}
PUBLISHED_ROW = "AngularPU"
MEDMNIST_COLUMNS = (
    "method",
    "seeds",
    *(METRIC_NAMES[name] for name in SHOWN_METRICS),
    *(f"published {name}" for name in (*PUBLISHED_METRICS.values(), "implied prior")),
)
NOTE = "How many of the positives are found when nine, or nineteen, in ten that are called positive must be so."


def make_section(evidence: Evidence) -> Section:
    """Make one table for each track and data set, and one for each published data set that was not run."""
    results = evidence.results.where(kind="medmnist")
    parts: list[Part] = [NOTE] if results else [say_missing("medmnist")]
    for track in order_tracks(results.distinct("track")):
        rows = results.where(track=track)
        for dataset in order_datasets(rows.distinct("dataset")):
            parts.append(make_table(rows.where(dataset=dataset), evidence.published, dataset=dataset))
    for dataset, theirs in PRINTED_DATASETS.items():
        if theirs in evidence.published.datasets("medmnist") and dataset not in results.distinct("dataset"):
            parts.append(make_table(Results(()), evidence.published, dataset=dataset))
    return Section("Recall at high precision", parts)


def make_table(results: Results, published: Published, *, dataset: str) -> Table:
    """Make the table of one data set."""
    theirs = name_as_printed(dataset)
    known = theirs in published.datasets("medmnist")
    methods = order_methods(dict.fromkeys([*results.distinct("label"), *(["angular"] if known else [])]))
    rows = []
    for method in methods:
        own = results.where(label=method)
        row = PUBLISHED_ROW if method == "angular" else ""
        ours = [show_mean(own.values(metric)) if own else Field(NONE) for metric in SHOWN_METRICS]
        beside = [show_published(published, "medmnist", dataset=theirs, row=row, metric=m) for m in PUBLISHED_METRICS]
        implied = show_published_prior(published, "medmnist", dataset=theirs, row=row)
        seeds = count_seeds(len(own.finished), len(own)) if own else Field(NOT_RUN)
        rows.append((Field(name_method(method)), seeds, *ours, *beside, implied))
    track = f", {results.rows[0].track} track" if results else ""
    best = range(2, 2 + len(SHOWN_METRICS))
    return Table(
        title=f"{name_dataset(dataset)}{track}",
        columns=MEDMNIST_COLUMNS,
        rows=mark_best(rows, columns=best, eligible=[method != "oracle_pn" for method in methods]),
        notes=(
            *describe_draws(results),
            *describe_data(dataset),
            *list_failures(results),
            *list_warnings(results),
        ),
        marks=find_common_flaws("medmnist", theirs) if known else (),
    )
