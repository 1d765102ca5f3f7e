"""What the ensemble's tables come to: mean shares of the gap, average ranks, and how far its best member is ahead."""

import math
from collections.abc import Sequence

import numpy as np

from angularpu_bench.paper.sections.leading import rank_rows
from angularpu_bench.paper.sections.shares import FOLDS, LEAST_GAP, Values, find_share, name_row
from angularpu_bench.report.names import METRIC_NAMES, name_dataset, order_datasets
from angularpu_bench.report.results import Results
from angularpu_bench.report.section import Part
from angularpu_bench.report.table import NONE, Field, Table, show_number

OURS, ANGULAR = "ensemble", "angular"
METRICS = ("auc", "best_f1", "f1_pu")
KINDS = {"tables and text": ("table", "text"), "image features": ("features",), "all": ("table", "text", "features")}
SIDES = {"chose": ("",), "did not choose": ("check",), "all": ("", "check")}
SHOWN = (ANGULAR, f"{ANGULAR} {FOLDS}", f"vpu {FOLDS}", "extra_trees", "random_forest", OURS, "oracle_ensemble")
MEMBERS = (
    f"{ANGULAR} {FOLDS}",
    f"vpu {FOLDS}",
    "extra_trees",
    "gradient_boosting",
    "logistic_regression",
    "complement_nb",
)


def collect(ensembles: Results, main: Results, *, metric: str) -> dict[str, Values]:
    """Return a metric of every method by draw: those of the main tables, the ensemble and its members."""
    found: dict[str, Values] = {method: main.where(method=method).by_draw(metric) for method in main.distinct("method")}
    for method in ensembles.distinct("method"):
        for variant in ensembles.where(method=method).distinct("variant"):
            name = f"{method} {FOLDS}" if variant else method
            found[name] = ensembles.where(method=method, variant=variant).by_draw(metric)
    return found


def table_shares(ensembles: Results, main: Results) -> Table:
    """Make the table of mean shares by kind of rows, apart for data sets that chose settings and those that did not."""
    collected = {metric: collect(ensembles, main, metric=metric) for metric in METRICS}
    rows = []
    for side, branches in SIDES.items():
        datasets = {r.dataset: r.track for r in ensembles.where(method=OURS) if r.branch in branches}
        for row in SHOWN:
            fields = [Field(side), Field(name_row(row))]
            for tracks in KINDS.values():
                of_kind = [dataset for dataset, track in datasets.items() if track in tracks]
                for metric in METRICS:
                    fields.append(_mean_share([find_share(collected[metric], row, dataset=d) for d in of_kind]))
            rows.append(tuple(fields))
    columns = [f"{kind}: {METRIC_NAMES[metric]}" for kind in KINDS for metric in METRICS]
    return Table(
        title="Mean share of the gap from naive to supervised",
        columns=("data sets", "method", *columns),
        rows=tuple(rows),
        notes=(
            f"Over data sets whose gap is at least {LEAST_GAP}; in brackets how many. A method that has not run "
            "everywhere yet is averaged over fewer. The supervised ensemble knows all labels: it is the ceiling for "
            "these members, and may pass 1, since the gap ends at one supervised network.",
        ),
    )


def rank_everything(ensembles: Results, main: Results) -> list[Part]:
    """Rank every method that ran on all data sets which the ensemble ran on, by the draws that all of them have."""
    values = collect(ensembles, main, metric="auc")
    return rank_rows(
        values,
        datasets=order_datasets(dict.fromkeys(dataset for dataset, _ in values.get(OURS, {}))),
        title=name_row,
        marked=(OURS, ANGULAR),
        names=("leaderboard", "ranks-ensembles"),
    )


def table_members(ensembles: Results, main: Results) -> Table:
    """Make the table of the ensemble beside the best of its own members, by AUC on the draws that both have."""
    values = collect(ensembles, main, metric="auc")
    ours = values[OURS]
    rows, behind = [], []
    for dataset in order_datasets(dict.fromkeys(name for name, _ in ours)):
        draws = {draw for draw in ours if draw[0] == dataset}
        run = [name for name in MEMBERS if draws & set(values.get(name, {}))]
        if not run:
            continue
        draws = {draw for draw in draws if all(draw in values[name] for name in run)}
        mean = {name: float(np.mean([values[name][draw] for draw in draws])) for name in (*run, OURS)} if draws else {}
        if not mean:
            continue
        best = max(run, key=lambda name: mean[name])
        behind.append(mean[OURS] - mean[best])
        first = (Field(name_dataset(dataset)), Field(str(len(draws))), Field(name_row(best)))
        rows.append((*first, show_number(mean[best]), show_number(mean[OURS]), show_number(behind[-1])))
    note = f"On average {np.mean(behind):+.4f} over {len(behind)} data sets." if behind else "Nothing to compare yet."
    return Table(
        title="The ensemble beside the best of its members, which nobody knows beforehand",
        columns=("data set", "draws", "best member", "its AUC", "AUC, ensemble", "difference"),
        rows=tuple(rows),
        notes=(note,),
    )


def _mean_share(shares: Sequence[float]) -> Field:
    known = [share for share in shares if math.isfinite(share)]
    return Field(f"{np.mean(known):.2f} ({len(known)})", float(np.mean(known))) if known else Field(NONE)
