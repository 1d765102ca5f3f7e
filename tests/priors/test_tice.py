import math

import numpy as np
import pytest

from angularpu.priors.tice import _bound, estimate_tice
from angularpu.priors.tice_tree import grow_subsets


@pytest.mark.parametrize("alpha", [0.1, 0.3, 0.5])
def test_it_lies_above_the_share_but_near_it(draw_rows, alpha):
    found = estimate_tice(*draw_rows(alpha, n_pos=1000, n_unl=4000))
    assert alpha - 0.02 < found.alpha < alpha + 0.2


def test_the_bound_is_the_paper_s():
    total, labelled = np.array([1000.0, 100.0, 9.0]), np.array([200.0, 80.0, 9.0])
    delta = 1 / (1 + 0.004 * 1000)
    by_hand = 0.8 - math.sqrt(0.3 * 0.7 * (1 - delta) / (delta * 100))  # nine rows are too few to count
    assert _bound(total, labelled, c=0.3) == pytest.approx(by_hand)


def test_every_box_of_the_tree_is_divided_among_its_quarters(draw_rows):
    x = np.concatenate(draw_rows(0.3))
    x = (x - x.min(axis=0)) / np.ptp(x, axis=0)
    labelled = np.arange(len(x)) < 400
    grown_on = np.arange(len(x)) % 5 == 0
    total, rich = grow_subsets(x, labelled, grown_on=grown_on, splits=50)
    assert total[0] == np.count_nonzero(~grown_on)
    assert rich[0] == np.count_nonzero(labelled & ~grown_on)
    assert total[1:5].sum() == total[0]
    assert set(total[5:].reshape(-1, 4).sum(axis=1)) <= set(total)
    assert (rich <= total).all()


def test_the_tree_looks_only_at_its_own_rows(draw_rows):
    x = np.concatenate(draw_rows(0.3))
    x = (x - x.min(axis=0)) / np.ptp(x, axis=0)
    labelled = np.arange(len(x)) < 400
    grown_on = np.arange(len(x)) % 2 == 0
    other = np.where(grown_on, labelled, False)
    total, _ = grow_subsets(x, labelled, grown_on=grown_on, splits=30)
    blind, none = grow_subsets(x, other, grown_on=grown_on, splits=30)
    np.testing.assert_array_equal(total, blind)
    assert not none.any()


def test_the_seed_deals_the_folds(draw_rows):
    rows = draw_rows(0.3)
    assert estimate_tice(*rows, seed=1) == estimate_tice(*rows, seed=1)
    assert estimate_tice(*rows, seed=1).alpha != estimate_tice(*rows, seed=2).alpha
