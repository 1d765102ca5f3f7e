"""Statistics gathered chunk by chunk are those of the whole."""

import functools
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from angularpu.data.prepare.moments import Moments, measure

ordinary = st.floats(-1e6, 1e6).map(lambda value: round(value, 6))
columns = hnp.arrays(
    np.float64, st.tuples(st.integers(1, 40), st.integers(1, 4)), elements=st.one_of(ordinary, st.just(np.nan))
)


def measure_in_chunks(x, ends) -> Moments:
    return functools.reduce(Moments.merge, [measure(part) for part in np.split(x, sorted(ends))])


@given(columns, st.lists(st.integers(0, 40)))
@example(np.array([[np.nan], [1.0]]), [1])
def test_moments_in_chunks_are_those_of_the_whole(x, ends):
    found = measure_in_chunks(x, ends)
    for column in range(x.shape[1]):
        values = x[~np.isnan(x[:, column]), column]
        assert (found.count[column], found.missing[column]) == (len(values), len(x) - len(values))
        if len(values):
            scale = np.abs(values).max()
            np.testing.assert_allclose(found.mean[column], values.mean(), rtol=1e-12, atol=1e-12 * scale)
            np.testing.assert_allclose(found.std[column], values.std(), rtol=1e-9, atol=1e-11 * scale)
            assert (found.low[column], found.high[column]) == (values.min(), values.max())


@given(
    hnp.arrays(np.float64, st.integers(2, 20), elements=st.floats(allow_nan=False, allow_infinity=False)),
    st.lists(st.integers(0, 20)),
)
@example(np.array([1.7e308, -1.7e308]), [1])
@example(np.array([5e-324, 0.0, 5e-324]), [])
def test_the_largest_and_smallest_floats_neither_overflow_nor_vanish(values, ends):
    found = measure_in_chunks(values[:, None], ends)
    exact = [Fraction(value) for value in values.tolist()]
    mean = sum(exact) / len(exact)
    variance = sum((value - mean) ** 2 for value in exact) / len(exact)
    scale = max(abs(value) for value in exact)
    tolerance = Fraction(1, 10**9) * scale + Fraction(5, 10**323)
    assert abs(Fraction(found.mean[0]) - mean) <= tolerance
    # |sqrt(v) - s| <= t, without a square root of a fraction that float64 cannot hold
    std = Fraction(found.std[0])
    assert max(std - tolerance, 0) ** 2 <= variance <= (std + tolerance) ** 2


def test_a_small_spread_far_from_zero_is_kept():
    x = 1e9 + np.tile([[0.0], [1e-3]], (50_000, 1))
    assert measure_in_chunks(x, range(1000, 100_000, 1000)).std[0] == pytest.approx(5e-4, rel=1e-3)


def test_integers_and_flags_are_measured():
    found = measure(np.array([[True, False], [True, True]]))
    assert (found.mean.tolist(), found.std.tolist()) == ([1.0, 0.5], [0.0, 0.5])
    assert measure(np.array([[200], [100]], np.uint8)).mean.tolist() == [150.0]


def test_the_block_is_left_as_it_was():
    x = np.array([[1.0, np.nan], [2.0, 3.0]])
    before = x.copy()
    measure(x)
    np.testing.assert_array_equal(x, before)
