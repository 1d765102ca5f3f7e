"""How results depend on the number of rows: few labelled positives, many unlabelled rows."""

import math
from dataclasses import dataclass

import numpy as np

from angularpu.figures.style import colour_of
from angularpu.scenario.split import ENOUGH_FOR_MEAN, FEWEST_TO_HOLD_OUT
from angularpu_bench.paper.evidence import Evidence
from angularpu_bench.report.curves import Curve, make_curve
from angularpu_bench.report.names import (
    METRIC_NAMES,
    name_dataset,
    name_method,
    name_told,
    order_datasets,
    order_methods,
    order_tracks,
)
from angularpu_bench.report.panels import make_curve_picture
from angularpu_bench.report.remarks import describe_draws, list_failures, list_warnings
from angularpu_bench.report.results import Result, Results
from angularpu_bench.report.section import Part, Section, say_missing
from angularpu_bench.report.table import Field, Table, count_seeds, mark_best, show_mean


@dataclass(frozen=True)
class Growth:
    """An experiment over growing numbers of rows.

    Attributes
    ----------
    kind : str
        Name of its spec.
    title, setting : str
        Heading, and what is counted.
    column : str
        The column of the results with this number, for rows whose variant does not give it.
    shown, drawn : tuples of str
        Metrics in the table, and in the picture.
    n_best : int
        How many of the first metrics show their best value in bold.
    remark : str
        What a reader must know about the curves.
    """

    kind: str
    title: str
    setting: str
    column: str
    shown: tuple[str, ...]
    drawn: tuple[str, ...]
    n_best: int
    remark: str


SCARCITY = Growth(
    kind="scarcity",
    title="Few labelled positives",
    setting="labelled positives",
    column="n_pos",
    shown=("auc", "ap", "f1_pu", "f1_oracle"),
    drawn=("auc", "f1_pu"),
    n_best=4,
    remark=f"Below {FEWEST_TO_HOLD_OUT} labelled positives five folds choose epoch and threshold; from there on a "
    "held-out tenth does, as in the paper, which at first holds few positives: curves may bend there. The package's "
    f"own default is folds up to {ENOUGH_FOR_MEAN} (docs/trials.md).",
)
SCALE = Growth(
    kind="scale",
    title="Many unlabelled rows",
    setting="unlabelled rows",
    column="n_unl",
    shown=("auc", "ap", "f1_pu", "seconds", "memory_mb"),
    drawn=("auc", "seconds", "memory_mb"),
    n_best=3,
    remark="Seconds are processor time on one core; memory holds the whole data set, whatever part of it is used. "
    "A batch has 128 rows: the more are unlabelled, the fewer labelled ones are in it (see docs/methods/nnpu.md).",
)


def make_scarcity(evidence: Evidence) -> Section:
    """Make the section on few labelled positives."""
    return _make_section(evidence, SCARCITY)


def make_scale(evidence: Evidence) -> Section:
    """Make the section on many unlabelled rows, with the power of n with which the time grows."""
    return _make_section(evidence, SCALE)


def fit_exponent(results: Results, growth: Growth) -> float:
    """Fit seconds ~ n^b and return b, by least squares on logarithms; NaN with fewer than two sizes."""
    points = [(count(row, growth), row.metrics["seconds"]) for row in results.finished]
    x, seconds = np.array([point for point in points if all(value > 0 for value in point)]).reshape(-1, 2).T
    return float(np.polyfit(np.log(x), np.log(seconds), 1)[0]) if len(set(x)) > 1 else math.nan


def count(row: Result, growth: Growth) -> float:
    """Return the number of rows that a result was made with."""
    return row.value if row.parameter else row.metrics[growth.column]


def make_table(results: Results, growth: Growth, *, dataset: str) -> Table:
    """Make the table of one data set, by size and method."""
    rows: list[tuple[Field, ...]] = []
    methods = order_methods(results.distinct("method"))
    for size in sorted({count(row, growth) for row in results}):
        here = Results(tuple(row for row in results if count(row, growth) == size))
        block = []
        for method in methods:
            own = here.where(method=method)
            if own:
                shown = (show_mean(own.values(f), 1 if f in ("seconds", "memory_mb") else 4) for f in growth.shown)
                seeds = count_seeds(len(own.finished), len(own))
                block.append((Field(f"{size:.0f}", size), Field(name_told(method)), seeds, *shown))
        supervised = name_method("oracle_pn")
        eligible = [row[1].text != supervised for row in block]
        rows += mark_best(block, columns=range(3, 3 + growth.n_best), eligible=eligible)
    return Table(
        title=f"{growth.title}: {name_dataset(dataset)}, {results.rows[0].track} track",
        columns=(growth.setting, "method", "seeds", *(METRIC_NAMES[metric] for metric in growth.shown)),
        rows=tuple(rows),
        notes=(
            growth.remark,
            *describe_draws(results),
            *_describe_growth(results, growth),
            *list_failures(results),
            *list_warnings(results),
        ),
    )


def _make_section(evidence: Evidence, growth: Growth) -> Section:
    results = evidence.results.where(kind=growth.kind)
    parts: list[Part] = [] if results else [say_missing(growth.kind)]
    for track in order_tracks(results.distinct("track")):
        for dataset in order_datasets(results.where(track=track).distinct("dataset")):
            rows = results.where(track=track, dataset=dataset)
            picture = make_curve_picture(
                {METRIC_NAMES[metric]: _make_curves(rows, growth, metric=metric) for metric in growth.drawn},
                name=f"{growth.kind}-{dataset}-{track}",
                caption=f"{growth.title}: {name_dataset(dataset)}, mean and deviation over seeds.",
                setting=growth.setting,
                log=True,
            )
            parts += [picture, make_table(rows, growth, dataset=dataset)]
    return Section(growth.title, parts)


def _make_curves(results: Results, growth: Growth, *, metric: str) -> list[Curve]:
    curves = []
    for method in order_methods(results.finished.distinct("method")):
        own = results.where(method=method)
        sizes = {count(row, growth) for row in own}
        values = {n: Results(tuple(r for r in own if count(r, growth) == n)).values(metric) for n in sizes}
        curves.append(make_curve(name_told(method), colour_of(method), values=values))
    return curves


def _describe_growth(results: Results, growth: Growth) -> list[str]:
    if "seconds" not in growth.shown:
        return []
    exponents = {m: fit_exponent(results.where(method=m), growth) for m in order_methods(results.distinct("method"))}
    known = [f"{name_method(method)} {b:.2f}" for method, b in exponents.items() if math.isfinite(b)]
    return [f"Time grows like a power of the {growth.setting}: {', '.join(known)} (1 is linear)."] if known else []
