"""Fine-tuning the last two blocks of a network, the nearest to the paper's own setting."""

import math
from collections.abc import Mapping
from types import MappingProxyType

from angularpu.methods.table import METHODS
from angularpu_bench.paper.beside import Column, fill_columns, name_columns
from angularpu_bench.paper.evidence import Evidence
from angularpu_bench.paper.flaws import find_common_flaws
from angularpu_bench.paper.published import ABLATION_ROWS, Place, Published, name_as_printed, place_methods
from angularpu_bench.paper.sections.decisions import ABOUT, THRESHOLDS, make_decision_table
from angularpu_bench.paper.sections.geometry import COSINE, DISTANCE, PAIR_TABLE
from angularpu_bench.report.differences import compare_results, show_difference
from angularpu_bench.report.names import AS_PUBLISHED, METRIC_NAMES, name_dataset, name_method, order_datasets
from angularpu_bench.report.remarks import describe_data, describe_draws, list_failures, list_warnings, show_span
from angularpu_bench.report.results import Results
from angularpu_bench.report.section import Part, Section, say_missing
from angularpu_bench.report.table import NONE, NOT_RUN, Field, Table, count_seeds, mark_best, show_mean, show_number

REFERENCE, SUPERVISED = "angular", "oracle_pn"
LONG = f"{AS_PUBLISHED}-15"
PUBLISHED_NAME = name_method(AS_PUBLISHED)
# Every row that belongs here, run or not.
ROW_NAMES: Mapping[str, str] = MappingProxyType(
    {
        REFERENCE: name_method(REFERENCE),
        AS_PUBLISHED: f"{PUBLISHED_NAME}, 5 epochs",
        LONG: f"{PUBLISHED_NAME}, 15 epochs",
        "no-regulariser": "AngularPU, no regulariser",
        "no-weights": "AngularPU, no weights",
        "fixed-margin": "AngularPU, fixed margin",
        COSINE: COSINE,
        DISTANCE: DISTANCE,
        **{method: name_method(method) for method in ("nnpu", "vpu", "dist_pu", "naive", SUPERVISED)},
    }
)
DATASETS = ("cifar10", "stl10")
RANKING = (Column("auc"), Column("auc_last", "auc"), Column("ap", "ap"))
BEST = ("auc", "ap")
NOTE = (
    "VGG16 from ImageNet weights, the last two of its five blocks trained with the method, in bfloat16: the paper's "
    "setting but for the backbone, the blocks that stay as they are, and the rows and epochs in each table. The "
    "epoch is the one that held-out PU-AUC chooses, except in the rows as published and those of the geometry, "
    "which keep the last; the AUC of the last epoch is beside it for all. Hours are processor time of training on "
    "one core, summed over the cells of a row; a cell that found the maps behind the frozen blocks on disk took "
    "that much less. The AUC on frozen features is that of the same row in the main tables, the ablation or the "
    "leaderboard, with other numbers of unlabelled rows and of epochs. Bold: the best method, variants of AngularPU "
    f"and the supervised row apart. With two seeds a mean or a difference says little alone. {THRESHOLDS}"
)


def make_section(evidence: Evidence) -> Section:
    """Make two tables for each data set, with every row that belongs there."""
    results = evidence.results.where(kind="blocks")
    parts: list[Part] = [NOTE] if results else [say_missing("blocks"), NOTE]
    for dataset in order_datasets(dict.fromkeys([*DATASETS, *results.distinct("dataset")])):
        ranking, decisions = make_tables(evidence, dataset=dataset)
        parts += [ranking, ABOUT, decisions]
    return Section("Fine-tuned", parts)


def make_tables(evidence: Evidence, *, dataset: str) -> tuple[Table, Table]:
    """Make the tables of one data set: how rows are ranked, and how they are decided."""
    results, published = evidence.results.where(kind="blocks", dataset=dataset), evidence.published
    printed = _place_rows(dataset, published)
    labels = list(dict.fromkeys([*ROW_NAMES, *results.distinct("label")]))
    names = {label: ROW_NAMES.get(label, name_method(label)) for label in labels}
    groups = {label: results.where(label=label) for label in labels}
    competing = [label for label in labels if label in METHODS and label != SUPERVISED]
    beside = bool(printed)
    rows = []
    for label, own in groups.items():
        seeds = count_seeds(len(own.finished), len(own)) if own else Field(NOT_RUN)
        shown = fill_columns(RANKING, own, published=published, place=printed.get(label), beside=beside)
        frozen = show_mean(_find_frozen(evidence.results, label, dataset=dataset).values("auc"))
        difference = None if label == REFERENCE else compare_results(own, groups[REFERENCE], metric="auc")
        rows.append((Field(names[label]), seeds, *_show_effort(own), *shown, frozen, show_difference(difference)))
    columns = (
        *("row", "seeds", "epochs", "hours"),
        *name_columns(RANKING, beside=beside),
        *("AUC, frozen features", "AUC minus AngularPU's [95 %]"),
    )
    ranking = Table(
        title=f"Fine-tuned: {name_dataset(dataset)}",
        columns=columns,
        rows=mark_best(
            rows,
            columns=[columns.index(METRIC_NAMES[metric]) for metric in BEST],
            eligible=[label in competing for label in labels],
        ),
        notes=(
            *describe_draws(results),
            *([f"All cells of this table took {_count_hours(results):.1f} hours."] if results.finished else []),
            *describe_data(dataset),
            *list_failures(results),
            *list_warnings(results),
        ),
        marks=find_common_flaws("main", name_as_printed(dataset)) if printed else (),
    )
    return ranking, make_decision_table(groups, names=names, printed=printed, published=published, competing=competing)


def _place_rows(dataset: str, published: Published) -> dict[str, Place]:
    """Return the published rows to show beside: of the main table, the ablation and the comparison of geometries."""
    theirs = name_as_printed(dataset)
    places = place_methods(dataset, published)
    if AS_PUBLISHED in places:
        places[LONG] = places[AS_PUBLISHED]
    if theirs in published.datasets("ablation"):
        places |= {label: Place("ablation", theirs, row) for label, row in ABLATION_ROWS.items() if label in ROW_NAMES}
    if dataset in published.datasets(PAIR_TABLE):
        places |= {COSINE: Place(PAIR_TABLE, dataset, "cosine"), DISTANCE: Place(PAIR_TABLE, dataset, "l2")}
    return places


def _find_frozen(results: Results, label: str, *, dataset: str) -> Results:
    """Return the same row on frozen features; that of the ablation and the leaderboard where it is no main one."""
    frozen = results.where(track="features", dataset=dataset)
    label = {LONG: AS_PUBLISHED, AS_PUBLISHED: ""}.get(label, label)  # frozen, it has fifteen epochs
    kinds = (frozen.where(kind="main"), frozen.where(kind="ablation", branch=""), frozen.where(kind="geometry"))
    return next((own for kind in kinds if (own := kind.where(label=label))), Results(()))


def _show_effort(own: Results) -> list[Field]:
    """Show the epochs and the hours of a row."""
    epochs = show_span(own, "epochs", "{:.0f}") or NONE
    return [Field(epochs), show_number(_count_hours(own) if own.finished else math.nan, 2)]


def _count_hours(results: Results) -> float:
    return float(results.values("seconds").sum()) / 3600
