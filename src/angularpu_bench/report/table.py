"""A table, before it is written as Markdown or HTML."""

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any

from numpy.typing import NDArray

DIGITS = 4
NOT_RUN = "not run"
NONE = "-"


@dataclass(frozen=True)
class Field:
    """One field of a table.

    Attributes
    ----------
    text : str
    value : float
        The number that the column is sorted by; NaN sorts to the end.
    bold : bool
    marks : tuple of int
        Footnotes that apply, counted from 1.
    """

    text: str
    value: float = math.nan
    bold: bool = False
    marks: tuple[int, ...] = ()


@dataclass(frozen=True)
class Table:
    """A table with a title above and sentences below.

    Attributes
    ----------
    title : str
        Its heading; empty for one that continues the table above it.
    columns : tuple of str
    rows : tuple of tuples of Field
        Each as long as ``columns``.
    notes : tuple of str
        Sentences to show below it.
    marks : tuple of int
        Footnotes that apply to the whole table, counted from 1.
    folded : str
        What to click on to see the table and its notes; empty for one that is shown at once.
    """

    title: str
    columns: tuple[str, ...]
    rows: tuple[tuple[Field, ...], ...]
    notes: tuple[str, ...] = ()
    marks: tuple[int, ...] = ()
    folded: str = ""

    def __post_init__(self) -> None:
        for row in self.rows:
            assert len(row) == len(self.columns), f"{self.title}: {len(row)} fields for {len(self.columns)} columns"


def show_number(value: float, digits: int = DIGITS) -> Field:
    """Show one number, or a dash for NaN.

    >>> show_number(0.98765).text, show_number(math.nan).text
    ('0.9877', '-')
    """
    return Field(f"{value:.{digits}f}", value) if math.isfinite(value) else Field(NONE)


def show_mean(values: NDArray[Any], digits: int = DIGITS) -> Field:
    """Show the mean and the deviation (n - 1) over seeds; one seed has no deviation.

    >>> import numpy as np
    >>> show_mean(np.array([0.5, 0.75])).text, show_mean(np.array([0.5])).text
    ('0.6250 ± 0.1768', '0.5000')
    """
    if not len(values):
        return Field(NONE)
    mean = float(values.mean())
    spread = f" ± {values.std(ddof=1):.{digits}f}" if len(values) > 1 else ""
    return Field(f"{mean:.{digits}f}{spread}", mean)


def mark_best(
    rows: Sequence[tuple[Field, ...]], *, columns: Iterable[int], eligible: Sequence[bool]
) -> tuple[tuple[Field, ...], ...]:
    """Show the highest value of each given column in bold, among the eligible rows; ties are all bold.

    >>> low, high = Field("0.1", 0.1), Field("0.2", 0.2)
    >>> [row[0].bold for row in mark_best([(low,), (high,), (high,)], columns=[0], eligible=[True, True, False])]
    [False, True, False]
    """
    marked = [list(row) for row in rows]
    for column in columns:
        shown = [row[column].value for row, may in zip(rows, eligible, strict=True) if may]
        best = max((value for value in shown if math.isfinite(value)), default=math.inf)
        for row, may in zip(marked, eligible, strict=True):
            if may and row[column].value == best:
                row[column] = replace(row[column], bold=True)
    return tuple(tuple(row) for row in marked)


def count_seeds(n_finished: int, n_rows: int) -> Field:
    """Show how many seeds a row is made from, and how many were tried if some failed.

    >>> count_seeds(3, 3).text, count_seeds(2, 3).text
    ('3', '2 of 3')
    """
    return Field(f"{n_finished}" if n_finished == n_rows else f"{n_finished} of {n_rows}", n_finished)
