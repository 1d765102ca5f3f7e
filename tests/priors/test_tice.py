import math

import numpy as np
import pytest

from angularpu.priors.tice import _quarter, bound_label_freq, estimate_tice
from angularpu.priors.tice_tree import Tree


@pytest.fixture
def divided(draw_rows):
    """Quarters of 400 labelled and 800 unlabelled rows, and which are labelled."""
    x = np.concatenate(draw_rows(0.3))
    return _quarter(x), np.arange(len(x)) < 400


@pytest.mark.parametrize("alpha", [0.1, 0.3, 0.5])
def test_it_lies_above_the_share_but_near_it(draw_rows, alpha):
    found = estimate_tice(*draw_rows(alpha, n_pos=1000, n_unl=4000))
    assert alpha - 0.02 < found.alpha < alpha + 0.2


def test_the_bound_is_the_paper_s():
    # 1000 rows are counted, 100 of them in the last quarter, where 80 are labelled.
    counted = np.repeat([0, 1, 2, 3], [300, 300, 300, 100])[:, None]
    quarter = np.concatenate([counted, counted])
    labelled = np.tile(np.arange(1000) >= 920, 2)
    tree = Tree(quarter, labelled, grown_on=np.arange(2000) < 1000, c=0.3)
    tree.grow(splits=1)
    delta = 1 / (1 + 0.004 * 1000)
    assert tree.best == pytest.approx(0.8 - math.sqrt(0.3 * 0.7 * (1 - delta) / (delta * 100)))


def test_nine_rows_are_too_few_to_count():
    quarter = np.repeat([0, 3, 0, 3], [91, 9, 91, 9])[:, None]
    tree = Tree(quarter, quarter[:, 0] == 3, grown_on=np.arange(200) < 100, c=1.0)
    tree.grow(splits=1)
    assert tree.best == 0.09


def test_quarters_are_counted_through_the_columns():
    x = np.array([[0.0, 5.0, 7.0], [0.25, 5.0, 7.5], [1.0, 5.0, 8.0]])
    assert _quarter(x).tolist() == [[0, 4, 8], [1, 4, 10], [3, 4, 11]]


def test_a_column_divides_a_subset_once(divided):
    quarter, labelled = divided
    tree = Tree(quarter[:, :1], labelled, grown_on=np.arange(1200) % 5 == 0, c=0.5)
    tree.grow(splits=500)
    assert tree.subsets == 5


def test_the_most_promising_subset_is_divided_first(divided):
    quarter, labelled = divided
    best = []
    for splits in (0, 1, 5, 500):
        tree = Tree(quarter, labelled, grown_on=np.arange(1200) % 5 == 0, c=0.5)
        tree.grow(splits=splits)
        best.append(tree.best)
    assert best == sorted(best)
    assert best[0] == pytest.approx(1 / 3)
    assert best[1] > 0.55


def test_subsets_with_too_few_labels_are_left_alone(divided):
    # With c = 1 the bound is the labelled share itself, and every subset with a label may raise it.
    quarter, labelled = divided
    found = {}
    for c in (0.5, 1.0):
        tree = Tree(quarter, labelled, grown_on=np.arange(1200) % 2 == 0, c=c)
        tree.grow(splits=500)
        found[c] = tree.subsets
    assert found[0.5] < found[1.0]


def test_the_tree_looks_only_at_its_own_rows(divided):
    quarter, labelled = divided
    grown_on = np.arange(len(quarter)) % 2 == 0
    blind = Tree(quarter, labelled & ~grown_on, grown_on=grown_on, c=0.5)
    blind.grow(splits=30)
    assert blind.subsets == 1  # without a label to grow on there is nothing to divide by


def test_both_rounds_give_a_bound_for_every_fold(divided):
    quarter, labelled = divided
    bounds, tried = bound_label_freq(quarter, labelled, fold=np.arange(1200) % 5, splits=500)
    assert np.shape(bounds) == (2, 5)
    assert tried > 5


def test_the_seed_deals_the_folds(draw_rows):
    rows = draw_rows(0.3)
    assert estimate_tice(*rows, seed=1) == estimate_tice(*rows, seed=1)
    assert estimate_tice(*rows, seed=1).alpha != estimate_tice(*rows, seed=2).alpha
