"""The closed list is stored and scores as before to the bit; whatever else comes is refused."""

import copy
import json

import numpy as np
import pytest
import scipy.sparse as sp
from safetensors.numpy import save
from sklearn.base import BaseEstimator, ClassifierMixin, clone
from sklearn.calibration import CalibratedClassifierCV
from sklearn.ensemble import AdaBoostClassifier, HistGradientBoostingClassifier, RandomForestClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.naive_bayes import BernoulliNB, GaussianNB
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import FunctionTransformer, StandardScaler
from sklearn.svm import SVC
from sklearn.tree import DecisionTreeClassifier

from angularpu.classical.storage.parts import check_storable, dump_parts, load_parts, outline_parts, reads_sparse
from angularpu.errors import ModelError

ISOTONIC = CalibratedClassifierCV(LogisticRegression(), method="isotonic", cv=2)


def fit(base, rows):
    model = clone(base)
    seeds = [name for name in model.get_params() if name.endswith("random_state")]
    return model.set_params(**dict.fromkeys(seeds, 0)).fit(*rows)


def ask(model, x):
    return model.predict_proba(x) if hasattr(model, "predict_proba") else model.decision_function(x)


def test_a_stored_classifier_scores_as_before_to_the_bit(stored_base, rows, store):
    model = fit(stored_base, rows)
    loaded = store({"classifier": model})["classifier"]
    assert ask(loaded, rows[0]).tobytes() == ask(model, rows[0]).tobytes()
    assert hasattr(loaded, "predict_proba") == hasattr(model, "predict_proba")


def test_equal_classifiers_give_equal_bytes_and_so_do_those_that_were_read(stored_base, rows, store):
    first, second = (dump_parts({"classifier": fit(stored_base, rows)}) for _ in range(2))
    again = dump_parts(store({"classifier": fit(stored_base, rows)}))
    for structure, arrays in (second, again):
        assert structure == first[0]
        assert save(arrays) == save(first[1])


def test_sparse_rows_score_as_before_wherever_they_can_be_read(stored_base, rows, store):
    x = sp.csr_matrix(np.where(rows[0] > 0.5, rows[0], 0))
    try:
        model = fit(stored_base, (x, rows[1]))
    except (TypeError, ValueError):
        return
    structure, _ = dump_parts({"classifier": model})
    assert reads_sparse(structure)
    assert ask(store({"classifier": model})["classifier"], x).tobytes() == ask(model, x).tobytes()


def test_a_law_of_bits_is_stored_too(rows, store):
    bits, y = (rows[0] > 0.5).astype(np.float32), rows[1]
    model = BernoulliNB(binarize=None).fit(bits, y)
    assert ask(store({"classifier": model})["classifier"], bits).tobytes() == ask(model, bits).tobytes()


@pytest.mark.parametrize("name", ["boosting", "gaussian", "isotonic boosting", "pipeline"])
def test_what_cannot_read_sparse_rows_is_known_as_such(name, bases, rows):
    assert not reads_sparse(dump_parts({"classifier": fit(bases[name], rows)})[0])


def test_the_number_of_jobs_and_of_threads_is_not_stored(rows):
    models = [RandomForestClassifier(3, random_state=0, n_jobs=n_jobs).fit(*rows) for n_jobs in (None, 64)]
    written = [dump_parts({"classifier": model}) for model in models]
    assert written[0][0] == written[1][0] == {"classifier": {"kind": "trees", "trees": 3, "nodes": _count(models[0])}}
    assert save(written[0][1]) == save(written[1][1])


def _count(forest):
    return sum(tree.tree_.node_count for tree in forest.estimators_)


def test_outlines_are_known_without_any_array(stored_base, rows):
    structure, arrays = dump_parts({"classifier": fit(stored_base, rows)})
    expected = outline_parts(structure, columns=4)
    shapes = {name: array.shape for name, array in arrays.items()}
    assert {name: outline.shape for name, outline in expected.items()} == shapes


class Own(ClassifierMixin, BaseEstimator):
    def fit(self, x, y):
        self.classes_ = np.unique(y)
        return self

    def predict_proba(self, x):
        return np.full((len(x), 2), 0.5)


