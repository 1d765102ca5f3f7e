"""Pictures over all data sets of a track: who leads where, differences to AngularPU, and average ranks."""

import math
from collections.abc import Sequence

import numpy as np

from angularpu.figures.picture import Picture
from angularpu.figures.style import colour_of
from angularpu_bench.report.forest import find_gaps, make_forest
from angularpu_bench.report.heat_map import make_heat_map
from angularpu_bench.report.names import (
    AS_PUBLISHED,
    find_source,
    name_dataset,
    name_method,
    name_told,
    order_datasets,
    order_methods,
)
from angularpu_bench.report.rank_diagram import draw_ranks
from angularpu_bench.report.ranking import Ranking, rank_methods
from angularpu_bench.report.results import Results
from angularpu_bench.report.section import Part
from angularpu_bench.report.table import Field, Table, show_number

REFERENCE = "angular"


def draw_overview(results: Results, *, name: str) -> list[Part]:
    """Rank the methods that ran on several data sets, and draw how far they are from AngularPU on each."""
    finished = Results(tuple(row for row in results.finished if math.isfinite(row.metrics["auc"])))
    if not finished:
        return []
    datasets = order_datasets(finished.distinct("dataset"))
    rivals = [m for m in order_methods(finished.distinct("label")) if m not in (REFERENCE, AS_PUBLISHED)]
    gaps = find_gaps(finished, rivals, datasets=datasets, reference=REFERENCE)
    parts: list[Part] = [make_forest(gaps, name=f"auc-{name}", reference=REFERENCE)] if gaps else []
    complete = [
        method
        for method in order_methods(finished.distinct("label"))
        if method != "oracle_pn" and len(finished.where(label=method).distinct("dataset")) == len(datasets)
    ]
    methods = [method for method in complete if method != AS_PUBLISHED]
    if len(datasets) > 1 and len(methods) > 1:
        ranking, names = _rank(finished, methods), [name_told(method) for method in methods]
        distinct = len({find_source(dataset) for dataset in datasets})
        instead = _rank_instead(finished, methods) if AS_PUBLISHED in complete else math.nan
        parts = [
            _map_ranks(ranking, names, datasets=list(finished.distinct("dataset")), name=f"leaders-{name}"),
            *parts,
            table_ranks(ranking, names, distinct=distinct, instead=instead, apart=f" ({name})"),
            picture_ranks(ranking, names, colours=[colour_of(m) for m in methods], name=f"ranks-{name}"),
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


def _map_ranks(ranking: Ranking, names: Sequence[str], *, datasets: list[str], name: str) -> Picture:
    order = [datasets.index(dataset) for dataset in order_datasets(datasets)]
    return make_heat_map(
        ranking.each[order],
        methods=names,
        datasets=[name_dataset(datasets[position]) for position in order],
        name=name,
        caption=f"Which method leads where? Rank by mean AUC, 1 is best of {len(names)}; best average rank on top.",
        marked=name_method(REFERENCE),
    )


def picture_ranks(ranking: Ranking, names: Sequence[str], *, colours: Sequence[str], name: str) -> Picture:
    """Draw average ranks, with a bar below methods that do not differ significantly."""
    return Picture(
        name=name,
        caption=f"Average rank by AUC over {ranking.n} data sets; a bar joins methods that Nemenyi's test at 5 % "
        "does not tell apart.",
        size=(8, 1.6 + 0.16 * len(names)),
        draw=lambda figure: draw_ranks(figure.subplots(), ranking, names=names, colours=colours),
        columns=("method", "average_rank"),
        numbers=[(m, float(rank)) for m, rank in zip(names, ranking.ranks, strict=True)],
    )


def table_ranks(
    ranking: Ranking, names: Sequence[str], *, distinct: int, instead: float = math.nan, apart: str = ""
) -> Table:
    """Make the table of average ranks, the best first.

    Parameters
    ----------
    ranking : Ranking
    names : sequence of str
        Titles of the methods, in the order of the ranks.
    distinct : int
        How many of the data sets are no other grouping of one that is there already.
    instead : float
        The average rank of AngularPU as published in AngularPU's place; NaN without.
    apart : str
        What tells the table's title from those of other such tables.
    """
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
        title=f"Average ranks by AUC over {ranking.n} data sets{apart}",
        columns=("method", "average rank"),
        rows=tuple((Field(names[i]), show_number(float(ranking.ranks[i]), 2)) for i in order),
        notes=(
            f"Friedman's test that all are alike: p {p_value}. Critical difference (Nemenyi, 5 %) "
            f"{ranking.critical_difference:.2f}. Methods that did not run on every data set are left out of the ranks; "
            "those marked so are given the true share of positives.",
            *(published if math.isfinite(instead) else ()),
            *(regrouped if distinct < ranking.n else ()),
        ),
    )
