"""Any method of the table behind one class, and a class of its own for each."""

import inspect
import json

import numpy as np
import pytest
import scipy.sparse as sp
from sklearn.base import BaseEstimator, ClassifierMixin, clone
from sklearn.linear_model import LogisticRegression

import angularpu
from angularpu import METHODS, AngularPUClassifier, PUClassifier
from angularpu.errors import DataError, ModelError, SettingError
from angularpu.methods.configure import classical_options
from angularpu.methods.presets import PRESET


@pytest.fixture(scope="module")
def data():
    rng = np.random.default_rng(0)
    y = np.repeat([1, 0], 80)
    return rng.normal(size=(160, 4)).astype(np.float32) + 2 * y[:, None], y * (rng.random(160) < 0.5), y


class Threshold(ClassifierMixin, BaseEstimator):
    """A classifier of a user's own."""

    def fit(self, X, y, sample_weight=None):
        self.classes_ = np.array([0, 1])
        return self

    def predict_proba(self, X):
        p = 1 / (1 + np.exp(-X.sum(axis=1)))
        return np.column_stack([1 - p, p])


def quick(method: str) -> PUClassifier:
    if METHODS[method].is_neural:
        return PUClassifier(method=method, prior=0.5, epochs=5, learning_rate=5e-3)
    if METHODS[method].kind == "ensemble":
        return PUClassifier(method=method, prior=0.5, epochs=5, options={"members": ["angular", "logistic_regression"]})
    return PUClassifier(
        method=method, prior=0.5, **({"base": LogisticRegression()} if "base" in classical_options(method) else {})
    )


@pytest.mark.parametrize("method", METHODS)
def test_every_method_fits_predicts_saves_and_loads(method, data, tmp_path):
    x, s, y = data
    x = sp.csr_matrix(np.maximum(x, 0)) if method == "complement_nb" else x  # which takes no negative numbers
    model = quick(method).fit(x, y if METHODS[method].oracle else s)
    proba = model.predict_proba(x)
    np.testing.assert_allclose(proba.sum(axis=1), 1)
    assert proba[y == 1, 1].mean() > proba[y == 0, 1].mean()
    model.save(tmp_path / "m")
    again = PUClassifier.load(tmp_path / "m")
    assert again.method == method
    assert again.score_samples(x).tobytes() == model.score_samples(x).tobytes()
    np.testing.assert_array_equal(again.predict_proba(x), proba)


def test_every_method_has_a_class_of_its_own_with_its_options():
    classes = {getattr(angularpu, card.class_name) for card in METHODS.values()}
    assert len(classes) == len(METHODS)
    assert all(inspect.getdoc(each) for each in classes)


def test_a_named_class_is_its_method(data):
    x, s, _ = data
    named = angularpu.NNPUClassifier(prior=0.5, epochs=2, gamma=0.5).fit(x, s)
    either = PUClassifier(method="nnpu", prior=0.5, epochs=2, options={"gamma": 0.5}).fit(x, s)
    assert named.score_samples(x).tobytes() == either.score_samples(x).tobytes()
    assert named.transform(x).shape == (160, 128)
    assert clone(named).get_params()["gamma"] == 0.5
    with pytest.raises(TypeError):
        angularpu.NNPUClassifier(gama=0.5)


def test_the_default_is_the_ensemble_and_angularpu_is_asked_for_by_name(data):
    x, s, _ = data
    one, other = PUClassifier(epochs=2).fit(x, s), angularpu.PUEnsembleClassifier(epochs=2).fit(x, s)
    assert one.score_samples(x).tobytes() == other.score_samples(x).tobytes()
    one, other = PUClassifier(method="angular", epochs=2).fit(x, s), AngularPUClassifier(epochs=2).fit(x, s)
    assert one.score_samples(x).tobytes() == other.score_samples(x).tobytes()


