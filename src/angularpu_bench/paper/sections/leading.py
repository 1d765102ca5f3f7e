"""Who leads: rows ranked by AUC on the draws of labels that all of them have, as pictures and a table."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

import numpy as np

from angularpu.figures.style import colour_of
from angularpu_bench.paper.sections.overview import picture_ranks, table_ranks
from angularpu_bench.paper.sections.shares import Values
from angularpu_bench.report.leaderboard import make_leaderboard
from angularpu_bench.report.names import find_source, name_dataset
from angularpu_bench.report.ranking import rank_methods
from angularpu_bench.report.section import Part


def rank_rows(
    values: Mapping[str, Values],
    *,
    datasets: Sequence[str],
    title: Callable[[str], str],
    marked: Sequence[str],
    names: tuple[str, str],
    apart: str = "",
) -> list[Part]:
    """Rank the rows that have a draw on every data set; supervised ones do not compete.

    Parameters
    ----------
    values : mapping of str to mapping of (str, int) to float
        AUC of every row by draw.
    datasets : sequence of str
    title : callable
        What a row is called.
    marked : sequence of str
        The rows that stand out.
    names : tuple of two str
        Of the leaderboard and of the diagram.
    apart : str
        What tells the table's title from those of other such tables.

    Returns
    -------
    list of Part
        Empty with fewer than two rows or data sets to compare.
    """
    rows = [
        row
        for row, own in values.items()
        if not row.startswith("oracle") and {dataset for dataset, _ in own} >= set(datasets)
    ]
    shared = sorted(set.intersection(*(set(values[row]) for row in rows))) if rows else []
    ranked = [dataset for dataset in datasets if any(draw[0] == dataset for draw in shared)]
    if len(ranked) < 2 or len(rows) < 2:
        return []
    draws = {dataset: [draw for draw in shared if draw[0] == dataset] for dataset in ranked}
    ranking = rank_methods([[np.mean([values[row][x] for x in draws[dataset]]) for row in rows] for dataset in ranked])
    titles = [title(row) for row in rows]
    leaderboard = make_leaderboard(
        ranking,
        methods=titles,
        datasets=[name_dataset(dataset) for dataset in ranked],
        name=names[0],
        marked=[title(row) for row in marked],
    )
    distinct = len({find_source(dataset) for dataset in ranked})
    averages = table_ranks(ranking, titles, distinct=distinct, apart=apart)
    diagram = picture_ranks(ranking, titles, colours=[colour_of(row.split()[0]) for row in rows], name=names[1])
    return [leaderboard, replace(averages, folded="All average ranks"), diagram]
