"""What holds for the five classifiers of P against U."""

import json

import numpy as np
import pytest
import scipy.sparse as sp
from sklearn.ensemble import ExtraTreesClassifier, RandomForestClassifier
from sklearn.metrics import roc_auc_score
from sklearn.svm import LinearSVC

from angularpu.classical.complement_nb import ComplementNB
from angularpu.classical.extra_trees import ExtraTrees
from angularpu.classical.gradient_boosting import GradientBoosting
from angularpu.classical.logistic_regression import LogisticRegression
from angularpu.classical.random_forest import RandomForest
from angularpu.errors import ModelError, SettingError

METHODS = [
    ExtraTrees(trees=20),
    RandomForest(trees=20),
    GradientBoosting(rounds=20),
    LogisticRegression(),
    ComplementNB(),
]
FORESTS = [(ExtraTrees, ExtraTreesClassifier), (RandomForest, RandomForestClassifier)]
every_method = pytest.mark.parametrize("method", METHODS, ids=lambda method: type(method).__name__)
every_forest = pytest.mark.parametrize(("forest", "original"), FORESTS)


@pytest.fixture
def draw_counts():
    """Give rows of counts, each positive one with more of the first columns, with their labels and true classes."""

    def draw(*, n_pos=150, n_unl=600, seed=0):
        rng = np.random.default_rng(seed)
        y = (np.arange(n_pos + n_unl) < n_pos + 0.3 * n_unl).astype(np.int8)
        x = rng.poisson(np.where(y[:, None] == 1, [3, 3, 1, 1, 2], [1, 1, 3, 3, 2]))
        return x.astype(np.float32), (np.arange(len(y)) < n_pos).astype(np.int8), y

    return draw


def fit(method, x, s, *, seed=0):
    return method.fit(x, s, rng=np.random.default_rng(seed))


@every_method
def test_new_positives_rank_above_new_negatives(method, draw_counts):
    x, s, _ = draw_counts()
    x_new, _, y_new = draw_counts(seed=1)
    assert roc_auc_score(y_new, fit(method, x, s).score(x_new)) > 0.93


@every_method
def test_the_score_is_zero_on_average_between_the_two_kinds_and_not_where_their_numbers_lie(method, draw_counts):
    """P is a twentieth of U: unbalanced log-odds of s would lie at -3."""
    x, s, _ = draw_counts(n_pos=50, n_unl=1000)
    score = fit(method, x, s).score(x)
    assert score[s == 1].mean() > 0 > score[s == 0].mean()


@every_method
def test_a_saved_model_scores_as_before_to_the_bit(method, draw_counts, store):
    x, s, _ = draw_counts(n_pos=30, n_unl=90)
    model = fit(method, x, s)
    numbers, kept = (json.loads(json.dumps(part)) for part in (model.numbers(), model.options()))
    loaded = type(method).from_parts(store(model.parts(), columns=5), numbers, **kept)
    assert loaded.score(x).tobytes() == model.score(x).tobytes()
    assert loaded.options() == model.options()


@every_method
def test_another_classifier_in_the_file_is_refused(method, draw_counts):
    x, s, _ = draw_counts(n_pos=30, n_unl=90)
    model = fit(method, x, s)
    other = LinearSVC().fit(x, s)
    with pytest.raises(ModelError, match=f"a model of {type(method).__name__} holds a .*, got a LinearSVC"):
        type(method).from_parts({"classifier": other}, model.numbers(), **model.options())
    with pytest.raises(ModelError, match="has one part, the classifier, got 0"):
        type(method).from_parts({}, model.numbers(), **model.options())


@every_method
@pytest.mark.parametrize("n_pos", [2, 12])
def test_a_handful_of_rows_can_be_fitted(method, n_pos):
    x = np.linspace(1, 0, 24, dtype=np.float32)[:, None] ** [1, 2]
    score = fit(method, x, (np.arange(24) < n_pos).astype(np.int8)).score(x)
    assert score.shape == (24,)
    assert np.isfinite(score).all()
    assert score[0] >= score[-1]


@every_method
def test_one_seed_gives_one_model(method, draw_counts):
    x, s, _ = draw_counts(n_pos=30, n_unl=90)
    first, again = (fit(method, x, s).score(x) for _ in range(2))
    assert first.tobytes() == again.tobytes()


@every_method
def test_sparse_rows_score_as_the_same_rows_written_out(method, draw_counts):
    if isinstance(method, GradientBoosting):
        return  # it refuses them
    x, s, _ = draw_counts(n_pos=30, n_unl=90)
    model = fit(method, x, s)
    np.testing.assert_allclose(model.score(sp.csr_matrix(x)), model.score(x), atol=1e-6)


@every_method
def test_sparse_rows_can_be_fitted(method, draw_counts):
    if isinstance(method, GradientBoosting):
        return
    x, s, y = draw_counts()
    assert roc_auc_score(y, fit(method, sp.csr_matrix(x), s).score(sp.csr_matrix(x))) > 0.93


@every_forest
def test_a_forest_is_scikit_learns_with_half_a_vote_for_either_side(forest, original, draw_counts):
    x, s, _ = draw_counts()
    seed = int(np.random.default_rng(3).integers(2**31))
    settings = {"bootstrap": True, "class_weight": "balanced_subsample", "max_features": "sqrt", "min_samples_leaf": 5}
    mean = original(20, random_state=seed, **settings).fit(x, s).predict_proba(x)[:, 1]
    score = fit(forest(trees=20), x, s, seed=3).score(x)
    np.testing.assert_allclose(score, np.log((20 * mean + 0.5) / (20 * (1 - mean) + 0.5)), atol=1e-9)


@every_forest
def test_a_row_that_no_tree_takes_for_positive_has_finite_log_odds(forest, original):
    x = np.repeat(np.array([[1.0], [0.0]], np.float32), 30, axis=0)
    score = fit(forest(trees=9), x, (np.arange(60) < 30).astype(np.int8)).score(x)
    np.testing.assert_allclose(score, np.repeat([np.log(19), -np.log(19)], 30))


@every_forest
def test_a_forest_needs_as_many_trees_as_it_says(forest, original, draw_counts):
    x, s, _ = draw_counts(n_pos=30, n_unl=90)
    model = fit(forest(trees=3), x, s)
    with pytest.raises(ModelError, match="a model of 2 trees has as many, got 3"):
        forest.from_parts(model.parts(), model.numbers(), trees=2)


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: ExtraTrees(trees=0), "trees must be a whole number of at least 1, got 0"),
        (lambda: RandomForest(rows_in_leaf=2.5), "rows_in_leaf must be a whole number of at least 1, got 2.5"),
        (lambda: GradientBoosting(rounds=0), "rounds must be a whole number of at least 1, got 0"),
        (lambda: GradientBoosting(rate=0), "rate must be a number above 0 and at most 1, got 0"),
        (lambda: GradientBoosting(leaves=1), "leaves must be a whole number of at least 2, got 1"),
        (lambda: GradientBoosting(columns=0), "columns must be a number above 0 and at most 1, got 0"),
        (lambda: GradientBoosting(per_positive=-1), "per_positive must be a number above 0, got -1"),
        (lambda: LogisticRegression(C=0), "C must be a number above 0, got 0"),
        (lambda: ComplementNB(smoothing=0), "smoothing must be a number above 0, got 0"),
    ],
)
def test_an_option_out_of_its_range_is_refused(make, message):
    with pytest.raises(SettingError, match=f"^{message}$"):
        make()
