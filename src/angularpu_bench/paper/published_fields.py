"""Published numbers as fields of a table, with the marks of their flaws, to be shown beside ours."""

import math
from dataclasses import replace

from angularpu_bench.paper.flaws import PRIOR, find_flaws
from angularpu_bench.paper.published import Place, Published, infer_prior
from angularpu_bench.report.table import NONE, Field, show_number

DIGITS = 3


def show_published(published: Published, place: Place | None, *, metric: str) -> Field:
    """Show a published mean with its deviation and the marks of its flaws, or a dash where none was published.

    Parameters
    ----------
    published : Published
    place : Place or None
        None where no published row belongs.
    metric : str
        As printed.
    """
    if place is None:
        return Field(NONE)
    marks = find_flaws(place.table, place.dataset, row=place.row, metric=metric)
    printed = published.row(place.table, place.dataset, place.row).get(metric)
    if printed is None:
        return Field(NONE, marks=marks)
    digits = DIGITS + 1 if place.table == "main" else DIGITS
    spread = f" ± {printed.std:.{digits}f}" if math.isfinite(printed.std) else ""
    return Field(f"{printed.mean:.{digits}f}{spread}", printed.mean, marks=marks)


def show_published_prior(published: Published, place: Place | None) -> Field:
    """Show the share of positives that a published row implies, with the marks of its flaws."""
    if place is None:
        return Field(NONE)
    field = show_number(infer_prior(published.row(place.table, place.dataset, place.row)), DIGITS)
    return replace(field, marks=find_flaws(place.table, place.dataset, row=place.row, metric=PRIOR))
