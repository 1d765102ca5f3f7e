"""Pictures over all data sets of a track: bars for each data set, and average ranks."""

import math
from collections.abc import Sequence

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
        ranking, names = _rank(finished, methods), [name_told(method) for method in methods]
        distinct = len({find_source(dataset) for dataset in datasets})
        instead = _rank_instead(finished, methods) if AS_PUBLISHED in complete else math.nan
        parts += [
            table_ranks(ranking, names, distinct=distinct, instead=instead),
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


def table_ranks(ranking: Ranking, names: Sequence[str], *, distinct: int, instead: float = math.nan) -> Table:
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
        title=f"Average ranks by AUC over {ranking.n} data sets",
        columns=("method", "average rank"),
        rows=tuple((Field(names[i]), show_number(float(ranking.ranks[i]), 2)) for i in order),
        notes=(
            f"Friedman's test that all are alike: p {p_value}. Critical difference (Nemenyi, 5 %) "
            f"{ranking.critical_difference:.2f}. Methods that did not run on every data set are left out of the ranks; "
            "those marked told know the true share of positives.",
            *(published if math.isfinite(instead) else ()),
            *(regrouped if distinct < ranking.n else ()),
        ),
    )
