"""Text columns: a column of 0 and 1 for each frequent level."""

from collections import Counter

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from angularpu.data.prepare.categories import MOST_LEVELS, LevelCounts, choose_category
from angularpu.errors import DataError


def choose(*chunks):
    counts = LevelCounts()
    for chunk in chunks:
        counts.add(pa.array(chunk, pa.string()))
    return choose_category("c", counts)


def fill(category, column):
    out = np.full((len(column), category.width), np.nan, np.float32)
    category.fill(pa.array(column) if isinstance(column, list) else column, out)
    return out.tolist()


@given(st.lists(st.lists(st.sampled_from([None, *"abcdefgh"]), max_size=30), min_size=1, max_size=8))
def test_counts_in_chunks_are_those_of_the_whole(chunks):
    counts = LevelCounts()
    for chunk in chunks:
        counts.add(pa.array(chunk, pa.string()))
        counts.total()
    whole = Counter(cell for chunk in chunks for cell in chunk)
    assert counts.missing == whole.pop(None, 0)
    assert {row["level"]: row["count"] for row in counts.total().to_pylist()} == whole


def test_levels_stand_by_frequency_then_by_value():
    category, note = choose(["b", "a", "é", "c"], ["c", "b", "Z"])
    assert (category.levels, category.other, category.missing, note) == (("b", "c", "Z", "a", "é"), False, False, None)


def test_values_by_hand():
    category, _ = choose(["x", "x", "y", None])
    assert fill(category, ["y", "x", None, "new"]) == [[0, 1, 0], [1, 0, 0], [0, 0, 1], [0, 0, 0]]


def test_a_missing_value_that_was_never_seen_in_fitting_is_a_row_of_zeros():
    category, _ = choose(["x", "x", "y"])
    assert fill(category, [None, "y"]) == [[0, 0], [0, 1]]


def test_rare_and_unseen_levels_share_one_column():
    frequent = [f"{i:03}" for i in range(MOST_LEVELS)]
    category, note = choose(frequent * 2, ["rare", "rarer", None])
    assert (category.levels, category.other, category.missing) == (tuple(frequent), True, True)
    assert note == "column 'c': the 64 most frequent of 66 levels are kept, the others share one column"
    out = np.array(fill(category, ["rare", "unseen", None, "000"]))
    assert [np.flatnonzero(row).tolist() for row in out] == [[64], [64], [65], [0]]


def test_levels_are_found_whatever_their_type():
    category, _ = choose(["1", "1", "2"])
    for column in (pa.array([2, 1]), pa.array([2.0, 1.0]), pa.array(["2", "1"]).dictionary_encode()):
        assert fill(category, column) == [[0, 1], [1, 0]]
    assert fill(category, pa.nulls(1)) == [[0, 0]]


@pytest.mark.parametrize(
    ("cells", "kept", "note"),
    [
        ([None, None], None, "column 'c' left out: no values at all"),
        (["a", "a"], None, "column 'c' left out: every value is the same"),
        (["a", None], (), "column 'c' used only for whether it is missing: every other value is the same"),
        ([str(i) for i in range(20)], tuple(sorted(str(i) for i in range(20))), None),
        ([str(i) for i in range(21)], None, "column 'c' left out: all 21 values differ, it looks like an identifier"),
    ],
    ids=["empty", "constant", "constant or missing", "twenty", "identifier"],
)
def test_what_carries_nothing_is_left_out(cells, kept, note):
    category, said = choose(cells)
    assert (category and category.levels, said) == (kept, note)


def test_a_single_level_beside_missing_values_only_tells_them_apart():
    category, _ = choose(["a", None])
    assert fill(category, ["a", None, "b"]) == [[0], [1], [0]]


def test_a_type_that_is_no_text_at_all_is_refused():
    category, _ = choose(["x", "y"])
    with pytest.raises(DataError, match="column 'c' holds values of type list"):
        fill(category, pa.array([[1], [2]]))
