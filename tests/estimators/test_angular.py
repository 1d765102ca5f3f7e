"""The scikit-learn face: every kind of input, every kind of label, and the company it keeps."""

import inspect

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
import scipy.sparse as sp
import torch
from sklearn.base import clone
from sklearn.exceptions import NotFittedError
from sklearn.metrics import roc_auc_score
from sklearn.model_selection import GridSearchCV, cross_val_score
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from angularpu import AngularPUClassifier, PUSample, make_sample, pu_auc_scorer
from angularpu.errors import DataError, SettingError

NAMES = ["a", "b", "c", "d"]


@pytest.fixture(scope="module")
def problem():
    rng = np.random.default_rng(0)
    y = np.repeat([1, 0], 100)
    x = rng.normal(size=(200, 4)) + 1.5 * y[:, None]
    s = (y * (rng.random(200) < 0.4)).astype(int)
    return x, s, y


def quick(**options) -> AngularPUClassifier:
    return AngularPUClassifier(**{"epochs": 3, "learning_rate": 1e-3, **options})


def memory_map(x, folder):
    path = folder / "x.npy"
    np.save(path, x)
    return np.load(path, mmap_mode="r")


@pytest.mark.parametrize(
    "form",
    [
        lambda x, _: x,
        lambda x, _: x.tolist(),
        lambda x, _: torch.from_numpy(x),
        lambda x, _: pd.DataFrame(x, columns=NAMES),
        lambda x, _: pl.DataFrame(x, schema=NAMES),
        lambda x, _: pa.table(dict(zip(NAMES, x.T, strict=True))),
        memory_map,
    ],
    ids=["array", "list", "tensor", "pandas", "polars", "arrow", "memory map"],
)
def test_the_same_numbers_give_the_same_scores_in_every_form(problem, tmp_path, form):
    x, s, _ = problem
    expected = quick().fit(x, s).score_samples(x)
    rows = form(x, tmp_path)
    np.testing.assert_allclose(quick().fit(rows, s).score_samples(rows), expected, rtol=1e-4, atol=1e-5)


def test_sparse_rows_and_images_are_taken_as_they_are(problem):
    x, s, y = problem
    counts = sp.csr_matrix(np.maximum(x, 0))
    assert roc_auc_score(y, quick(epochs=10).fit(counts, s).score_samples(counts)) > 0.8
    images = (x.reshape(-1, 1, 2, 2).repeat(4, axis=2).repeat(4, axis=3) * 20 + 100).astype(np.uint8)
    assert quick(encoder="cnn13", epochs=1).fit(images, s).transform(images[:3]).shape == (3, 128)


@pytest.mark.parametrize(
    ("labels", "classes"),
    [
        (lambda s: s, [0, 1]),
        (lambda s: np.where(s, 1, -1), [-1, 1]),
        (lambda s: s.astype(bool), [False, True]),
        (lambda s: np.where(s, "sick", "?"), ["?", "sick"]),
        (lambda s: np.where(s, "b", "a").astype(object), ["a", "b"]),
        (lambda s: pd.Series(s), [0, 1]),
        (lambda s: s.astype(float), [0.0, 1.0]),
        (lambda s: s.tolist(), [0, 1]),
    ],
)
def test_the_greater_label_is_the_labelled_one(problem, labels, classes):
    x, s, _ = problem
    model = quick().fit(x, labels(s))
    assert model.classes_.tolist() == classes
    assert set(model.predict(x).tolist()) <= set(classes)
    np.testing.assert_array_equal(model.predict(x) == classes[1], model.decision_function(x) > 0)
    assert model.score_samples(x).tobytes() == quick().fit(x, s).score_samples(x).tobytes()


@pytest.mark.parametrize(
    ("labels", "sentence"),
    [
        (lambda s: np.arange(len(s)) % 3, "Only binary"),
        (lambda s: np.zeros(len(s)), "one class only"),
        (lambda s: s[:-1], "inconsistent numbers of samples"),
        (lambda s: None, "requires y"),
        (lambda s: np.where(s, np.nan, 0.0), "NaN"),
    ],
)
def test_labels_that_make_no_sense_are_refused(problem, labels, sentence):
    x, s, _ = problem
    with pytest.raises(ValueError, match=sentence):
        quick().fit(x, labels(s))


