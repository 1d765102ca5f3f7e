"""Runs of rows."""

from hypothesis import given
from hypothesis import strategies as st

from angularpu.data.rows import rows_within, spans


@given(st.integers(0, 200), st.integers(1, 50))
def test_spans_cover_every_row_once_and_in_order(n, size):
    runs = list(spans(n, size))
    assert [row for span in runs for row in range(span.start, span.stop)] == list(range(n))
    assert all(span.stop - span.start == size for span in runs[:-1])


def test_at_least_one_row_is_held_however_wide_it_is():
    assert rows_within(10, (1000, 1000)) == 1
    assert rows_within(10, (0,)) == 10
