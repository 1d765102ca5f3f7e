import itertools
import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from angularpu.errors import DataError
from angularpu_bench.report.ranking import find_cliques, rank_methods

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


def test_a_missing_value_is_refused():
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
