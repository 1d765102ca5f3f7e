"""What storing relies on in scikit-learn is there, and is missed in one sentence."""

import pytest
import sklearn
from sklearn.calibration import CalibratedClassifierCV
from sklearn.ensemble import HistGradientBoostingClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.tree import DecisionTreeClassifier, _tree

from angularpu.classical.storage import internals
from angularpu.classical.storage.parts import dump_parts, load_parts
from angularpu.errors import ModelError


@pytest.fixture
def forgotten():
    """Forget what was found before and after a test."""
    internals.find_internals.cache_clear()
    yield
    internals.find_internals.cache_clear()


def test_a_version_without_a_name_is_refused_with_that_name(rows, monkeypatch, forgotten):
    structure, arrays = dump_parts({"classifier": DecisionTreeClassifier(random_state=0).fit(*rows)})
    monkeypatch.delattr(_tree, "NODE_DTYPE")
    with pytest.raises(ModelError, match=rf"scikit-learn {sklearn.__version__} has no sklearn.tree._tree.NODE_DTYPE"):
        load_parts(structure, arrays, columns=4)


def test_a_version_with_other_nodes_is_refused_with_their_field(rows, monkeypatch, forgotten):
    structure, arrays = dump_parts({"classifier": DecisionTreeClassifier(random_state=0).fit(*rows)})
    monkeypatch.setattr(internals, "NODE_FIELDS", (*internals.NODE_FIELDS, "colour"))
    with pytest.raises(ModelError, match=r"has no NODE_DTYPE\['colour'\]"):
        load_parts(structure, arrays, columns=4)


def test_a_version_that_keeps_its_calibration_elsewhere_is_refused(rows):
    model = CalibratedClassifierCV(LogisticRegression(), cv=2).fit(*rows)
    del model.calibrated_classifiers_[0].calibrators[0].a_
    with pytest.raises(ModelError, match=r"has no _SigmoidCalibration.a_, with which models are"):
        dump_parts({"classifier": model})


def test_a_version_that_keeps_its_boosted_trees_elsewhere_is_refused(rows):
    model = HistGradientBoostingClassifier(max_iter=2).fit(*rows)
    del model._predictors
    with pytest.raises(ModelError, match=r"has no HistGradientBoostingClassifier._predictors, with which models are"):
        dump_parts({"classifier": model})
