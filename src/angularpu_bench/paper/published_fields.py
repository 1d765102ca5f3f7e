"""Published numbers as cells, with their footnotes, to stand beside ours."""

import math
from dataclasses import replace

from angularpu_bench.paper.flaws import PRIOR, find_flaws
from angularpu_bench.paper.published import Published, prior_of
from angularpu_bench.report.table import NONE, Cell, show_number

DIGITS = 3


def show_published(published: Published, table: str, *, dataset: str, row: str, metric: str) -> Cell:
    """Show a published figure with its deviation and the marks of its flaws; a dash where there is none.

    Parameters
    ----------
    published : Published
    table, dataset, row, metric : str
        As printed.
    """
    marks = find_flaws(table, dataset, row=row, metric=metric)
    figure = published.row(table, dataset, row).get(metric)
    if figure is None:
        return Cell(NONE, marks=marks)
    digits = DIGITS + 1 if table == "main" else DIGITS
    spread = f" ± {figure.std:.{digits}f}" if math.isfinite(figure.std) else ""
    return Cell(f"{figure.mean:.{digits}f}{spread}", figure.mean, marks=marks)


def show_published_prior(published: Published, table: str, *, dataset: str, row: str) -> Cell:
    """Show the share of positives that a published row implies, with the marks of its flaws."""
    cell = show_number(prior_of(published.row(table, dataset, row)), DIGITS)
    return replace(cell, marks=find_flaws(table, dataset, row=row, metric=PRIOR))
