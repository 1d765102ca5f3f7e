"""onnxruntime gives the scores, probabilities and predictions that the library gives, for every kind of model."""

import numpy as np
import pytest
import torch
from sklearn.calibration import CalibratedClassifierCV
from sklearn.ensemble import ExtraTreesClassifier, HistGradientBoostingClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.naive_bayes import BernoulliNB, GaussianNB, MultinomialNB
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import LinearSVC
from sklearn.tree import DecisionTreeClassifier, ExtraTreeClassifier
from torch import nn

from angularpu import METHODS, PUClassifier

TOLERANCE = 1e-5
NETWORK = {"epochs": 5, "learning_rate": 0.01, "encoder": "linear", "validation": "hold-out", "prior": 0.5}
FEW_TREES = {"trees": 12}

ON_ARRAYS = {
    "extra_trees": {"method": "extra_trees", "options": FEW_TREES},
    "random_forest": {"method": "random_forest", "options": FEW_TREES},
    "gradient_boosting": {"method": "gradient_boosting", "options": {"rounds": 12}},
    "logistic_regression": {"method": "logistic_regression"},
    "elkan_noto": {"method": "elkan_noto"},
    "weighted_elkan_noto": {"method": "weighted_elkan_noto", "base": ExtraTreesClassifier(9, min_samples_leaf=4)},
    "rank_pruning": {"method": "rank_pruning", "base": DecisionTreeClassifier(max_depth=3)},
    "pu_boosting": {"method": "pu_boosting", "prior": 0.5},
    "spy without probabilities": {"method": "spy", "base": LinearSVC()},
    "spy, sigmoid": {"method": "spy", "base": CalibratedClassifierCV(LinearSVC(), cv=2)},
    "spy, isotonic": {"method": "spy", "base": CalibratedClassifierCV(ExtraTreeClassifier(), method="isotonic", cv=2)},
    "spy, pipeline": {"method": "spy", "base": make_pipeline(StandardScaler(), LinearSVC())},
    "spy, stump": {"method": "spy", "base": DecisionTreeClassifier(max_leaf_nodes=2)},
    "bagging": {"method": "bagging", "base": HistGradientBoostingClassifier(max_iter=4), "options": {"rounds": 3}},
    "bagging without probabilities": {"method": "bagging", "base": LinearSVC(), "options": {"rounds": 3}},
    "bagging, bernoulli": {"method": "bagging", "base": BernoulliNB(binarize=0.2), "options": {"rounds": 3}},
}
# scikit-learn computes these probabilities in float32, of which log-odds near 1 are rounding errors.
IN_FLOAT32 = {
    "logistic": LogisticRegression(),
    "gaussian": GaussianNB(),
    "pipeline": make_pipeline(StandardScaler(), StandardScaler(with_mean=False), LogisticRegression()),
    "isotonic": CalibratedClassifierCV(LogisticRegression(), method="isotonic", cv=2),
}
ON_WORDS = {
    "complement_nb": {"method": "complement_nb"},
    "logistic_regression": {"method": "logistic_regression"},
    "extra_trees": {"method": "extra_trees", "options": FEW_TREES},
    "multinomial": {"method": "spy", "base": MultinomialNB()},
    "angular": {"method": "angular", **NETWORK},
}


def fit(rows, labels, **options):
    return PUClassifier(**{"threshold": "lee-liu", **options}).fit(rows, labels)


def assert_same(found):
    assert found.score <= TOLERANCE
    assert found.probability <= TOLERANCE
    assert found.equal
    assert 0 < found.flagged < 1


@pytest.mark.parametrize("name", ON_ARRAYS)
def test_a_classical_method_on_an_array_with_missing_values(name, dense, labels, compare):
    assert_same(compare(fit(dense[0], labels, **ON_ARRAYS[name]), dense[1]))


@pytest.mark.parametrize("name", IN_FLOAT32)
def test_log_odds_of_a_float32_probability_differ_by_its_rounding(name, dense, labels, compare):
    found = compare(fit(dense[0], labels, method="spy", base=IN_FLOAT32[name]), dense[1])
    assert found.chance <= TOLERANCE
    assert found.probability <= TOLERANCE
    assert found.equal


@pytest.mark.parametrize("name", ON_WORDS)
def test_a_model_of_sparse_rows_takes_them_as_an_array(name, words, labels, compare):
    assert_same(compare(fit(words[0], labels, **ON_WORDS[name]), words[1]))


