"""Pictures over all data sets of a track: bars for each data set, and average ranks."""

import math

import numpy as np

from angularpu.figures.picture import Picture
from angularpu.figures.style import colour_of
from angularpu_bench.report.bars import make_bars
from angularpu_bench.report.names import (
    AS_PUBLISHED,
    find_source,
    name_dataset,
    name_method,
    name_told,
    order_datasets,
    order_methods,
)
from angularpu_bench.report.panels import make_bar_picture
from angularpu_bench.report.rank_diagram import draw_ranks
from angularpu_bench.report.ranking import Ranking, rank_methods
from angularpu_bench.report.results import Results
from angularpu_bench.report.section import Part
from angularpu_bench.report.table import Field, Table, show_number


def draw_overview(results: Results, *, name: str) -> list[Part]:
    """Draw AUC on each data set and, with several data sets, rank the methods that ran on all of them."""
    finished = Results(tuple(row for row in results.finished if math.isfinite(row.metrics["auc"])))
    if not finished:
        return []
    datasets = order_datasets(finished.distinct("dataset"))
    panels = {name_dataset(d): make_bars(finished.where(dataset=d), metric="auc") for d in datasets}
    caption = "AUC on every data set, mean and deviation over seeds, best first."
    parts: list[Part] = [make_bar_picture(panels, name=f"auc-{name}", caption=caption, metric="AUC", dots=True)]
    complete = [
        method
        for method in order_methods(finished.distinct("label"))
        if method != "oracle_pn" and len(finished.where(label=method).distinct("dataset")) == len(datasets)
    ]
    methods = [method for method in complete if method != AS_PUBLISHED]
    if len(datasets) > 1 and len(methods) > 1:
        ranking = _rank(finished, methods)
        distinct = len({find_source(dataset) for dataset in datasets})
        instead = _rank_instead(finished, methods) if AS_PUBLISHED in complete else math.nan
        parts += [
            _table_ranks(ranking, methods, distinct=distinct, instead=instead),
            _picture_ranks(ranking, methods, name=f"ranks-{name}"),
        ]
    return parts


def _rank(results: Results, methods: list[str]) -> Ranking:
    datasets = results.distinct("dataset")
    aucs = [[results.where(label=m, dataset=d).values("auc").mean() for m in methods] for d in datasets]
    return rank_methods(np.array(aucs))


def _rank_instead(results: Results, methods: list[str]) -> float:
    """Return the average rank of AngularPU as published in AngularPU's place; NaN if there is no such place."""
    if "angular" not in methods:
        return math.nan
    position = methods.index("angular")
    return float(_rank(results, [*methods[:position], AS_PUBLISHED, *methods[position + 1 :]]).ranks[position])


def _picture_ranks(ranking: Ranking, methods: list[str], *, name: str) -> Picture:
    names, colours = [name_told(m) for m in methods], [colour_of(m) for m in methods]
    return Picture(
        name=name,
        caption=f"Average rank by AUC over {ranking.n} data sets; a bar joins methods that Nemenyi's test at 5 % "
        "does not tell apart.",
        size=(8, 1.6 + 0.16 * len(methods)),
        draw=lambda figure: draw_ranks(figure.subplots(), ranking, names=names, colours=colours),
        columns=("method", "average_rank"),
        numbers=[(m, float(rank)) for m, rank in zip(methods, ranking.ranks, strict=True)],
    )


def _table_ranks(ranking: Ranking, methods: list[str], *, distinct: int, instead: float) -> Table:
    order = np.argsort(ranking.ranks, kind="stable")
    p_value = "not tested" if math.isnan(ranking.p_friedman) else f"{ranking.p_friedman:.3g}"
    regrouped = (
        f"{ranking.n - distinct} of the data sets are other groupings of images that are here already, so that the "
        "critical difference is somewhat too small.",
    )
    published = (
        f"{name_method(AS_PUBLISHED)}, is not ranked beside itself; in AngularPU's place its average rank is "
        f"{instead:.2f}.",
    )
    return Table(
        title=f"Average ranks by AUC over {ranking.n} data sets",
        columns=("method", "average rank"),
        rows=tuple((Field(name_told(methods[i])), show_number(float(ranking.ranks[i]), 2)) for i in order),
        notes=(
            f"Friedman's test that all are alike: p {p_value}. Critical difference (Nemenyi, 5 %) "
            f"{ranking.critical_difference:.2f}. Methods that did not run on every data set are left out of the ranks; "
            "those marked told know the true share of positives.",
            *(published if math.isfinite(instead) else ()),
            *(regrouped if distinct < ranking.n else ()),
        ),
    )
