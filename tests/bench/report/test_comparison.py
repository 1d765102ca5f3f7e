import itertools
import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from angularpu.errors import DataError
from angularpu_bench.report.comparison import (
    adjust_holm,
    bootstrap_mean,
    compare_paired,
    find_cliques,
    rank_methods,
    share_of_gap,
)


def generator():
    return np.random.default_rng(0)


# Demšar 2006, table 6: AUC of four ways to grow a tree on 14 data sets. His ranks tell apart the two .975 of one row,
# so the first is written .9751 here.
DEMSAR = [
    [0.763, 0.768, 0.771, 0.798],
    [0.599, 0.591, 0.590, 0.569],
    [0.954, 0.971, 0.968, 0.967],
    [0.628, 0.661, 0.654, 0.657],
    [0.882, 0.888, 0.886, 0.898],
    [0.936, 0.931, 0.916, 0.931],
    [0.661, 0.668, 0.609, 0.685],
    [0.583, 0.583, 0.563, 0.625],
    [0.775, 0.838, 0.866, 0.875],
    [1.000, 1.000, 1.000, 1.000],
    [0.940, 0.962, 0.965, 0.962],
    [0.619, 0.666, 0.614, 0.669],
    [0.972, 0.981, 0.9751, 0.975],
    [0.957, 0.978, 0.946, 0.970],
]


def test_ranks_and_critical_difference_agree_with_the_published_example():
    ranking = rank_methods(DEMSAR)
    np.testing.assert_allclose(ranking.ranks, [3.143, 2.000, 2.893, 1.964], atol=5e-4)
    assert ranking.critical_difference == pytest.approx(2.569 * math.sqrt(4 * 5 / (6 * 14)), abs=2e-3)
    assert ranking.p_friedman < 0.05
    assert ranking.n == 14


def test_friedman_agrees_with_its_formula_without_ties():
    ranks = np.array([[1, 2, 3], [1, 3, 2], [1, 2, 3], [2, 1, 3]])
    n, k = ranks.shape
    statistic = 12 * n / (k * (k + 1)) * ((ranks.mean(0) ** 2).sum() - k * (k + 1) ** 2 / 4)
    assert rank_methods(-ranks).p_friedman == pytest.approx(stats.chi2.sf(statistic, k - 1))


def test_methods_that_always_tie_are_alike():
    ranking = rank_methods(np.ones((3, 4)))
    assert ranking.p_friedman == 1
    np.testing.assert_array_equal(ranking.ranks, 2.5)


def test_one_method_or_one_data_set_is_ranked_without_a_test():
    assert math.isnan(rank_methods([[0.5, 0.6, 0.7]]).p_friedman)
    assert rank_methods([[0.5]]).critical_difference == 0


def test_a_missing_figure_is_refused():
    with pytest.raises(DataError, match="leave out"):
        rank_methods([[0.5, math.nan]])


@settings(max_examples=50)
@given(st.lists(st.integers(0, 20), min_size=1, max_size=8), st.integers(0, 10))
def test_cliques_are_the_largest_groups_within_the_critical_difference(ranks, critical):
    cliques = find_cliques(ranks, critical)
    for group in cliques:
        assert len(group) > 1
        assert max(ranks[i] for i in group) - min(ranks[i] for i in group) <= critical
    for one, other in itertools.combinations(range(len(ranks)), 2):
        together = any({one, other} <= set(group) for group in cliques)
        assert together == (abs(ranks[one] - ranks[other]) <= critical)
    for one, other in itertools.permutations(cliques, 2):
        assert not set(one) <= set(other)


def test_a_paired_difference_agrees_with_scipy():
    rng = np.random.default_rng(1)
    first, second = rng.random(9), rng.random(9)
    both = compare_paired(first, second, generator=generator())
    assert both.mean == pytest.approx((first - second).mean())
    assert both.std == pytest.approx((first - second).std(ddof=1))
    assert both.p_t == pytest.approx(stats.ttest_rel(first, second).pvalue)
    assert both.p_wilcoxon == pytest.approx(stats.wilcoxon(first, second).pvalue)
    assert both.low < both.mean < both.high


def test_pairs_matter_more_than_the_spread_over_seeds():
    spread, gain = np.array([0.5, 0.7, 0.9, 0.6]), np.array([0.01, 0.011, 0.009, 0.01])
    both = compare_paired(spread + gain, spread, generator=generator())
    assert both.p_t < 0.001
    assert both.low > 0


def test_five_seeds_never_reach_five_per_cent_by_wilcoxon():
    assert compare_paired(np.arange(1.0, 6), np.zeros(5), generator=generator()).p_wilcoxon == 2 ** (1 - 5)


def test_equal_figures_are_no_difference_and_a_constant_one_is_certain():
    same = compare_paired([0.5, 0.6], [0.5, 0.6], generator=generator())
    assert (same.mean, same.p_t, same.p_wilcoxon, same.low, same.high) == (0, 1, 1, 0, 0)
    assert compare_paired([2.0, 3.0], [1.0, 2.0], generator=generator()).p_t == 0


def test_one_pair_has_a_difference_and_nothing_more():
    one = compare_paired([0.5], [0.25], generator=generator())
    assert one.mean == 0.25
    assert all(math.isnan(value) for value in (one.std, one.low, one.high, one.p_t, one.p_wilcoxon))


@pytest.mark.parametrize("second", [[], [1.0], [[1.0, 2.0]]])
def test_figures_that_do_not_pair_are_refused(second):
    with pytest.raises(DataError, match="pair them"):
        compare_paired([1.0, 2.0], second, generator=generator())


def test_the_bootstrap_agrees_with_all_resamples_of_a_small_list():
    values = np.array([0.0, 1.0, 5.0, 6.0])
    means = [np.mean(draw) for draw in itertools.product(values, repeat=4)]
    low, high = bootstrap_mean(values, generator=generator(), level=0.9, resamples=50_000)
    assert (low, high) == pytest.approx(tuple(np.quantile(means, [0.05, 0.95])), abs=0.26)


def test_the_bootstrap_covers_the_mean_of_many_values_as_often_as_it_says():
    rng = np.random.default_rng(3)
    covered = 0
    for _ in range(300):
        low, high = bootstrap_mean(rng.normal(size=40), generator=rng, level=0.9, resamples=400)
        covered += low <= 0 <= high
    assert 0.84 <= covered / 300 <= 0.94


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