class OwnLogistic(LogisticRegression):
    pass


@pytest.mark.parametrize(
    ("base", "named"),
    [
        (Own(), "Own"),
        (OwnLogistic(), "OwnLogistic"),
        (make_pipeline(StandardScaler(), OwnLogistic()), "OwnLogistic"),
        (make_pipeline(FunctionTransformer(lambda x: x), LogisticRegression()), "FunctionTransformer"),
        (CalibratedClassifierCV(SVC(), cv=2), "SVC"),
        (KNeighborsClassifier(), "KNeighborsClassifier"),
        (AdaBoostClassifier(n_estimators=2), "AdaBoostClassifier"),
    ],
)
def test_a_classifier_outside_the_list_is_refused_with_the_list_before_and_after_a_fit(base, named, rows):
    sentence = rf"no place for {named}, only for HistGradient.*LogisticRegression.*; the model fits and scores, but"
    with pytest.raises(ModelError, match=sentence):
        check_storable(base)
    with pytest.raises(ModelError, match=sentence):
        dump_parts({"classifier": base.fit(*rows)})


def test_a_classifier_of_the_list_is_known_before_a_fit(stored_base):
    check_storable(stored_base)
    check_storable(None)


@pytest.mark.parametrize(
    ("base", "sentence"),
    [
        (HistGradientBoostingClassifier(max_iter=2, categorical_features=[3]), "split by category cannot be saved"),
        (CalibratedClassifierCV(method="temperature", cv=2), "this one is by temperature"),
    ],
)
def test_a_setting_that_cannot_be_stored_is_refused_before_and_after_a_fit(base, sentence, rows):
    x, y = rows[0].copy(), rows[1]
    x[:, 3] = 2 * y
    with pytest.raises(ModelError, match=sentence):
        check_storable(base)
    with pytest.raises(ModelError, match=sentence):
        dump_parts({"classifier": base.fit(x, y)})


def test_numbers_that_are_not_finite_are_neither_written_nor_read(rows):
    model = LogisticRegression().fit(*rows)
    structure, arrays = dump_parts({"classifier": model})
    model.coef_[0, 0] = np.inf
    with pytest.raises(ModelError, match="'classifier/coef_' holds numbers that are not finite"):
        dump_parts({"classifier": model})
    arrays["classifier/coef_"][0, 0] = np.nan
    with pytest.raises(ModelError, match="'classifier/coef_' holds numbers that are not finite"):
        load_parts(structure, arrays, columns=4)


def test_a_classifier_of_other_classes_is_refused(rows):
    x, y = rows
    with pytest.raises(ModelError, match=r"tells .* apart"):
        dump_parts({"classifier": LogisticRegression().fit(x, 2 * y)})


@pytest.mark.parametrize("columns", [1, 3, 5, 10**9])
def test_rows_of_another_width_than_the_fitted_ones_are_refused(stored_base, columns, rows):
    structure, arrays = dump_parts({"classifier": fit(stored_base, rows)})
    try:
        load_parts(structure, arrays, columns=columns)
    except ModelError:
        return
    # Trees do not know how many columns there were; they may be read if they use none beyond those there are.
    used = [array.max() for name, array in arrays.items() if name.endswith("feature")]
    assert used
    assert max(used) < columns