def test_self_pu_takes_rows_of_known_class(data, tmp_path):
    x, s, y = data
    known = angularpu.SelfPUClassifier(prior=0.5, epochs=8, learning_rate=5e-3, clean=(x[::4], y[::4])).fit(x, s)
    without = angularpu.SelfPUClassifier(prior=0.5, epochs=8, learning_rate=5e-3).fit(x, s)
    assert known.score_samples(x).tobytes() != without.score_samples(x).tobytes()
    known.save(tmp_path / "m")
    again = angularpu.SelfPUClassifier.load(tmp_path / "m")
    assert again.score_samples(x).tobytes() == known.score_samples(x).tobytes()
    with pytest.raises(DataError, match="2 rows and 3 classes"):
        angularpu.SelfPUClassifier(prior=0.5, clean=(x[:2], [0, 1, 1])).fit(x, s)


def test_a_prior_may_be_estimated_before_training(data):
    x, s, _ = data
    model = PUClassifier(method="nnpu", epochs=2, prior="elkan_noto").fit(x, s)
    assert any("elkan_noto put the share" in note for note in model.notes_)
    assert model.decision_.alpha == pytest.approx(model.fitted_.alpha)


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"method": "nnpuu"}, "did you mean 'nnpu'"),
        ({"method": "nnpu", "options": {"gama": 1}}, "did you mean 'gamma'"),
        ({"method": "nnpu", "preset": "paper"}, "is one of 'angular'"),
        ({"method": "bagging", "epochs": 3}, "option 'epochs' is unknown"),
        ({"epochs": 3, "options": {"epochs": 4}}, "epochs is given twice"),
        ({"validation": "folds"}, "an ensemble holds every row out once; leave it out, or choose one method"),
        ({"options": {"kappa": 3.0}}, "it is one of angular"),
        ({"prior": 1.3}, r"prior must lie in \(0, 1\), got 1.3"),
        ({"prior": "bbb"}, "did you mean 'bbe'"),
        ({"prior": None}, "prior must lie"),
        ({"random_state": -1}, "random_state must be at least 0"),
        ({"options": {"d": 16.5}}, "d must be a whole number"),
        ({"options": {"dropout": "a"}}, "dropout must lie"),
    ],
)
def test_a_mistake_is_named(data, options, said):
    with pytest.raises(SettingError, match=said):
        PUClassifier(**options).fit(*data[:2])


def test_a_seed_may_be_larger_than_scikit_learn_takes(data):
    x, s, _ = data
    assert PUClassifier(method="nnpu", epochs=1, random_state=2**40).fit(x, s).threshold_ is not None


def test_load_gives_back_what_was_set(data, tmp_path):
    x, s, _ = data
    set_to = {"d": 16, "weight_decay": 0.5, "beta": 0.1}
    PUClassifier(method="nnpu", prior=0.5, epochs=1, options=set_to).fit(x, s).save(tmp_path / "nnpu")
    assert PUClassifier.load(tmp_path / "nnpu").options == set_to
    PUClassifier(method="bagging", base=LogisticRegression(C=0.1)).fit(x, s).save(tmp_path / "bagging")
    assert PUClassifier.load(tmp_path / "bagging").base == PRESET
    with pytest.raises(ModelError, match="is a model of 'nnpu', which AngularPUClassifier is not"):
        AngularPUClassifier.load(tmp_path / "nnpu")
    assert angularpu.NNPUClassifier.load(tmp_path / "nnpu").beta == 0.1


def test_a_base_of_the_users_own_fits_and_scores_and_is_refused_by_save(data, tmp_path):
    x, s, _ = data
    model = angularpu.ElkanNotoClassifier(base=Threshold()).fit(x, s)
    assert model.score_samples(x).shape == (160,)
    with pytest.raises(ModelError, match="has no place for Threshold"):
        model.save(tmp_path / "m")
    assert not list(tmp_path.iterdir())


def test_sparse_rows_stay_sparse_for_classical_methods(data, tmp_path):
    x, s, _ = data
    counts = sp.csr_matrix(np.maximum(x, 0).round())
    model = angularpu.SpyClassifier(prior=0.5).fit(counts, s)
    model.save(tmp_path / "m")
    again = angularpu.SpyClassifier.load(tmp_path / "m")
    assert again.score_samples(counts).tobytes() == model.score_samples(counts).tobytes()
    assert json.loads((tmp_path / "m" / "model.json").read_text())["preparation"]["as_matrix"]


def test_classical_methods_have_no_embeddings():
    assert not hasattr(angularpu.SpyClassifier, "transform")
    assert not hasattr(PUClassifier, "transform")