def test_a_sample_is_fitted_as_it_stands(problem):
    x, s, _ = problem
    sample = make_sample(x, s, scenario="two-sample")
    model = quick().fit(sample)
    assert model.fitted_.held.scenario == "two-sample"
    assert model.n_features_in_ == 4
    assert model.score_samples(x).tobytes() == quick(scenario="two-sample").fit(x, s).score_samples(x).tobytes()


def test_a_sample_of_a_frame_remembers_its_columns(problem):
    x, s, _ = problem
    frame = pd.DataFrame(x, columns=NAMES)
    model = quick().fit(make_sample(frame, s, scenario="one-sample"))
    assert model.feature_names_in_.tolist() == NAMES
    assert model.score_samples(frame).tobytes() == quick().fit(frame, s).score_samples(frame).tobytes()
    assert not hasattr(model.fit(make_sample(x, s, scenario="one-sample")), "feature_names_in_")


def test_a_sample_with_labels_beside_it_is_refused(problem):
    x, s, _ = problem
    with pytest.raises(DataError, match="its own labels"):
        quick().fit(make_sample(x, s, scenario="one-sample"), s)


def test_the_scenario_is_declared_never_guessed(problem):
    x, s, _ = problem
    with pytest.raises(SettingError, match="one-sample"):
        quick(scenario="both").fit(x, s)


def test_truth_has_no_way_in():
    assert "y" not in PUSample.__dataclass_fields__
    taken = set(inspect.signature(AngularPUClassifier.fit).parameters)
    assert taken == {"self", "X", "y", "reviews", "checkpoint_dir"}  # reviews are what a person said after looking


def test_it_works_in_a_pipeline_and_a_grid_search(problem):
    x, s, y = problem
    pipeline = make_pipeline(StandardScaler(), quick())
    search = GridSearchCV(pipeline, {"angularpuclassifier__kappa": [1.0, 3.0]}, scoring=pu_auc_scorer, cv=2).fit(x, s)
    assert search.best_score_ > 0.5
    assert roc_auc_score(y, search.decision_function(x)) > 0.9


def test_it_works_in_cross_validation_with_the_pu_scorer(problem):
    x, s, _ = problem
    scores = cross_val_score(quick(), x, s, scoring=pu_auc_scorer, cv=3)
    assert scores.shape == (3,)
    assert scores.mean() > 0.6


def test_missing_values_are_welcome_and_infinite_ones_are_not(problem):
    x, s, _ = problem
    holes = x.copy()
    holes[::7, 1] = np.nan
    assert np.isfinite(quick().fit(holes, s).decision_function(holes)).all()
    holes[3, 2] = np.inf
    with pytest.raises(ValueError, match="inf"):
        quick().fit(holes, s)


def test_a_frame_with_categories_and_unseen_ones_at_scoring(problem):
    x, s, y = problem
    frame = pd.DataFrame({"n": x[:, 0], "kind": np.where(x[:, 1] > 0.7, "up", "down"), "flat": 1.0})
    model = quick(epochs=20, random_state=1).fit(frame, s)
    assert any("flat" in note for note in model.notes_)
    assert roc_auc_score(y, model.decision_function(frame)) > 0.8
    new = frame.assign(kind="never seen")
    assert np.isfinite(model.decision_function(new)).all()


def test_probabilities_rise_with_the_score_and_average_to_the_prior(problem):
    x, s, _ = problem
    model = quick(prior=0.5).fit(x, s)
    proba, decision = model.predict_proba(x)[:, 1], model.decision_function(x)
    assert (np.diff(proba[np.argsort(decision, kind="stable")]) >= 0).all()
    held = np.concatenate([model.fitted_.held.score_pos, model.fitted_.held.score_unl])
    assert model.fitted_.probability(held).mean() == pytest.approx(0.5, abs=0.01)


