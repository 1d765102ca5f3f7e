"""Positive-unlabelled learning on the hypersphere: scores, a threshold and a saved model, without a single negative."""

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from angularpu.estimators.angular import AngularPUClassifier as AngularPUClassifier
    from angularpu.methods import METHODS as METHODS
    from angularpu.methods import PRESETS as PRESETS
    from angularpu.metrics.evaluation import evaluate as evaluate
    from angularpu.metrics.scorers import pu_auc_scorer as pu_auc_scorer
    from angularpu.model_io import load as load
    from angularpu.scenario.sample import PUSample as PUSample
    from angularpu.scenario.sample import Truth as Truth
    from angularpu.scenario.sample import make_sample as make_sample

__version__ = "0.1.0"

_PUBLIC = {
    "AngularPUClassifier": "angularpu.estimators.angular",
    "METHODS": "angularpu.methods",
    "PRESETS": "angularpu.methods",
    "PUSample": "angularpu.scenario.sample",
    "Truth": "angularpu.scenario.sample",
    "evaluate": "angularpu.metrics.evaluation",
    "load": "angularpu.model_io",
    "make_sample": "angularpu.scenario.sample",
    "pu_auc_scorer": "angularpu.metrics.scorers",
}
__all__ = [*_PUBLIC, "__version__"]


def __getattr__(name: str) -> Any:
    if name in _PUBLIC:
        return getattr(importlib.import_module(_PUBLIC[name]), name)
    raise AttributeError(f"module 'angularpu' has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted(__all__)
