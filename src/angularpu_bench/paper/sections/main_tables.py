"""The main tables: every method on every data set, with published numbers beside ours."""

import math

from angularpu.metrics.prior import implied_prior
from angularpu_bench.paper.evidence import Evidence
from angularpu_bench.paper.flaws import find_common_flaws
from angularpu_bench.paper.published import METHOD_ROWS, SWAPPED, SWAPPED_ROWS, Published, name_as_printed
from angularpu_bench.paper.published_fields import show_published, show_published_prior
from angularpu_bench.paper.sections.overview import draw_overview
from angularpu_bench.report.comparison import share_of_gap
from angularpu_bench.report.differences import compare_results, show_differences
from angularpu_bench.report.names import (
    METRIC_NAMES,
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
NAIVE, SUPERVISED = "naive", "oracle_pn"
SHOWN_METRICS = ("auc", "ap", "f1_pu", "f1_oracle", "precision_pu", "recall_pu")
N_BEST = 4
PUBLISHED_METRICS = ("auc", "ap", "f1")
MAIN_COLUMNS = (
    "method",
    "prior",
    "seeds",
    *(METRIC_NAMES[name] for name in SHOWN_METRICS),
    "AUC minus AngularPU's [95 %]",
    "share of gap",
    "implied prior",
    "seconds",
    *(f"published {name}" for name in ("AUC", "AP", "F1", "implied prior")),
)
NOTE = (
    "Mean ± deviation over seeds; bold: best but for the supervised row. The difference is paired by draw of labels, "
    "with its bootstrap interval, which is too narrow with a handful of draws, and the p-value of the paired t-test, "
    "Holm's correction over the table, which is not. Share of gap: how far AUC goes from naive (0) to supervised (1), "
    f"a dash where these are less than {LEAST_GAP:g} apart. Precision and recall are at the PU-valid cut. The column "
    "prior says which methods are told the true share of positives; all are cut without it. Published numbers stem "
    "from another setting."
)


def make_section(evidence: Evidence) -> Section:
    """Make the main tables, one for each spec, track and data set, and an overview of each track."""
    results = evidence.results.where(kind="main")
    parts: list[Part] = [NOTE] if results else [say_missing("main")]
    for spec in sorted(results.distinct("spec"), key=lambda name: name != "main"):
        for track in order_tracks(results.where(spec=spec).distinct("track")):
            rows = results.where(spec=spec, track=track)
            parts.append(f"**Track {TRACK_NAMES.get(track, track)}** (spec `{spec}`)")
            for dataset in order_datasets(rows.distinct("dataset")):
                parts.append(make_table(rows.where(dataset=dataset), evidence.published))
            parts += draw_overview(rows, name=f"{spec}-{track}")
    run = {name_as_printed(name) for name in results.distinct("dataset")}
    absent = [name for name in evidence.published.datasets("main") if name not in run]
    if absent and results:
        parts.append(f"Published but not run here: {', '.join(absent)}; see the published tables below.")
    return Section("Every method", parts)


def make_table(results: Results, published: Published) -> Table:
    """Make the table of one data set in one track."""
    (dataset,) = results.distinct("dataset")
    beside = _rows_beside(dataset, published)
    methods = order_methods(dict.fromkeys([*results.distinct("label"), *beside]))
    groups = {method: results.where(label=method) for method in methods}
    reference = results.where(label=REFERENCE)
    differences = show_differences(
        [None if name == REFERENCE else compare_results(own, reference, metric="auc") for name, own in groups.items()]
    )
    naive, supervised = (_mean(results.where(label=end), "auc") for end in (NAIVE, SUPERVISED))
    rows = []
    for (method, own), difference in zip(groups.items(), differences, strict=True):
        gap = share_of_gap(_mean(own, "auc"), naive=naive, supervised=supervised)
        if supervised - naive < LEAST_GAP:
            gap = math.nan
        theirs = _show_beside(published, name_as_printed(dataset), row=beside.get(method, ""))
        derived = (difference, show_number(gap, 2), show_number(_prior(own), 3), show_mean(own.values("seconds"), 1))
        rows.append((*_show_ours(method, own), *derived, *theirs))
    return Table(
        title=f"{name_dataset(dataset)}, {results.rows[0].track} track",
        columns=MAIN_COLUMNS,
        rows=mark_best(rows, columns=range(3, 3 + N_BEST), eligible=[method != SUPERVISED for method in methods]),
        notes=(
            *describe_draws(results),
            *describe_data(dataset),
            *list_failures(results),
            *list_warnings(results),
        ),
        marks=find_common_flaws("main", name_as_printed(dataset)) if beside else (),
    )


def _show_ours(method: str, own: Results) -> list[Field]:
    needed = "told" if is_told(method) else NONE
    seeds = count_seeds(len(own.finished), len(own)) if own else Field(NOT_RUN)
    return [Field(name_method(method)), Field(needed), seeds, *(show_mean(own.values(name)) for name in SHOWN_METRICS)]


def _mean(results: Results, metric: str) -> float:
    values = results.values(metric)
    return float(values.mean()) if len(values) else math.nan


def _prior(results: Results) -> float:
    means = {name: _mean(results, f"{name}_pu") for name in ("accuracy", "precision", "recall")}
    return implied_prior(**means) if all(math.isfinite(value) for value in means.values()) else math.nan


def _rows_beside(dataset: str, published: Published) -> dict[str, str]:
    """Return the published rows to show beside one of our data sets, by our name of the method."""
    if name_as_printed(dataset) not in published.datasets("main"):
        return {}
    return {method: row for method, row in METHOD_ROWS.items() if dataset != SWAPPED or row in SWAPPED_ROWS}


def _show_beside(published: Published, dataset: str, *, row: str) -> list[Field]:
    if not row:
        return [Field(NONE)] * (len(PUBLISHED_METRICS) + 1)
    shown = [show_published(published, "main", dataset=dataset, row=row, metric=metric) for metric in PUBLISHED_METRICS]
    return [*shown, show_published_prior(published, "main", dataset=dataset, row=row)]
