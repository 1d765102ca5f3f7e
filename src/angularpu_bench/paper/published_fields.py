"""Published numbers as fields of a table, with the marks of their flaws, to be shown beside ours."""

import math
from dataclasses import replace

from angularpu_bench.paper.flaws import PRIOR, find_flaws
from angularpu_bench.paper.published import Published, infer_prior
from angularpu_bench.report.table import NONE, Field, show_number

DIGITS = 3


def show_published(published: Published, table: str, *, dataset: str, row: str, metric: str) -> Field:
    """Show a published mean with its deviation and the marks of its flaws, or a dash where none was published.

    Parameters
    ----------
    published : Published
    table, dataset, row, metric : str
        As printed.
    """
    marks = find_flaws(table, dataset, row=row, metric=metric)
    printed = published.row(table, dataset, row).get(metric)
    if printed is None:
        return Field(NONE, marks=marks)
    digits = DIGITS + 1 if table == "main" else DIGITS
    spread = f" ± {printed.std:.{digits}f}" if math.isfinite(printed.std) else ""
    return Field(f"{printed.mean:.{digits}f}{spread}", printed.mean, marks=marks)


def show_published_prior(published: Published, table: str, *, dataset: str, row: str) -> Field:
    """Show the share of positives that a published row implies, with the marks of its flaws."""
    field = show_number(infer_prior(published.row(table, dataset, row)), DIGITS)
    return replace(field, marks=find_flaws(table, dataset, row=row, metric=PRIOR))
