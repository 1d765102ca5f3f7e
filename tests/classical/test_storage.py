import io
import json
from zipfile import ZipFile

import numpy as np
import pytest
import skops.io
from sklearn.base import BaseEstimator, ClassifierMixin, clone
from sklearn.calibration import CalibratedClassifierCV
from sklearn.ensemble import (
    AdaBoostClassifier,
    BaggingClassifier,
    ExtraTreesClassifier,
    GradientBoostingClassifier,
    HistGradientBoostingClassifier,
    RandomForestClassifier,
    StackingClassifier,
    VotingClassifier,
)
from sklearn.linear_model import LogisticRegression, SGDClassifier
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier
from sklearn.neural_network import MLPClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import FunctionTransformer, QuantileTransformer, StandardScaler
from sklearn.svm import SVC, LinearSVC
from sklearn.tree import DecisionTreeClassifier

from angularpu.classical.storage import dump_parts, load_parts
from angularpu.errors import ModelError

PAIR = [("a", LogisticRegression()), ("b", GaussianNB())]
STORED = [
    HistGradientBoostingClassifier(max_iter=5, random_state=0),
    LogisticRegression(),
    SGDClassifier(random_state=0),
    GaussianNB(),
    SVC(),
    KNeighborsClassifier(algorithm="brute"),
    DecisionTreeClassifier(max_leaf_nodes=4, random_state=0),
    ExtraTreesClassifier(3, random_state=0),
    RandomForestClassifier(3, random_state=0),
    GradientBoostingClassifier(n_estimators=3, random_state=0),
    AdaBoostClassifier(n_estimators=3, random_state=0),
    BaggingClassifier(DecisionTreeClassifier(), n_estimators=3, max_features=0.5, random_state=0),
    VotingClassifier(PAIR, voting="soft"),
    StackingClassifier(PAIR),
    MLPClassifier((3,), solver="adam", tol=1e9, n_iter_no_change=1, random_state=0),
    MLPClassifier((3,), solver="sgd", tol=1e9, n_iter_no_change=1, random_state=0),
    CalibratedClassifierCV(LinearSVC(), cv=2),
    CalibratedClassifierCV(LinearSVC(), method="isotonic", cv=2),
    make_pipeline(StandardScaler(), QuantileTransformer(n_quantiles=10), LogisticRegression()),
]


class Own(ClassifierMixin, BaseEstimator):
    def fit(self, x, y):
        self.classes_ = np.unique(y)
        return self


class OwnLogistic(LogisticRegression):
    pass


@pytest.fixture
def rows():
    x = np.random.default_rng(0).normal(size=(80, 4)).astype(np.float32)
    return x, (x[:, 0] + x[:, 1] > 0).astype(np.int8)


@pytest.mark.parametrize("base", STORED, ids=lambda base: type(base).__name__)
def test_equal_models_give_equal_bytes_and_come_back_as_they_were(base, rows):
    x, y = rows
    first, second = (clone(base).fit(x, y) for _ in range(2))
    written = dump_parts({"classifier": first})
    assert dump_parts({"classifier": second}) == written
    loaded = load_parts(written)
    assert dump_parts(loaded) == written
    ask = "predict_proba" if hasattr(first, "predict_proba") else "decision_function"
    np.testing.assert_array_equal(getattr(loaded["classifier"], ask)(x), getattr(first, ask)(x))


def test_the_archive_holds_no_date_no_address_and_equal_arrays_once(rows):
    model = LogisticRegression().fit(*rows)
    written = dump_parts({"a": model, "b": LogisticRegression().fit(*rows)})
    with ZipFile(io.BytesIO(written)) as archive:
        assert {entry.date_time for entry in archive.infolist()} == {(1980, 1, 1, 0, 0, 0)}
        schema = archive.read("schema.json").decode()
        count = len(archive.namelist())
    assert str(id(model)) not in schema
    with ZipFile(io.BytesIO(dump_parts({"a": model}))) as archive:
        assert len(archive.namelist()) == count


@pytest.mark.parametrize(
    ("base", "named"),
    [
        (Own(), "Own"),
        (OwnLogistic(), "OwnLogistic"),
        (make_pipeline(StandardScaler(), OwnLogistic()), "OwnLogistic"),
        (make_pipeline(FunctionTransformer(lambda x: x), LogisticRegression()), "lambda"),
        (KNeighborsClassifier(algorithm="kd_tree"), "KDTree"),
    ],
)
def test_a_type_that_is_not_on_the_list_is_named_and_refused_at_saving(base, named, rows):
    with pytest.raises(ModelError, match=rf"{named}.*; the model fits and scores; to save it, pass another"):
        dump_parts({"classifier": base.fit(*rows)})


def test_an_attribute_that_no_archive_can_hold_is_refused_at_saving(rows):
    model = LogisticRegression().fit(*rows)
    model.stream = (number for number in range(3))
    with pytest.raises(ModelError, match="to save it"):
        dump_parts({"classifier": model})


def test_a_type_that_is_not_on_the_list_is_refused_at_loading(rows):
    smuggled = skops.io.dumps({"classifier": OwnLogistic().fit(*rows)})
    with pytest.raises(ModelError, match="OwnLogistic"):
        load_parts(smuggled)


@pytest.mark.parametrize("data", [b"", b"not an archive", None])
def test_damaged_bytes_are_refused(data, rows):
    whole = dump_parts({"classifier": LogisticRegression().fit(*rows)})
    with pytest.raises(ModelError, match="copy or fit the model again"):
        load_parts(whole[:-30] if data is None else data)


def test_an_archive_of_something_else_is_refused():
    with pytest.raises(ModelError, match="holds a list"):
        load_parts(skops.io.dumps([1, 2]))


def test_an_array_missing_from_the_archive_is_refused(rows):
    whole = dump_parts({"classifier": LogisticRegression().fit(*rows)})
    buffer = io.BytesIO()
    with ZipFile(io.BytesIO(whole)) as source, ZipFile(buffer, "w") as target:
        target.writestr("schema.json", json.dumps(json.loads(source.read("schema.json"))))
    with pytest.raises(ModelError, match="cannot be read"):
        load_parts(buffer.getvalue())