@pytest.mark.parametrize(
    "structure",
    [
        None,
        [],
        {"classifier": None},
        {"classifier": []},
        {"classifier": {}},
        {"classifier": {"kind": None}},
        {"classifier": {"kind": ["trees"]}},
        {"classifier": {"kind": "sklearn.svm.SVC"}},
        {"classifier": {"kind": "logistic_regression", "n_jobs": 64}},
        {"classifier": {"kind": "logistic_regression", "children": {"a": {"kind": "logistic_regression"}}}},
        {"classifier": {"kind": "logistic_regression", "children": None}},
        {"classifier": {"kind": "sigmoid", "a": 1.0, "b": 0.0}},
        {"classifier": {"kind": "isotonic", "knots": 1}},
        {"classifier": {"kind": "standard_scaler", "with_mean": True, "with_std": True}},
        {"classifier": {"kind": "trees", "trees": 1}},
        {"classifier": {"kind": "trees", "trees": 0, "nodes": 0}},
        {"classifier": {"kind": "trees", "trees": 10**50, "nodes": 10**50}},
        {"classifier": {"kind": "trees", "trees": "1", "nodes": 1}},
        {"classifier": {"kind": "trees", "trees": [1] * 100_000, "nodes": 1}},
        {"classifier": {"kind": "boosted_trees", "trees": 1, "nodes": 1, "baseline": float("inf")}},
        {"classifier": {"kind": "boosted_trees", "trees": 1, "nodes": 1, "baseline": None}},
        {"classifier": {"kind": "bernoulli_nb", "binarize": "x"}},
        {"classifier": {"kind": "pipeline"}},
        {"classifier": {"kind": "pipeline", "children": {"scaler_0": {"kind": "logistic_regression"}}}},
        {"classifier": {"kind": "pipeline", "children": {"classifier": {"kind": "isotonic", "knots": 1}}}},
        {"classifier": {"kind": "calibrated"}},
        {"classifier": {"kind": "calibrated", "children": {"classifier_0": {"kind": "logistic_regression"}}}},
    ],
    ids=repr,
)
def test_a_forged_structure_is_refused_in_one_short_sentence(structure):
    with pytest.raises(ModelError) as refusal:
        load_parts(structure, {}, columns=4)
    assert len(str(refusal.value)) < 300
    assert "\n" not in str(refusal.value)


def test_models_inside_models_without_end_are_refused():
    entry = {"kind": "logistic_regression"}
    for _ in range(100):
        entry = {"kind": "pipeline", "children": {"classifier": entry}}
    with pytest.raises(ModelError, match="inside one another"):
        outline_parts({"classifier": entry}, columns=4)


def test_arrays_of_another_shape_missing_or_unknown_are_refused(rows):
    structure, arrays = dump_parts({"classifier": DecisionTreeClassifier(random_state=0).fit(*rows)})
    longer = {**arrays, "classifier/left": np.append(arrays["classifier/left"], np.int32(-1))}
    wider = {**arrays, "classifier/left": arrays["classifier/left"].astype(np.int64)}
    unknown = {**arrays, "classifier/more": np.zeros(1)}
    absent = {name: array for name, array in arrays.items() if name != "classifier/left"}
    for forged, sentence in ((longer, "must be int32"), (wider, "int64"), (unknown, "not one of"), (absent, "missing")):
        with pytest.raises(ModelError, match=sentence):
            load_parts(structure, forged, columns=4)


@pytest.mark.parametrize(
    ("base", "name", "value"),
    [
        (GaussianNB(), "var_", 0.0),
        (GaussianNB(), "class_prior_", -0.5),
        (BernoulliNB(), "feature_log_prob_", 0.0),
        (make_pipeline(StandardScaler(), LogisticRegression()), "scaler_0/scale_", 0.0),
        (ISOTONIC, "calibrator_0/score", 1e9),
        (ISOTONIC, "calibrator_0/probability", 1e9),
    ],
)
def test_numbers_that_no_fit_gives_are_refused(base, name, value, rows):
    structure, arrays = dump_parts({"classifier": fit(base, rows)})
    forged = copy.deepcopy(arrays)
    forged[f"classifier/{name}"].flat[0] = value
    with pytest.raises(ModelError, match=r"parts.classifier"):
        load_parts(structure, forged, columns=4)


def test_rows_of_another_width_are_refused_when_they_are_scored(bases, rows, store):
    for name in ("tree", "boosting"):
        loaded = store({"classifier": fit(bases[name], rows)})["classifier"]
        with pytest.raises(ModelError, match="fitted on 4 columns, but 2 came"):
            loaded.predict_proba(rows[0][:, :2])


def test_many_parts_come_back_in_the_order_of_their_numbers(rows):
    model = LogisticRegression().fit(*rows)
    structure, arrays = dump_parts({f"member_{number:04d}": model for number in (2, 9999, 10_000, 10_001)})
    written = json.loads(json.dumps(structure, sort_keys=True))
    assert list(load_parts(written, arrays, columns=4)) == list(structure)
