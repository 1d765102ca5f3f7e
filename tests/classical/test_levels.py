import numpy as np
import pytest
from sklearn.ensemble import HistGradientBoostingClassifier

from angularpu.classical.base_classifier import fit_base
from angularpu.classical.levels import LEVELS, coarsen


@pytest.fixture
def rng():
    return np.random.default_rng(0)


def test_values_keep_their_order_and_move_little_and_few_are_left(rng):
    x = rng.normal(size=(5000, 2)).astype(np.float32)
    coarse = coarsen(x)
    order = np.argsort(x[:, 1])
    assert (np.diff(coarse[order, 1]) >= 0).all()
    assert [len(np.unique(column)) for column in coarse.T] == [LEVELS, LEVELS]
    assert np.median(np.abs(coarse - x)) < 0.01
    np.testing.assert_allclose(coarse.mean(axis=0), x.mean(axis=0), atol=1e-5)


def test_a_column_of_few_values_is_left_alone_however_uneven_they_are(rng):
    x = np.where(rng.random((3000, 1)) < 0.99, 0, rng.integers(0, LEVELS, (3000, 1))).astype(np.float32)
    assert np.array_equal(coarsen(x), x)


def test_a_column_with_one_frequent_value_keeps_it_apart_from_the_others(rng):
    x = np.where(rng.random((9000, 1)) < 0.7, 0, rng.normal(5, 1, (9000, 1))).astype(np.float32)
    coarse = coarsen(x)
    assert np.array_equal(coarse == 0, x == 0)


def test_weighted_boosting_says_nearly_the_same_as_without_levels(rng):
    x = rng.normal(size=(2000, 3)).astype(np.float32)
    y = (x.sum(axis=1) + rng.normal(size=2000) > 0).astype(np.int8)
    weight = rng.uniform(0.1, 1, 2000)
    base = HistGradientBoostingClassifier(max_iter=20, random_state=0)
    ours = fit_base(base, x, y, rng=np.random.default_rng(0), weight=weight).predict_proba(x)[:, 1]
    theirs = base.fit(x, y, sample_weight=weight).predict_proba(x)[:, 1]
    assert np.corrcoef(ours, theirs)[0, 1] > 0.99


def test_raw_rows_are_scored_as_the_tree_learnt_them(rng):
    """A split falls between two means, and the raw values on its two sides are those of the two groups."""
    x = rng.uniform(size=(4000, 1)).astype(np.float32)
    y = (x[:, 0] > 0.5).astype(np.int8)
    model = fit_base(HistGradientBoostingClassifier(max_iter=5), x, y, rng=rng, weight=np.ones(4000))
    assert (model.predict(x) == y).mean() > 0.997


def test_the_callers_rows_are_not_changed(rng):
    x = rng.normal(size=(1000, 1)).astype(np.float32)
    before = x.copy()
    fit_base(None, x, (x[:, 0] > 0).astype(np.int8), rng=rng, weight=np.ones(1000))
    assert np.array_equal(x, before)
