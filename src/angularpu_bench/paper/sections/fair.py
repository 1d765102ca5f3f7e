"""The fair table: every method after the same small search, who leads, and what the search chose."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from types import MappingProxyType

import numpy as np

from angularpu_bench.paper.evidence import Evidence
from angularpu_bench.paper.finding import Gain, measure_gain
from angularpu_bench.paper.sections.decisions import ABOUT
from angularpu_bench.paper.sections.leading import rank_rows
from angularpu_bench.paper.sections.main_tables import FOLDED, make_tables
from angularpu_bench.paper.sections.shares import (
    LEAST_GAP,
    NAIVE,
    SUPERVISED,
    Standing,
    Values,
    list_standings,
    picture_shares,
)
from angularpu_bench.report.names import (
    AS_PUBLISHED,
    FOLD_MEAN,
    METRIC_NAMES,
    name_dataset,
    name_method,
    name_told,
    order_datasets,
    order_methods,
)
from angularpu_bench.report.results import Result, Results
from angularpu_bench.report.section import Part, Section, say_missing
from angularpu_bench.report.table import NONE, Field, Table, show_number

TITLE = "A fair table"
OURS = ("angular", FOLD_MEAN, "ensemble")
KINDS: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {"image features": ("features",), "tables and text": ("table", "text"), "fine-tuned": ("finetune",)}
)
METRICS = ("auc", "best_f1", "f1_pu")
RATE = "learning_rate"
JUDGE = "pu_auc"
NOTE = (
    "Every method had the same small search: each network, ours included, at three learning rates on one draw of "
    "labels, epochs until patience ended, at least 3000 updates allowed; held-out PU-AUC chose, nothing true. The "
    "choice was then kept for all draws. All unlabelled rows of the image sets; the threshold of F1 is chosen by the "
    "same rule for all. AngularPU stands there as one network, as published, as the mean of its folds and inside the "
    "ensemble. Fine-tuned networks had no search; their shares of the gap are shown beside."
)


def make_section(evidence: Evidence) -> Section:
    """Make the leaderboard, the shares of the gap, what estimating the prior costs, the search, and the tables."""
    results = evidence.results.where(kind="fair")
    table = results.where(branch="")
    if not table:
        return Section(TITLE, [say_missing("fair")])
    parts: list[Part] = [NOTE, *rank(table.finished)]
    standings = {metric: stand(table.finished, evidence.results.where(kind="blocks"), metric) for metric in METRICS}
    if standings["auc"]:
        parts += [picture_shares(standings["auc"], name="shares", marked=OURS), table_shares(standings)]
    parts += [compare_priors(table, results.where(branch="estimated"))] if results.where(branch="estimated") else []
    search = evidence.results.where(kind="search")
    parts += [list_chosen(search)] if search else []
    for dataset in order_datasets(table.distinct("dataset")):
        ranking, decisions = make_tables(table.where(dataset=dataset), evidence.published)
        title = f"{ranking.title} (fair)"
        parts += [replace(ranking, title=title, folded=FOLDED), replace(decisions, folded=ABOUT.rstrip(":"))]
    return Section(TITLE, parts)


def collect(results: Results, metric: str) -> dict[str, Values]:
    """Return a metric of every row of the table by draw."""
    return {label: results.where(label=label).by_draw(metric) for label in results.distinct("label")}


def rank(results: Results) -> list[Part]:
    """Rank the methods that ran on every data set, but for AngularPU as published."""
    values = collect(results, "auc")
    return rank_rows(
        {label: values[label] for label in order_methods(values) if label != AS_PUBLISHED},
        datasets=order_datasets(results.distinct("dataset")),
        title=name_told,
        marked=OURS,
        names=("leaderboard-fair", "ranks-fair"),
        apart=" (fair)",
    )


def stand(table: Results, tuned: Results, metric: str) -> list[Standing]:
    """Average the shares of the gap on the data sets of each kind; fine-tuned rows have a table of their own."""
    standings = []
    for kind, tracks in KINDS.items():
        rows = Results(tuple(row for row in (*table, *tuned.finished) if row.track in tracks))
        labels = [label for label in order_methods(rows.distinct("label")) if label not in (NAIVE, SUPERVISED)]
        standings += list_standings(collect(rows, metric), {kind: order_datasets(rows.distinct("dataset"))}, labels)
    known = {standing.row for standing in standings if standing.kind != "fine-tuned"}
    return [standing for standing in standings if standing.row in known]


def table_shares(standings: Mapping[str, Sequence[Standing]]) -> Table:
    """Make the table of mean shares with their intervals, for three metrics."""
    found = {(s.row, s.kind, metric): s for metric, each in standings.items() for s in each}
    kinds = list(dict.fromkeys(s.kind for s in standings["auc"]))
    rows = order_methods(dict.fromkeys(s.row for s in standings["auc"]))
    sources = {kind: {d for s in standings["auc"] if s.kind == kind for d in s.shares} for kind in kinds}
    listed = "; ".join(
        f"{kind}: {', '.join(name_dataset(dataset) for dataset in order_datasets(sources[kind]))}" for kind in kinds
    )
    return Table(
        title="Share of the gap from naive to supervised (fair)",
        columns=("method", *(f"{kind}: {METRIC_NAMES[metric]}" for kind in kinds for metric in METRICS)),
        rows=tuple(
            (
                Field(name_told(row)),
                *(_show_mean(found.get((row, kind, metric)), ".2f") for kind in kinds for metric in METRICS),
            )
            for row in rows
        ),
        notes=(
            f"Mean over data sets whose gap is at least {LEAST_GAP:g} (in AUC {listed}), 95 % t interval; two "
            "groupings of the same images count as one. The gap of every metric is its own.",
        ),
        folded="All shares",
    )


def compare_priors(told: Results, estimated: Results) -> Table:
    """Make the table of what methods lose that are given an estimated share of positives in place of the true one."""
    rows = []
    for label in order_methods(estimated.distinct("label")):
        pair = estimated.where(label=label), told.where(label=label)
        gains = [measure_gain(*pair, metric=metric) for metric in ("auc", "f1_pu")]
        rows.append((Field(name_method(label)), *(_show_mean(gain, "+.4f") for gain in gains)))
    return Table(
        title="Share of positives estimated instead of given (fair)",
        columns=("method", "AUC, estimated minus given", "F1 at the PU-valid threshold"),
        rows=tuple(rows),
        notes=("Mean over data sets and its 95 % t interval; BBE estimates, the learning rate is the same.",),
        folded="Methods that need the share of positives",
    )


def list_chosen(search: Results) -> Table:
    """Make the table of the learning rates that held-out PU-AUC chose."""
    datasets = order_datasets(search.distinct("dataset"))
    rows = []
    for method in order_methods(search.distinct("method")):
        own = search.where(method=method, parameter=RATE).finished
        rows.append((Field(name_method(method)), *(_show_choice(own.where(dataset=d)) for d in datasets)))
    return Table(
        title="Learning rates that the search chose",
        columns=("method", *map(name_dataset, datasets)),
        rows=tuple(rows),
        notes=("The supervised rows were chosen by held-out AUC of true classes.",),
        folded="What the search chose",
    )


def _show_mean(found: Standing | Gain | None, form: str) -> Field:
    """Show a mean with its interval, a dash for nothing."""
    if found is None:
        return Field(NONE)
    low, high = found.interval
    between = f" [{low:{form}}, {high:{form}}]" if np.isfinite(low) else ""
    return Field(f"{found.mean:{form}}{between}", found.mean)


def _show_choice(rows: Results) -> Field:
    """Show the value with the highest PU-AUC, the first of equals."""
    judged = [row for row in sorted(rows, key=lambda row: row.value) if np.isfinite(_judge(row))]
    return show_number(max(judged, key=_judge).value) if judged else Field(NONE)


def _judge(row: Result) -> float:
    return row.metrics.get(JUDGE, float("nan"))
