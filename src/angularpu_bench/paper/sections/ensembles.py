"""The ensemble beside the rows of the main tables on the same draws of labels."""

import math
from collections.abc import Sequence

from angularpu_bench.paper.evidence import Evidence
from angularpu_bench.paper.sections import ensembles_hard
from angularpu_bench.paper.sections.ensembles_summary import (
    ANGULAR,
    METRICS,
    OURS,
    rank_everything,
    table_members,
    table_shares,
)
from angularpu_bench.paper.sections.shares import LEAST_GAP, NAIVE, SUPERVISED
from angularpu_bench.report.comparison import share_of_gap
from angularpu_bench.report.names import METRIC_NAMES, name_dataset, name_method, order_datasets
from angularpu_bench.report.remarks import list_failures, list_warnings
from angularpu_bench.report.results import Results
from angularpu_bench.report.section import Part, Section, say_missing
from angularpu_bench.report.table import DIGITS, NOT_RUN, Field, Table

SIDES = {
    "": "data sets on which members, scales and weights were chosen",
    "check": "data sets on which nothing was chosen",
}
NOTE = (
    "The ensemble as a user gets it, beside rows of the main tables on the same draws of labels: one network of each, "
    "with their budgets. The share of the gap is (method - naive)/(supervised - naive), by the means over these draws; "
    f"it is left out where the gap is below {LEAST_GAP}. Members and weights: [ensemble.md](methods/ensemble.md)."
)


def make_section(evidence: Evidence) -> Section:
    """Make the leaderboard, what the tables come to, and a table for each side: data sets that chose, and others."""
    ensembles, main = evidence.results.where(kind="ensembles"), evidence.results.where(kind="main", variant="")
    if not ensembles:
        return Section("Ensembles", [say_missing("ensembles")])
    parts: list[Part] = []
    if ensembles.where(method=OURS):
        plain = Results(tuple(row for row in ensembles if row.branch not in ensembles_hard.TITLES))
        parts += [*rank_everything(plain, main), NOTE, table_shares(plain, main), table_members(plain, main)]
    for branch, told in SIDES.items():
        side = ensembles.where(branch=branch)
        if side:
            parts.append(make_table(side, main, title=f"The ensemble on {told}"))
    parts += ensembles_hard.make_tables(ensembles)
    return Section("Ensembles", parts)


def make_table(ensembles: Results, main: Results, *, title: str) -> Table:
    """Make the table: three rows for each data set, one for each metric."""
    rows = []
    for dataset in order_datasets(ensembles.distinct("dataset")):
        for metric in METRICS:
            rows.append(_make_row(ensembles.where(dataset=dataset), main.where(dataset=dataset), metric=metric))
    columns = ("data set", "metric", "draws", *map(name_method, (NAIVE, ANGULAR, OURS, SUPERVISED)))
    return Table(
        title=title,
        columns=(*columns, "share of gap, AngularPU", "share of gap, ensemble"),
        rows=tuple(rows),
        notes=(*list_failures(ensembles), *list_warnings(ensembles)),
        folded="Data set by data set",
    )


def _make_row(ensembles: Results, main: Results, *, metric: str) -> tuple[Field, ...]:
    dataset = ensembles.rows[0].dataset
    ours = ensembles.where(method=OURS, variant="").by_draw(metric)
    rest = {name: main.where(method=name).by_draw(metric) for name in (NAIVE, ANGULAR, SUPERVISED)}
    draws = [draw for draw in ours if all(draw in each for each in rest.values())]
    first = (Field(name_dataset(dataset)), Field(METRIC_NAMES[metric]), Field(str(len(draws))))
    if not draws:
        return (*first, *[Field(NOT_RUN)] * 6)
    naive, angular, ensemble, supervised = (
        _mean([each[draw] for draw in draws]) for each in (rest[NAIVE], rest[ANGULAR], ours, rest[SUPERVISED])
    )
    shares = [
        share_of_gap(value, naive=naive, supervised=supervised) if supervised - naive >= LEAST_GAP else math.nan
        for value in (angular, ensemble)
    ]
    values = [Field(f"{value:.{DIGITS}f}", value) for value in (naive, angular, ensemble, supervised)]
    return (*first, *values, *(Field("-" if math.isnan(share) else f"{share:.2f}", share) for share in shares))


def _mean(values: Sequence[float]) -> float:
    return sum(values) / len(values)
