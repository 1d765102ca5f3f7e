"""Columns of our metrics, each with the published one beside it where there is one."""

from collections.abc import Sequence
from dataclasses import dataclass

from angularpu_bench.paper.published import Place, Published
from angularpu_bench.paper.published_fields import show_published
from angularpu_bench.report.names import METRIC_NAMES
from angularpu_bench.report.results import Results
from angularpu_bench.report.table import DIGITS, Field, show_mean


@dataclass(frozen=True)
class Column:
    """One of our metrics, and the published metric to show beside it.

    Attributes
    ----------
    metric : str
    printed : str
        As in the file of published numbers; empty for none.
    digits : int
        Of ours.
    """

    metric: str
    printed: str = ""
    digits: int = DIGITS

    @property
    def name(self) -> str:
        """What the column of ours is called."""
        return METRIC_NAMES[self.metric]


def name_columns(columns: Sequence[Column], *, beside: bool) -> list[str]:
    """Name the columns of ours, each with that of the published numbers if these stand beside.

    >>> name_columns([Column("auc", "auc"), Column("f1_oracle", "f1"), Column("f1_pu")], beside=True)
    ['AUC', 'published AUC', 'F1, oracle threshold', 'published F1', 'F1, PU-valid threshold']
    """
    names = []
    for column in columns:
        names.append(column.name)
        if beside and column.printed:
            names.append(f"published {column.name.partition(',')[0]}")
    return names


def fill_columns(
    columns: Sequence[Column], own: Results, *, published: Published, place: Place | None, beside: bool
) -> list[Field]:
    """Show one row's means and, if published numbers stand beside, those at the given place or dashes."""
    fields = []
    for column in columns:
        fields.append(show_mean(own.values(column.metric), column.digits))
        if beside and column.printed:
            fields.append(show_published(published, place, metric=column.printed))
    return fields
