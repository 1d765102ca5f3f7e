"""What each component contributes: the full model against the same model without one of them, by two schedules."""

from collections.abc import Mapping, Sequence
from types import MappingProxyType

from angularpu_bench.paper.beside import Column, fill_columns, name_columns
from angularpu_bench.paper.evidence import Evidence
from angularpu_bench.paper.flaws import find_common_flaws
from angularpu_bench.paper.published import ABLATION_ROWS, PRINTED_DATASETS, SWAPPED, Place, Published, name_as_printed
from angularpu_bench.report.differences import compare_results, show_differences
from angularpu_bench.report.names import SCHEDULE_NAMES, name_dataset, order_datasets, order_tracks
from angularpu_bench.report.remarks import describe_data, describe_draws, list_failures, list_warnings
from angularpu_bench.report.results import Result, Results
from angularpu_bench.report.section import Part, Section, say_missing
from angularpu_bench.report.table import NOT_RUN, Field, Table, count_seeds, mark_best

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
COLUMNS = (
    Column("auc", "auc"),
    Column("ap", "ap"),
    Column("f1_oracle", "f1"),
    Column("precision_oracle", "precision"),
    Column("recall_oracle", "recall"),
    Column("f1_pu"),
)
BEST = ("auc", "ap", "f1_oracle", "f1_pu")
DIFFERENCE = "AUC minus full's [95 %]"
PUBLISHED, CHOSEN = "published", ""  # which of the specs; a further one counts among those with the chosen epoch
NOTE = (
    "Each row takes one component away. The first table of a data set is by the published schedule, 15 epochs of "
    "which the last is kept, beside the published numbers; the second has the epoch that held-out PU-AUC chooses, "
    "with the budget of the main tables. Mean ± deviation over seeds, best in bold; differences are to the full model "
    "of the same schedule, paired by draw of labels, with t interval and the paired t-test's p-value after "
    "Holm's correction."
)


def make_section(evidence: Evidence) -> Section:
    """Make two tables for each track and data set, and one for each published data set that was not run."""
    results = evidence.results.where(kind="ablation")
    parts: list[Part] = [NOTE] if results else [say_missing("ablation")]
    for track in order_tracks(results.distinct("track")):
        for dataset in order_datasets(results.where(track=track).distinct("dataset")):
            here = results.where(track=track, dataset=dataset)
            parts += make_tables(here, evidence.published, dataset=dataset)
    for dataset, theirs in PRINTED_DATASETS.items():
        if theirs in evidence.published.datasets("ablation") and dataset not in results.distinct("dataset"):
            parts += make_tables(Results(()), evidence.published, dataset=dataset)
    return Section("Ablation", parts)


def make_tables(results: Results, published: Published, *, dataset: str) -> list[Table]:
    """Make the tables of one data set, by the published schedule and with the chosen epoch.

    The second is left out where nothing was run.
    """
    theirs = "" if dataset == SWAPPED else name_as_printed(dataset)
    known = theirs in published.datasets("ablation")
    printed = {name: Place("ablation", theirs, row) for name, row in ABLATION_ROWS.items()} if known else {}
    run = list(dict.fromkeys(_variant(row) for row in results))
    variants = [name for name in VARIANT_NAMES if name in printed or name in run]
    variants += [name for name in run if name not in variants]
    track = f", {results.rows[0].track} track" if results else ""
    tables = [
        _make_table(
            results.where(branch=PUBLISHED),
            variants,
            title=f"Ablation on {name_dataset(dataset)}{track}",
            schedule=PUBLISHED,
            beside=(published, printed),
            marks=find_common_flaws("ablation", theirs) if known else (),
        )
    ]
    if results:
        chosen = Results(tuple(row for row in results if row.branch != PUBLISHED))
        tables.append(_make_table(chosen, variants, title="", schedule=CHOSEN, beside=(published, {}), marks=()))
    return tables


def _make_table(
    results: Results,
    variants: Sequence[str],
    *,
    title: str,
    schedule: str,
    beside: tuple[Published, Mapping[str, Place]],
    marks: tuple[int, ...],
) -> Table:
    """Make the table of one schedule, with the published rows of a mapping beside if there are any."""
    published, printed = beside
    groups = {name: Results(tuple(row for row in results if _variant(row) == name)) for name in variants}
    full = groups.get(FULL, Results(()))
    differences = show_differences(
        [None if name == FULL else compare_results(groups[name], full, metric="auc") for name in variants]
    )
    rows = []
    for name, difference in zip(variants, differences, strict=True):
        own = groups[name]
        seeds = count_seeds(len(own.finished), len(own)) if own else Field(NOT_RUN)
        shown = fill_columns(COLUMNS, own, published=published, place=printed.get(name), beside=bool(printed))
        rows.append((Field(VARIANT_NAMES.get(name, name)), seeds, *shown, difference))
    columns = (SCHEDULE_NAMES[schedule], "seeds", *name_columns(COLUMNS, beside=bool(printed)), DIFFERENCE)
    best = [columns.index(column.name) for column in COLUMNS if column.metric in BEST]
    dataset = results.rows[0].dataset if results else ""
    return Table(
        title=title,
        columns=columns,
        rows=mark_best(rows, columns=best, eligible=[True] * len(rows)),
        notes=(
            *describe_draws(results),
            *describe_data(dataset),
            *list_failures(results),
            *list_warnings(results),
        ),
        marks=marks,
    )


def _variant(row: Result) -> str:
    return row.variant or FULL
