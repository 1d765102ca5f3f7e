import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from angularpu.errors import DataError
from angularpu_bench.report.comparison import adjust_holm, believe, bound_mean, compare_paired, share_of_gap


def test_a_paired_difference_agrees_with_scipy():
    rng = np.random.default_rng(1)
    first, second = rng.random(9), rng.random(9)
    both = compare_paired(first, second)
    assert both.mean == pytest.approx((first - second).mean())
    assert both.std == pytest.approx((first - second).std(ddof=1))
    assert both.p_t == pytest.approx(stats.ttest_rel(first, second).pvalue)
    assert both.low < both.mean < both.high


def test_pairs_matter_more_than_the_spread_over_seeds():
    spread, gain = np.array([0.5, 0.7, 0.9, 0.6]), np.array([0.01, 0.011, 0.009, 0.01])
    both = compare_paired(spread + gain, spread)
    assert both.p_t < 0.001
    assert both.low > 0


def test_equal_values_are_no_difference_and_a_constant_one_is_certain():
    same = compare_paired([0.5, 0.6], [0.5, 0.6])
    assert (same.mean, same.p_t, same.low, same.high) == (0, 1, 0, 0)
    assert compare_paired([2.0, 3.0], [1.0, 2.0]).p_t == 0


def test_one_pair_has_a_difference_and_nothing_more():
    one = compare_paired([0.5], [0.25])
    assert one.mean == 0.25
    assert all(math.isnan(value) for value in (one.std, one.low, one.high, one.p_t))


@pytest.mark.parametrize("second", [[], [1.0], [[1.0, 2.0]]])
def test_values_that_do_not_pair_are_refused(second):
    with pytest.raises(DataError, match="pair them"):
        compare_paired([1.0, 2.0], second)


def test_the_bounds_of_a_mean_agree_with_the_t_test():
    values = np.random.default_rng(2).random(7)
    expected = stats.ttest_1samp(values, 0).confidence_interval(0.9)
    assert bound_mean(values, level=0.9) == pytest.approx((expected.low, expected.high))
    assert all(math.isnan(bound) for bound in bound_mean([0.5]))


def test_what_to_believe_agrees_with_draws_from_the_posterior():
    rng = np.random.default_rng(4)
    values = np.array([0.004, -0.001, 0.006, 0.002, 0.005])
    n = len(values)
    variance = values.var(ddof=1) * (n - 1) / rng.chisquare(n - 1, 400_000)  # flat prior on mean and log deviation
    means = rng.normal(values.mean(), np.sqrt(variance / n))
    found = believe(values, margin=0.003)
    expected = [np.mean(means > 0.003), np.mean(np.abs(means) <= 0.003), np.mean(means < -0.003)]
    assert [found.better, found.equal, found.worse] == pytest.approx(expected, abs=0.004)


def test_what_to_believe_is_right_as_often_as_it_says():
    rng = np.random.default_rng(5)
    sure = wrong = 0
    for _ in range(4000):
        centre = rng.normal(0, 0.02)
        found = believe(rng.normal(centre, 0.01, 6), margin=0.003)
        truth = {"better": centre > 0.003, "equal": abs(centre) <= 0.003, "worse": centre < -0.003}
        for name, is_so in truth.items():
            if getattr(found, name) >= 0.95:
                sure, wrong = sure + 1, wrong + (not is_so)
    assert sure > 1000
    assert wrong / sure < 0.05


def test_differences_that_never_vary_leave_no_doubt():
    assert believe([0.001, 0.001], margin=0.003).equal == 1
    assert believe([-0.01, -0.01], margin=0.003).worse == 1
    assert math.isnan(believe([0.5], margin=0.003).better)


def test_the_share_of_the_gap_runs_from_naive_to_supervised():
    assert share_of_gap(0.6, naive=0.6, supervised=0.8) == 0
    assert share_of_gap(0.8, naive=0.6, supervised=0.8) == 1
    assert share_of_gap(0.5, naive=0.6, supervised=0.8) == pytest.approx(-0.5)
    assert math.isnan(share_of_gap(0.7, naive=0.8, supervised=0.8))


@settings(max_examples=50)
@given(st.lists(st.floats(0, 1), min_size=1, max_size=8))
def test_holm_agrees_with_its_definition(p_values):
    ordered = sorted(range(len(p_values)), key=lambda i: p_values[i])
    expected = [0.0] * len(p_values)
    worst = 0.0
    for position, i in enumerate(ordered):
        worst = max(worst, min(1, p_values[i] * (len(p_values) - position)))
        expected[i] = worst
    assert adjust_holm(p_values) == pytest.approx(expected)


def test_holm_leaves_out_what_was_not_tested():
    adjusted = adjust_holm([0.01, math.nan, 0.02])
    assert adjusted[0] == pytest.approx(0.02)
    assert math.isnan(adjusted[1])
    assert adjusted[2] == pytest.approx(0.02)
