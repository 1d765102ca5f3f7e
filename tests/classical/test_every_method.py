"""What holds for every method around a classifier."""

import json

import numpy as np
import pytest
import scipy.sparse as sp
from sklearn.ensemble import HistGradientBoostingClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import roc_auc_score
from sklearn.tree import DecisionTreeClassifier

from angularpu.classical.bagging import Bagging
from angularpu.classical.base_classifier import compute_log_odds, fit_base
from angularpu.classical.boosting import PUBoosting
from angularpu.classical.elkan_noto import ElkanNoto
from angularpu.classical.rank_pruning import RankPruning
from angularpu.classical.spy import Spy
from angularpu.classical.storage import dump_parts, load_parts
from angularpu.classical.weighted_elkan_noto import WeightedElkanNoto

METHODS = [
    (ElkanNoto, {}),
    (WeightedElkanNoto, {}),
    (Bagging, {"rounds": 5}),
    (Spy, {}),
    (RankPruning, {}),
    (PUBoosting, {"alpha": 0.3, "rounds": 1}),
]

every_method = pytest.mark.parametrize(("method", "options"), METHODS, ids=lambda item: getattr(item, "__name__", ""))


def fit(method, options, data, *, base=None, seed=0):
    x, s, *_ = data
    return method(base=base, **options).fit(x, s, rng=np.random.default_rng(seed))


@every_method
def test_it_ranks_better_than_labelled_against_unlabelled(method, options, draw_gaussians):
    base = DecisionTreeClassifier(min_samples_leaf=10)
    x_new, _, y_new = draw_gaussians(n_pos=2, n_unl=3000, alpha=0.5, seed=99)
    gains = []
    for seed in range(5):
        x, s, _ = draw_gaussians(n_pos=300, n_unl=1000, seed=seed)
        naive = compute_log_odds(fit_base(base, x, s, rng=np.random.default_rng(0)), x_new)
        score = fit(method, options, (x, s), base=base).score(x_new)
        gains.append(roc_auc_score(y_new, score) - roc_auc_score(y_new, naive))
    # Elkan and Noto rank as the naive classifier does, less what the fifth they hold out would have taught.
    assert np.mean(gains) > (-0.01 if method is ElkanNoto else 0.02)


@every_method
def test_one_seed_gives_one_model_and_another_seed_another(method, options, draw_gaussians):
    data = draw_gaussians(n_pos=30, n_unl=90)
    base = DecisionTreeClassifier(max_features=1, max_depth=3)
    first, again, other = (fit(method, options, data, base=base, seed=seed).parts() for seed in (0, 0, 1))
    assert dump_parts(first) == dump_parts(again) != dump_parts(other)


@every_method
@pytest.mark.parametrize(
    "base", [HistGradientBoostingClassifier(max_iter=5), LogisticRegression()], ids=["boosting", "logistic"]
)
def test_a_saved_model_scores_as_before_to_the_bit(method, options, base, draw_gaussians):
    data = draw_gaussians(n_pos=30, n_unl=90)
    model = fit(method, options, data, base=base)
    numbers, kept = (json.loads(json.dumps(part)) for part in (model.numbers(), model.options()))
    loaded = method.from_parts(load_parts(dump_parts(model.parts())), numbers, **kept)
    np.testing.assert_array_equal(loaded.score(data[0]), model.score(data[0]))
    assert loaded.options() == model.options()


@every_method
def test_sparse_rows_score_as_the_same_rows_written_out(method, options, draw_gaussians):
    x, s, _ = draw_gaussians(n_pos=30, n_unl=90)
    x = np.where(x > 0.5, x, 0).astype(np.float32)
    dense = fit(method, options, (x, s), base=LogisticRegression()).score(x)
    sparse = fit(method, options, (sp.csr_matrix(x), s), base=LogisticRegression()).score(sp.csr_matrix(x))
    np.testing.assert_allclose(sparse, dense, atol=1e-3)


@every_method
def test_sparse_rows_need_no_base(method, options, draw_gaussians):
    x, s, y = draw_gaussians(n_pos=30, n_unl=90)
    score = fit(method, options, (sp.csr_matrix(x), s)).score(sp.csr_matrix(x))
    assert score.dtype == np.float64
    assert roc_auc_score(y, score) > 0.7


@every_method
@pytest.mark.parametrize("n_pos", [2, 12])
def test_a_handful_of_rows_can_be_fitted_with_the_default(method, options, n_pos):
    x = np.linspace(1, 0, 24, dtype=np.float32)[:, None] ** [1, 2]
    s = (np.arange(24) < n_pos).astype(np.int8)
    score = fit(method, options, (x, s)).score(x)
    assert score.shape == (24,)
    assert np.all(np.isfinite(score))
    assert score[0] >= score[-1]


@every_method
def test_labels_of_another_integer_type_are_read_alike(method, options, draw_gaussians):
    x, s, _ = draw_gaussians(n_pos=20, n_unl=40)
    first, second = (fit(method, options, (x, kind), base=LogisticRegression()) for kind in (s, s.astype(np.int64)))
    np.testing.assert_array_equal(first.score(x), second.score(x))
