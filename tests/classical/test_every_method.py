"""What holds for every method around a classifier."""

import json

import numpy as np
import pytest
import scipy.sparse as sp
from safetensors.numpy import save
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import roc_auc_score
from sklearn.pipeline import Pipeline
from sklearn.svm import LinearSVC
from sklearn.tree import DecisionTreeClassifier

from angularpu.classical.bagging import Bagging
from angularpu.classical.base_classifier import compute_log_odds, fit_base
from angularpu.classical.boosting import PUBoosting
from angularpu.classical.elkan_noto import ElkanNoto
from angularpu.classical.rank_pruning import RankPruning
from angularpu.classical.spy import Spy
from angularpu.classical.storage.parts import dump_parts
from angularpu.classical.weighted_elkan_noto import WeightedElkanNoto
from angularpu.errors import ModelError, SettingError

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
    first, again, other = (
        save(dump_parts(fit(method, options, data, base=base, seed=seed).parts())[1]) for seed in (0, 0, 1)
    )
    assert first == again != other


@every_method
@pytest.mark.filterwarnings("ignore:Since Pipeline does not appear to accept sample_weight")
def test_a_saved_model_scores_as_before_to_the_bit_around_every_base(
    method, options, stored_base, draw_gaussians, store
):
    x, s, _ = draw_gaussians(n_pos=30, n_unl=90)
    x = np.abs(x)  # some laws of naive Bayes take no negative numbers
    try:
        unfitted = method(base=stored_base, **options)
    except SettingError:
        assert isinstance(stored_base, LinearSVC | Pipeline)  # without probabilities, which some methods need
        return
    model = unfitted.fit(x, s, rng=np.random.default_rng(0))
    numbers, kept = (json.loads(json.dumps(part)) for part in (model.numbers(), model.options()))
    loaded = method.from_parts(store(model.parts()), numbers, **kept)
    assert loaded.score(x).tobytes() == model.score(x).tobytes()
    assert loaded.options() == model.options()


@every_method
def test_parts_that_it_could_not_have_learnt_are_refused(method, options, draw_gaussians):
    model = fit(method, options, draw_gaussians(n_pos=30, n_unl=90), base=LogisticRegression())
    for parts in ({}, {"other": model.parts()}, {**model.parts(), "more": None}):
        with pytest.raises(ModelError, match=r"a model of|members"):
            method.from_parts(parts, model.numbers(), **model.options())


@pytest.mark.parametrize("numbers", [{}, {"label_freq": 1.5}, {"label_freq": -1}])
def test_elkan_and_noto_need_a_label_frequency(numbers, draw_gaussians):
    model = fit(ElkanNoto, {}, draw_gaussians(n_pos=30, n_unl=90), base=LogisticRegression())
    with pytest.raises(ModelError, match="label_freq"):
        ElkanNoto.from_parts(model.parts(), numbers)


def test_bagging_needs_as_many_members_as_rounds(draw_gaussians):
    model = fit(Bagging, {"rounds": 3}, draw_gaussians(n_pos=30, n_unl=90), base=LogisticRegression())
    with pytest.raises(ModelError, match="of 2 rounds has as many members, got 3"):
        Bagging.from_parts(model.parts(), model.numbers(), rounds=2)


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
