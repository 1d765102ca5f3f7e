"""Rows with named columns of several types, prepared by name."""

from dataclasses import dataclass
from typing import Any

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from angularpu.data.columns import ValueKind, as_numbers, refuse_type, value_kind, whole
from angularpu.data.prepare.categories import Category, LevelCounts, choose_category, note_almost_numbers
from angularpu.data.prepare.dense import CELLS_IN_CACHE, read_matrix, refuse_nothing_left
from angularpu.data.prepare.moments import Moments, measure, rows_at_a_time
from angularpu.data.prepare.numbers import Numbers, choose_numbers, describe_dropped, refuse_infinity
from angularpu.data.rows import Block, Rows, rows_within, spans
from angularpu.errors import DataError, list_names, quote


@dataclass(frozen=True, eq=False)
class FramePreparation:
    """Number columns standardised, text columns encoded by level, all found by name.

    Attributes
    ----------
    columns : tuple of str
        The fitted columns in their order, those left out included.
    sources : dict of str
        The number columns in use and what each holds: "number", "date" or "duration".
    numbers : Numbers
        How they are standardised, by position in ``sources``.
    categories : tuple of Category
        How the text columns in use are encoded.
    """

    columns: tuple[str, ...]
    sources: dict[str, ValueKind]
    numbers: Numbers
    categories: tuple[Category, ...]
    notes: tuple[str, ...] = ()

    @property
    def out_shape(self) -> tuple[int, ...]:
        """The shape of one prepared row: (width,)."""
        return (self.numbers.width + sum(category.width for category in self.categories),)

    @property
    def out_names(self) -> tuple[str, ...]:
        """The name of the column that each prepared one was made of."""
        names = list(self.sources)
        numbers = [names[place] for place in (*self.numbers.kept, *self.numbers.flagged)]
        texts = [category.name for category in self.categories for _ in range(category.width)]
        return (*numbers, *texts)

    @property
    def out_columns(self) -> tuple[str, ...]:
        """What each prepared column was made of, for messages."""
        return tuple(f"column {quote(name)}" for name in self.out_names)

    @property
    def text_columns(self) -> tuple[str, ...]:
        """The columns that must stay text when a file is read, even if all their values look like numbers."""
        return tuple(category.name for category in self.categories)

    def apply(self, block: Block, *, first_row: int = 0) -> NDArray[np.float32]:
        """Prepare a table that holds the fitted columns, in any order and beside any others.

        An array is taken by position, if all fitted columns are numbers.

        Returns
        -------
        (n, width) float32
        """
        if isinstance(block, pa.Table):
            self._refuse_absent(set(block.column_names))
            arrays = read_numbers(block, self.sources, first_row=first_row)
        else:
            arrays = self._read_array(block)
            block = pa.table({})
        out = np.empty((block.num_rows if not arrays else len(arrays[0]), *self.out_shape), np.float32)
        start = self.numbers.width
        self._fill_numbers(arrays, out[:, :start], first_row=first_row)
        for category in self.categories:
            category.fill(whole(block[category.name]), out[:, start : start + category.width])
            start += category.width
        return out

    def _fill_numbers(self, arrays: list[NDArray[Any]], out: NDArray[np.float32], *, first_row: int) -> None:
        names = list(self.sources)
        step = rows_within(CELLS_IN_CACHE, (len(names),))
        scratch = np.empty((min(step, len(out)), len(names)))
        for span in spans(len(out), step):
            values = scratch[: span.stop - span.start]
            for position, array in enumerate(arrays):
                values[:, position] = array[span]
            self.numbers.fill(
                values, out[span], describe=lambda i: f"column {quote(names[i])}", first_row=first_row + span.start
            )

    def _refuse_absent(self, came: set[str]) -> None:
        absent = [name for name in (*self.sources, *self.text_columns) if name not in came]
        if absent:
            raise DataError(f"the model needs the columns {list_names(absent)}, which did not come")

    def _read_array(self, block: Block) -> list[NDArray[Any]]:
        if self.categories or set(self.sources.values()) != {"number"}:
            raise DataError(
                "the model was fitted on a frame with text or dates, so an array cannot be scored; "
                f"pass a frame with the columns {list_names(self.columns)}"
            )
        array = read_matrix(block, len(self.columns))
        return [array[:, place] for place, name in enumerate(self.columns) if name in self.sources]

    def state(self) -> tuple[dict[str, NDArray[Any]], dict[str, Any]]:
        """Return all that was fitted, as arrays and as JSON."""
        content = {
            "kind": "frame",
            "columns": list(self.columns),
            "sources": [[name, kind] for name, kind in self.sources.items()],  # a JSON object may lose the order
            "categories": [category.state() for category in self.categories],
            "notes": list(self.notes),
        }
        return self.numbers.state(), content

    @classmethod
    def restore(cls, tensors: dict[str, NDArray[Any]], content: dict[str, Any]) -> "FramePreparation":
        """Make a preparation of what ``state`` returned."""
        return cls(
            columns=tuple(content["columns"]),
            sources=dict(content["sources"]),
            numbers=Numbers.restore(tensors),
            categories=tuple(
                Category(c["name"], tuple(c["levels"]), other=c["other"], missing=c["missing"])
                for c in content["categories"]
            ),
            notes=tuple(content["notes"]),
        )


