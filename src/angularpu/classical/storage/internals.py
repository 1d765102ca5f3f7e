"""The parts of scikit-learn that are not public and that storing trees relies on, all of them, in one place.

scikit-learn has no public way to make a fitted tree. Where a version of it lacks one of these, models with trees are
neither saved nor read, and say so in one sentence; all others are.
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
# Of a fitted HistGradientBoostingClassifier.
BOOSTING_ATTRIBUTES = ("_predictors", "_baseline_prediction", "n_trees_per_iteration_")


@cache
def find_internals() -> SimpleNamespace:
    """Return the names of scikit-learn that are needed, or say which one this version lacks."""
    found: dict[str, Any] = {}
    for name, module in _NAMES.items():
        try:
            found[name] = getattr(importlib.import_module(module), name)
        except (ImportError, AttributeError):
            raise refuse_version(f"{module}.{name}") from None
    for dtype, fields in (("NODE_DTYPE", NODE_FIELDS), ("PREDICTOR_RECORD_DTYPE", PREDICTOR_FIELDS)):
        for field in fields:
            if field not in found[dtype].names:
                raise refuse_version(f"{dtype}[{field!r}]")
    return SimpleNamespace(**found)


def require_attributes(model: Any) -> None:
    """Refuse a boosted model of a version of scikit-learn that keeps its trees elsewhere."""
    for name in BOOSTING_ATTRIBUTES:
        if not hasattr(model, name):
            raise refuse_version(f"{type(model).__name__}.{name}")


def refuse_version(missing: str) -> ModelError:
    """Return the error about a version of scikit-learn that lacks something."""
    return ModelError(
        f"scikit-learn {sklearn.__version__} has no {missing}, with which trees are saved and read; "
        "update angularpu, or install an earlier scikit-learn"
    )
