"""What each component contributes: the full model against the same model without one of them."""

from collections.abc import Mapping
from types import MappingProxyType

from angularpu_bench.paper.evidence import Evidence
from angularpu_bench.paper.flaws import find_common_flaws
from angularpu_bench.paper.published import ABLATION_ROWS, PRINTED_DATASETS, SWAPPED, Published, name_as_printed
from angularpu_bench.paper.published_fields import show_published
from angularpu_bench.report.differences import compare_results, show_differences
from angularpu_bench.report.names import METRIC_NAMES, name_dataset, order_datasets, order_tracks
from angularpu_bench.report.remarks import describe_data, describe_draws, list_failures, list_warnings
from angularpu_bench.report.results import Result, Results
from angularpu_bench.report.section import Part, Section, say_missing
from angularpu_bench.report.table import NONE, NOT_RUN, Field, Table, count_seeds, mark_best, show_mean

FULL = "full"
VARIANT_NAMES: Mapping[str, str] = MappingProxyType(
    {
        FULL: "full",
        "no-regulariser": "no regulariser",
        "no-weights": "no weights",
        "fixed-margin": "fixed margin",
        "regulariser-on-all": "regulariser on all rows",
    }
)
SHOWN_METRICS = ("auc", "ap", "f1_pu", "f1_oracle", "precision_pu", "recall_pu")
PUBLISHED_METRICS = ("auc", "ap", "f1", "recall")
ABLATION_COLUMNS = (
    "variant",
    "seeds",
    *(METRIC_NAMES[name] for name in SHOWN_METRICS),
    "AUC minus full's [95 %]",
    *(f"published {name}" for name in ("AUC", "AP", "F1", "recall")),
)
NOTE = (
    "Each row takes one component away. Mean ± deviation over seeds, best in bold; differences paired by draw of "
    "labels, with bootstrap interval and the paired t-test's p-value after Holm's correction."
)


def make_section(evidence: Evidence) -> Section:
    """Make one table for each track and data set, and one for each published data set that was not run."""
    results = evidence.results.where(kind="ablation")
    parts: list[Part] = [NOTE] if results else [say_missing("ablation")]
    for track in order_tracks(results.distinct("track")):
        rows = results.where(track=track)
        for dataset in order_datasets(rows.distinct("dataset")):
            parts.append(make_table(rows.where(dataset=dataset), evidence.published, dataset=dataset))
    for dataset, theirs in PRINTED_DATASETS.items():
        if theirs in evidence.published.datasets("ablation") and dataset not in results.distinct("dataset"):
            parts.append(make_table(Results(()), evidence.published, dataset=dataset))
    return Section("Ablation", parts)


def make_table(results: Results, published: Published, *, dataset: str) -> Table:
    """Make the table of one data set: the full model, then each variant."""
    theirs = "" if dataset == SWAPPED else name_as_printed(dataset)
    beside = ABLATION_ROWS if theirs in published.datasets("ablation") else {}
    known = [name for name in VARIANT_NAMES if name in beside or any(_variant(row) == name for row in results)]
    variants = list(dict.fromkeys([*known, *(_variant(row) for row in results)]))
    groups = {name: Results(tuple(row for row in results if _variant(row) == name)) for name in variants}
    full = groups.get(FULL, Results(()))
    differences = show_differences(
        [None if name == FULL else compare_results(groups[name], full, metric="auc") for name in variants]
    )
    rows = []
    for name, difference in zip(variants, differences, strict=True):
        own = groups[name]
        seeds = count_seeds(len(own.finished), len(own)) if own else Field(NOT_RUN)
        row = beside.get(name, "")
        shown = [show_published(published, "ablation", dataset=theirs, row=row, metric=m) for m in PUBLISHED_METRICS]
        ours = [show_mean(own.values(metric)) if own else Field(NONE) for metric in SHOWN_METRICS]
        rows.append((Field(VARIANT_NAMES.get(name, name)), seeds, *ours, difference, *shown))
    track = f", {results.rows[0].track} track" if results else ""
    return Table(
        title=f"Ablation on {name_dataset(dataset)}{track}",
        columns=ABLATION_COLUMNS,
        rows=mark_best(rows, columns=range(2, 2 + len(SHOWN_METRICS) - 2), eligible=[True] * len(rows)),
        notes=(
            *describe_draws(results),
            *describe_data(dataset),
            *list_failures(results),
            *list_warnings(results),
        ),
        marks=find_common_flaws("ablation", theirs) if beside else (),
    )


def _variant(row: Result) -> str:
    return row.variant or FULL