def fit_frame(rows: Rows) -> FramePreparation:
    """Learn from a frame, in one pass, how its number and text columns are prepared."""
    schema = rows.take(np.zeros(1, np.int64)).schema
    kinds: dict[str, ValueKind] = {
        field.name: value_kind(field.type) or refuse_type(field.name, field.type) for field in schema
    }
    sources: dict[str, ValueKind] = {name: kind for name, kind in kinds.items() if kind != "text"}
    counts = {name: LevelCounts() for name, kind in kinds.items() if kind == "text"}
    moments = _measure(rows, sources, counts)
    numbers, used, notes = _choose_numbers(moments, sources)
    chosen = [choose_category(name, counted) for name, counted in counts.items()]
    almost = [note for name, counted in counts.items() if (note := note_almost_numbers(name, counted.total()))]
    preparation = FramePreparation(
        columns=tuple(kinds),
        sources=used,
        numbers=numbers,
        categories=tuple(category for category, _ in chosen if category is not None),
        notes=(*notes, *(note for _, note in chosen if note is not None), *almost),
    )
    refuse_nothing_left(*preparation.out_shape)
    return preparation


def read_numbers(table: pa.Table, sources: dict[str, ValueKind], *, first_row: int) -> list[NDArray[Any]]:
    """Return the number columns of a table by name, each as an array."""
    return [as_numbers(whole(table[name]), kind, name=name, first_row=first_row) for name, kind in sources.items()]


def _measure(rows: Rows, sources: dict[str, ValueKind], counts: dict[str, LevelCounts]) -> Moments:
    names, first_row, moments = list(sources), 0, measure(np.empty((0, len(sources))))
    for table in rows.chunks(rows_at_a_time(len(sources))):
        values = np.empty((table.num_rows, len(sources)))
        for position, array in enumerate(read_numbers(table, sources, first_row=first_row)):
            values[:, position] = array
        refuse_infinity(values, describe=lambda i: f"column {quote(names[i])}", first_row=first_row)
        moments = moments.merge(measure(values))
        for name, counted in counts.items():
            counted.add(whole(table[name]))
        first_row += table.num_rows
    return moments


def _choose_numbers(moments: Moments, sources: dict[str, ValueKind]) -> tuple[Numbers, dict[str, ValueKind], list[str]]:
    """Choose, and keep only the columns that are read at all when scoring."""
    names, numbers = list(sources), choose_numbers(moments)
    read = np.union1d(numbers.kept, numbers.flagged).astype(np.int64)
    numbers = Numbers(
        np.searchsorted(read, numbers.kept), numbers.mean, numbers.std, np.searchsorted(read, numbers.flagged)
    )
    used = {names[i]: sources[names[i]] for i in read}
    return numbers, used, describe_dropped(moments, [f"column {quote(name)}" for name in names])