def test_with_few_positives_and_no_prior_the_probability_is_one_half_at_the_threshold(problem):
    x, s, _ = problem
    s = s * (np.cumsum(s) <= 8)
    model = quick().fit(x, s)
    assert model.decision_.rule == "lee-liu"
    assert model.fitted_.calibration is None
    np.testing.assert_array_equal(model.predict_proba(x)[:, 1] > 0.5, model.decision_function(x) > 0)


def test_the_rule_by_default_is_pu_f1_with_bbe_and_promises_recall_and_precision(problem):
    x, s, _ = problem
    decision = quick().fit(x, s).decision_
    assert decision.rule == "pu-f1"
    assert 0 < decision.alpha < 1
    assert decision.recall_low <= decision.recall <= decision.recall_high
    assert decision.precision_low <= decision.precision <= decision.precision_high


def test_the_threshold_follows_its_rule(problem):
    x, s, _ = problem
    strict, loose = (quick(threshold=f"recall={r}").fit(x, s) for r in (0.5, 0.95))
    assert strict.threshold_ > loose.threshold_
    assert loose.decision_.recall >= 0.95
    called = quick(threshold="prior=0.5").fit(x, s)
    alpha = (0.5 * 200 - s.sum()) / (200 - s.sum())
    assert called.decision_.positive_share == pytest.approx(alpha, abs=0.02)


@pytest.mark.parametrize("rule", ["recall=1.5", "prior=0", "prior=0.01", "oracle-f1", "nonsense", "pu-f1,prior=bbb"])
def test_a_rule_that_cannot_be_followed_is_refused_before_training(problem, rule, monkeypatch):
    x, s, _ = problem
    monkeypatch.setattr("angularpu.methods.neural.fit", lambda *_, **__: pytest.fail("trained first"))
    with pytest.raises(SettingError):
        quick(threshold=rule).fit(x, s)


def test_an_unfitted_model_says_so(problem):
    for name in ("predict", "predict_proba", "decision_function", "score_samples", "transform"):
        with pytest.raises(NotFittedError):
            getattr(quick(), name)(problem[0])
    with pytest.raises(NotFittedError):
        quick().save("nowhere")


def test_a_clone_has_the_parameters_and_nothing_else(problem):
    x, s, _ = problem
    model = quick(kappa=5.0, preset="paper").fit(x, s)
    copy = clone(model)
    assert copy.get_params() == model.get_params()
    assert not hasattr(copy, "fitted_")


def test_an_option_that_was_changed_wins_over_the_preset(problem):
    x, s, _ = problem
    fitted = quick(preset="paper", epochs=2, positives="unbiased").fit(x, s).fitted_
    assert fitted.settings["epochs"] == 2
    assert fitted.settings["selection"] == "last"


def test_a_checkpoint_directory_is_kept_for_the_caller_to_remove(problem, tmp_path):
    x, s, _ = problem
    first = quick().fit(x, s, checkpoint_dir=tmp_path / "part")
    again = quick().fit(x, s, checkpoint_dir=tmp_path / "part")
    assert again.score_samples(x).tobytes() == first.score_samples(x).tobytes()


def test_random_state_none_and_a_random_state_object_are_taken(problem):
    x, s, _ = problem
    one = quick(random_state=np.random.RandomState(1)).fit(x, s)
    two = quick(random_state=np.random.RandomState(1)).fit(x, s)
    assert one.score_samples(x).tobytes() == two.score_samples(x).tobytes()
    quick(random_state=None).fit(x, s)


def test_numpy_numbers_as_a_grid_search_passes_them_can_be_saved(problem, tmp_path):
    x, s, _ = problem
    model = quick(epochs=np.int64(2), kappa=np.float32(2)).fit(x, s, checkpoint_dir=tmp_path / "part")
    model.save(tmp_path / "m")
    assert AngularPUClassifier.load(tmp_path / "m").get_params()["kappa"] == 2
