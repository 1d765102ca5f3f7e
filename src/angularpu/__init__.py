"""Positive-unlabelled learning on the hypersphere: scores, a threshold and a saved model, without a single negative."""

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from angularpu.estimators.angular import AngularPUClassifier as AngularPUClassifier
    from angularpu.estimators.any import PUClassifier as PUClassifier
    from angularpu.fit.prior_estimation import estimate_prior as estimate_prior
    from angularpu.fit.prior_estimation import estimate_priors as estimate_priors
    from angularpu.methods.presets import PRESETS as PRESETS
    from angularpu.methods.table import METHODS as METHODS
    from angularpu.metrics.evaluation import evaluate as evaluate
    from angularpu.metrics.pu_evaluation import evaluate_pu as evaluate_pu
    from angularpu.metrics.scorers import make_pu_scorer as make_pu_scorer
    from angularpu.metrics.scorers import pu_auc_scorer as pu_auc_scorer
    from angularpu.model.directory import load as load
    from angularpu.scenario.sample import PUSample as PUSample
    from angularpu.scenario.sample import Truth as Truth
    from angularpu.scenario.sample import make_sample as make_sample
    from angularpu.scenario.sample_file import read_sample as read_sample
    from angularpu.scenario.split import PUStratifiedKFold as PUStratifiedKFold

__version__ = "0.1.0"

_PUBLIC = {
    "AngularPUClassifier": "angularpu.estimators.angular",
    "METHODS": "angularpu.methods.table",
    "PRESETS": "angularpu.methods.presets",
    "PUClassifier": "angularpu.estimators.any",
    "PUSample": "angularpu.scenario.sample",
    "PUStratifiedKFold": "angularpu.scenario.split",
    "Truth": "angularpu.scenario.sample",
    "estimate_prior": "angularpu.fit.prior_estimation",
    "estimate_priors": "angularpu.fit.prior_estimation",
    "evaluate": "angularpu.metrics.evaluation",
    "evaluate_pu": "angularpu.metrics.pu_evaluation",
    "load": "angularpu.model.directory",
    "make_pu_scorer": "angularpu.metrics.scorers",
    "make_sample": "angularpu.scenario.sample",
    "pu_auc_scorer": "angularpu.metrics.scorers",
    "read_sample": "angularpu.scenario.sample_file",
}
_NAMED = (
    "APUClassifier",
    "BaggingPUClassifier",
    "DensePUClassifier",
    "DistPUClassifier",
    "ElkanNotoClassifier",
    "EuclideanPUClassifier",
    "ImbPUClassifier",
    "NaiveClassifier",
    "NNPUClassifier",
    "OraclePNClassifier",
    "PiCOClassifier",
    "PUbNClassifier",
    "PUBoostingClassifier",
    "PuNCEClassifier",
    "PUSBClassifier",
    "RankPruningClassifier",
    "SelfPUClassifier",
    "SpyClassifier",
    "TEDnClassifier",
    "UPUClassifier",
    "VPUClassifier",
    "WConPUClassifier",
    "WeightedElkanNotoClassifier",
)
_PUBLIC |= dict.fromkeys(_NAMED, "angularpu.estimators.named")
__all__ = [*_PUBLIC, "__version__"]


def __getattr__(name: str) -> Any:
    if name in _PUBLIC:
        return getattr(importlib.import_module(_PUBLIC[name]), name)
    raise AttributeError(f"module 'angularpu' has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted(__all__)
