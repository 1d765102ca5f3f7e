"""Number columns: standardised, filled, flagged."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from angularpu.data.prepare.moments import measure
from angularpu.data.prepare.numbers import FARTHEST, choose_numbers, describe_dropped
from angularpu.errors import DataError


def fit_and_fill(fitted, block):
    numbers = choose_numbers(measure(fitted))
    out = np.full((len(block), numbers.width), np.nan, np.float32)
    numbers.fill(block, out, describe="column {}".format, first_row=100)
    return out


def test_values_by_hand():
    fitted = np.array([[1.0, 5.0, 9.0, np.nan], [3.0, 5.0, np.nan, np.nan], [5.0, 5.0, 9.0, np.nan]])
    # column 0 has mean 3 and std sqrt(8/3); 1 is constant; 2 is constant but for a missing value; 3 is empty
    out = fit_and_fill(fitted, np.array([[3.0, 1.0, np.nan, 0.0], [np.nan, 1.0, 9.0, 0.0]]))
    np.testing.assert_allclose(out, [[0, 1], [0, 0]])


@given(
    hnp.arrays(np.float64, (12, 3), elements=st.floats(-1e3, 1e3).map(lambda v: round(v, 3)) | st.just(np.nan)),
)
def test_the_fitted_columns_come_out_with_mean_0_and_std_1(x):
    numbers = choose_numbers(measure(x))
    out = fit_and_fill(x, x).astype(np.float64)
    for place, column in enumerate(numbers.kept):
        present = ~np.isnan(x[:, column])
        assert out[present, place].mean() == pytest.approx(0, abs=1e-4)
        assert out[present, place].std() == pytest.approx(1, abs=1e-4)
        assert not out[~present, place].any()
    for place, column in enumerate(numbers.flagged, start=len(numbers.kept)):
        np.testing.assert_array_equal(out[:, place], np.isnan(x[:, column]))


@pytest.mark.parametrize(
    "dtype", [np.float16, np.float32, np.float64, np.longdouble, np.uint8, np.int16, np.int64, bool]
)
def test_every_dtype_gives_the_same_numbers(dtype):
    x = np.array([[0, 1], [1, 1], [0, 0], [1, 1]])
    np.testing.assert_allclose(fit_and_fill(x, x.astype(dtype)), (x - x.mean(0)) / x.std(0), rtol=1e-6)


def test_values_missing_only_when_scoring_become_the_mean():
    assert fit_and_fill(np.array([[1.0], [3.0]]), np.array([[np.nan]])).tolist() == [[0.0]]


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("sign", [-1, 1])
def test_huge_values_stop_at_a_million_standard_deviations(dtype, sign):
    fitted = np.array([[-1.0], [1.0]])
    block = np.array([[sign * np.finfo(dtype).max], [0.5]], dtype)
    assert fit_and_fill(fitted, block).tolist() == [[sign * FARTHEST], [0.5]]


def test_values_at_both_ends_of_float64_are_standardised():
    x = np.array([[-1.7e308], [1.7e308]])
    np.testing.assert_allclose(fit_and_fill(x, x), [[-1], [1]], rtol=1e-6)
    # The last one lies 2.55e308 above the mean, which float64 cannot hold.
    y = np.array([[-1.7e308], [-1.7e308], [-1.7e308], [1.7e308]])
    np.testing.assert_allclose(fit_and_fill(y, y)[:, 0], np.array([-1, -1, -1, 3]) / np.sqrt(3), rtol=1e-6)


def test_tiny_values_are_standardised():
    x = np.array([[1e-300], [3e-300]])
    np.testing.assert_allclose(fit_and_fill(x, x), [[-1], [1]], rtol=1e-6)
    y = np.array([[1e-44], [3e-44]], np.float32)
    np.testing.assert_allclose(fit_and_fill(y, y), [[-1], [1]], rtol=0.2)


def test_a_strange_row_does_not_change_its_neighbours():
    rng = np.random.default_rng(0)
    for dtype in (np.float32, np.float64):
        x = rng.normal(size=(50, 4)).astype(dtype)
        strange = np.vstack([x, np.array([[np.nan, 1e30, -1e30, 0]], dtype)])
        assert fit_and_fill(x, strange)[:-1].tobytes() == fit_and_fill(x, x).tobytes()


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_an_infinite_value_is_named_by_column_and_first_row(dtype):
    block = np.zeros((9, 3), dtype)
    block[2, 1] = np.nan
    block[4, 2], block[7, 0] = -np.inf, np.inf
    with pytest.raises(DataError, match=r"column 2, row 104 .* infinite"):
        fit_and_fill(np.arange(6.0).reshape(2, 3), block)


def test_what_is_left_out_is_said():
    x = np.array([[1.0, 5.0, 9.0, np.nan], [3.0, 5.0, np.nan, np.nan]])
    assert describe_dropped(measure(x), list("abcd")) == [
        "d left out: no values at all",
        "b left out: every value is the same",
        "c used only for whether it is missing: every other value is the same",
    ]


def test_many_columns_left_out_are_counted():
    (note,) = describe_dropped(measure(np.zeros((2, 9))), list("abcdefghi"))
    assert note == "a, b, c, d, e and 4 other columns left out: every value is the same"
