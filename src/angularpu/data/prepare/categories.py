"""Text columns made ready for a network: one column of 0 and 1 per frequent level."""

from dataclasses import dataclass
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from angularpu.data.columns import as_text, refuse_type, value_kind, whole
from angularpu.errors import quote

MOST_LEVELS = 64
FEWEST_ROWS_OF_IDENTIFIERS = 20
NUMBER = r"^\s*[-+]?(\d+\.?\d*|\.\d+)([eE][-+]?\d+)?\s*$"
ALMOST = 0.95
SHOWN = 3


@dataclass(frozen=True)
class Category:
    """Which levels of a text column get a column of their own, and what becomes of the others.

    Attributes
    ----------
    name : str
        The column's name.
    levels : tuple of str
        The levels with a column of their own, most frequent first.
    other : bool
        Whether rarer levels were seen: then they and unseen ones share one column. Otherwise an unseen level is a row
        of zeros, since a column without a single 1 teaches a network nothing.
    missing : bool
        Whether missing values were seen: then they have a column of their own, otherwise they are a row of zeros.
    """

    name: str
    levels: tuple[str, ...]
    other: bool
    missing: bool

    @property
    def width(self) -> int:
        """How many columns come out."""
        return len(self.levels) + self.other + self.missing

    def fill(self, column: pa.Array, out: NDArray[np.float32]) -> None:
        """Write 0 and 1 into ``out``, (n, width): the levels, then other, then missing."""
        if value_kind(column.type) is None:
            refuse_type(self.name, column.type)
        text = as_text(column)
        code = pc.index_in(text, value_set=pa.array(self.levels, pa.large_string()))
        code = code.fill_null(len(self.levels) if self.other else -1).to_numpy(zero_copy_only=False)
        if text.null_count:
            absent = text.is_null().to_numpy(zero_copy_only=False)
            code = np.where(absent, self.width - 1 if self.missing else -1, code)
        out[...] = 0
        row = np.flatnonzero(code >= 0)
        out[row, code[row]] = 1

    def state(self) -> dict[str, Any]:
        """Return the category as JSON can hold it."""
        return {"name": self.name, "levels": list(self.levels), "other": self.other, "missing": self.missing}


class LevelCounts:
    """How often each level of a text column came, gathered chunk by chunk."""

    def __init__(self) -> None:
        self.missing = 0
        self._parts = [pa.table({"level": pa.array([], pa.large_string()), "count": pa.array([], pa.int64())})]
        self._settled = 0

    def add(self, column: pa.Array) -> None:
        """Count the levels of one more piece of the column."""
        text = as_text(column)
        self.missing += text.null_count
        counted = text.drop_null().value_counts()
        self._parts.append(pa.table({"level": counted.field("values"), "count": counted.field("counts")}))
        # Merged whenever the pieces outgrow the levels they hold, so that long columns take neither room nor time.
        if sum(len(part) for part in self._parts) > 2 * self._settled + 1024:
            self._settled = len(self.total())

    def total(self) -> pa.Table:
        """Return the table of levels and counts, in no particular order."""
        parts = pa.concat_tables(self._parts)
        # Four times as fast as Arrow's group_by; the sums stay exact up to 2^53 rows.
        levels = whole(parts["level"]).dictionary_encode()
        counts = np.bincount(levels.indices.to_numpy(), parts["count"].to_numpy(), len(levels.dictionary))
        self._parts = [pa.table({"level": levels.dictionary, "count": counts.astype(np.int64)})]
        return self._parts[0]


def note_almost_numbers(name: str, total: pa.Table) -> str | None:
    """Say so when nearly all cells of a text column are numbers: the rest may be a way of writing "missing".

    >>> note_almost_numbers("age", pa.table({"level": ["31", "45", "?"], "count": [60, 39, 1]}))
    "column 'age' is text because of '?'; its other cells are numbers: empty such cells to have it read as numbers"
    """
    number = pc.match_substring_regex(total["level"], NUMBER)
    numbers, cells = (pc.sum(column).as_py() or 0 for column in (pc.filter(total["count"], number), total["count"]))
    if not ALMOST * cells <= numbers < cells:
        return None
    others = pc.filter(total["level"], pc.invert(number))
    shown = ", ".join(map(quote, sorted(others.slice(0, SHOWN).to_pylist()))) + (", ..." if len(others) > SHOWN else "")
    advice = "its other cells are numbers: empty such cells to have it read as numbers"
    return f"column {quote(name)} is text because of {shown}; {advice}"


def choose_category(name: str, counts: LevelCounts) -> tuple[Category | None, str | None]:
    """Decide from its levels how a text column is encoded, and say so when something is left out.

    >>> counts = LevelCounts()
    >>> counts.add(pa.array(["red", "blue", "red", None]))
    >>> choose_category("colour", counts)
    (Category(name='colour', levels=('red', 'blue'), other=False, missing=True), None)
    """
    total, missing = counts.total(), counts.missing > 0
    rows = pc.sum(total["count"]).as_py() or 0
    if rows == 0:
        return None, f"column {quote(name)} left out: no values at all"
    if len(total) == rows > FEWEST_ROWS_OF_IDENTIFIERS:
        return None, f"column {quote(name)} left out: all {rows} values differ, it looks like an identifier"
    if len(total) == 1 and not missing:
        return None, f"column {quote(name)} left out: every value is the same"
    if len(total) == 1:
        note = f"column {quote(name)} used only for whether it is missing: every other value is the same"
        return Category(name, (), other=False, missing=True), note
    order = pc.select_k_unstable(total, MOST_LEVELS, [("count", "descending"), ("level", "ascending")])
    levels = tuple(total["level"].take(order).to_pylist())
    if len(total) <= MOST_LEVELS:
        return Category(name, levels, other=False, missing=missing), None
    kept = f"the {MOST_LEVELS} most frequent of {len(total)} levels are kept, the others share one column"
    return Category(name, levels, other=True, missing=missing), f"column {quote(name)}: {kept}"