@pytest.mark.parametrize("encoder", ["linear", "mlp", "module"])
def test_angular_as_one_network(encoder, dense, labels, compare):
    if encoder == "module":  # which comes with weights of its own: the same in every process
        with torch.random.fork_rng():
            torch.manual_seed(0)
            encoder = nn.Sequential(nn.Linear(5, 6), nn.Tanh(), nn.Linear(6, 3))
    assert_same(compare(fit(dense[0], labels, method="angular", **{**NETWORK, "encoder": encoder}), dense[1]))


@pytest.mark.parametrize("options", [{}, {"normalise_at_evaluation": True}])
def test_the_euclidean_score(options, dense, labels, compare):
    model = fit(dense[0], labels, method="euclidean", options=options, **NETWORK)
    assert_same(compare(model, dense[1]))


def test_the_logit_of_a_risk_method(dense, labels, compare):
    assert_same(compare(fit(dense[0], labels, method="nnpu", **NETWORK), dense[1]))


def test_the_mean_of_the_networks_of_all_folds(dense, labels, compare):
    model = fit(dense[0], labels, method="angular", epochs=2, encoder="linear", options={"refit": False})
    assert len(model.fitted_.scorer.models) == 5
    assert_same(compare(model, dense[1]))


def test_an_ensemble_on_a_table_with_categories_dates_and_missing_values(frame, labels, compare):
    model = fit(frame[0], labels, epochs=2, encoder="linear")
    members = [member.description["name"] for member in model.fitted_.scorer.members]
    assert members == ["angular", "extra_trees", "gradient_boosting", "logistic_regression"]
    assert_same(compare(model, frame[1]))


@pytest.mark.parametrize("columns", [["city", "kind"], ["amount", "d"]], ids=["text alone", "numbers alone"])
def test_a_table_of_one_kind_of_columns(columns, frame, labels, compare):
    model = fit(frame[0][columns], labels, method="extra_trees", options=FEW_TREES)
    found = compare(model, frame[1][columns])
    assert found.score <= TOLERANCE
    assert found.equal


@pytest.mark.parametrize(
    ("encoder", "shape", "dtype"),
    [("cnn13", (3, 8, 8), np.uint8), ("vgg11_bn", (1, 10, 12), np.float32), ("mlp", (1, 4, 4), np.float64)],
)
def test_images_through_a_network(encoder, shape, dtype, labels, compare):
    rows = np.r_[0:40, 60:100]
    images, new = (draw_images(seed, shape, dtype)[rows] for seed in (0, 1))
    options = {**NETWORK, "epochs": 2, "learning_rate": 0.001, "encoder": encoder}
    model = fit(images, labels[rows], method="nnpu" if encoder == "vgg11_bn" else "angular", **options)
    found = compare(model, new)
    assert found.score <= TOLERANCE
    assert found.mapped <= TOLERANCE  # after two epochs scores are nearly equal, and the curve through them is steep
    assert found.equal


def test_images_through_trees(labels, compare):
    images, new = (draw_images(seed, (2, 3, 3), np.uint8) for seed in (0, 1))
    assert_same(compare(fit(images, labels, method="extra_trees", options=FEW_TREES), new))


def test_probabilities_without_a_calibration_are_a_sigmoid(dense, labels, compare):
    few = np.where(np.cumsum(labels) <= 6, labels, 0)
    model = fit(dense[0], few, method="logistic_regression", threshold="lee-liu")
    assert model.fitted_.calibration is None
    assert_same(compare(model, dense[1]))


@pytest.mark.parametrize("classes", [("no", "yes"), (False, True), (-1, 1)])
def test_predictions_are_the_labels_of_the_fit(classes, dense, labels, compare):
    model = fit(dense[0], np.array(classes)[labels], method="logistic_regression")
    assert_same(compare(model, dense[1]))


def test_every_classical_method_is_exported_by_one_of_these_tests():
    classical = {name for name, card in METHODS.items() if card.kind == "classical"}
    assert classical <= {options["method"] for options in (*ON_ARRAYS.values(), *ON_WORDS.values())}


def draw_images(seed, shape, dtype):
    rng = np.random.default_rng(seed)
    images = rng.random((160, *shape))
    images[:80] *= 0.6
    return (255 * images).astype(dtype) if dtype == np.uint8 else images.astype(dtype)
