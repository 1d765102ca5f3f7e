"""The parts of scikit-learn that are not public and that storing relies on, all of them, in one place.

scikit-learn has no public way to make a fitted tree, and keeps the members of a calibrated classifier in a class of its
own. Where a version of it lacks one of these, such models are neither saved nor read, and say so in one sentence; all
others are.
"""

import importlib
from functools import cache
from types import SimpleNamespace
from typing import Any

import sklearn

from angularpu.errors import ModelError

_NAMES = {
    "Tree": "sklearn.tree._tree",
    "NODE_DTYPE": "sklearn.tree._tree",
    "TreePredictor": "sklearn.ensemble._hist_gradient_boosting.predictor",
    "PREDICTOR_RECORD_DTYPE": "sklearn.ensemble._hist_gradient_boosting.common",
    "_openmp_effective_n_threads": "sklearn.utils._openmp_helpers",
}
# Fields of a node that are read when a row walks down the tree; the others are zero here.
NODE_FIELDS = ("left_child", "right_child", "feature", "threshold")
PREDICTOR_FIELDS = ("left", "right", "feature_idx", "num_threshold", "value", "is_leaf", "is_categorical")
# Of a fitted HistGradientBoostingClassifier, of the members of a CalibratedClassifierCV, and of their sigmoids.
BOOSTING_ATTRIBUTES = ("_predictors", "_baseline_prediction")
CALIBRATED_ATTRIBUTES = ("estimator", "calibrators", "method")
SIGMOID_ATTRIBUTES = ("a_", "b_")


@cache
def find_internals() -> SimpleNamespace:
    """Return the names of scikit-learn that are needed, or say which one this version lacks."""
    found: dict[str, Any] = {}
    for name, module in _NAMES.items():
        try:
            found[name] = getattr(importlib.import_module(module), name)
        except (ImportError, AttributeError):
            raise _refuse_version(f"{module}.{name}") from None
    for dtype, fields in (("NODE_DTYPE", NODE_FIELDS), ("PREDICTOR_RECORD_DTYPE", PREDICTOR_FIELDS)):
        for field in fields:
            if field not in found[dtype].names:
                raise _refuse_version(f"{dtype}[{field!r}]")
    return SimpleNamespace(**found)


def require_attributes(model: Any, names: tuple[str, ...]) -> None:
    """Refuse a fitted model of a version of scikit-learn that keeps what it learnt elsewhere."""
    for name in names:
        if not hasattr(model, name):
            raise _refuse_version(f"{type(model).__name__}.{name}")


def _refuse_version(missing: str) -> ModelError:
    """Return the error about a version of scikit-learn that lacks something."""
    return ModelError(
        f"scikit-learn {sklearn.__version__} has no {missing}, with which models are saved and read; "
        "update angularpu, or install an earlier scikit-learn"
    )
