"""The closed list: every kind of fitted model that is written, and nothing else is ever read."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

from angularpu.classical.storage.boosting import BoostingKind
from angularpu.classical.storage.calibrated import CalibratedKind
from angularpu.classical.storage.isotonic import IsotonicKind, SigmoidKind
from angularpu.classical.storage.kind import Kind
from angularpu.classical.storage.linear import LINEAR_SVC, LOGISTIC_REGRESSION
from angularpu.classical.storage.naive_bayes import BERNOULLI, COMPLEMENT, GAUSSIAN, MULTINOMIAL
from angularpu.classical.storage.pipeline import PipelineKind
from angularpu.classical.storage.scaling import ScalerKind
from angularpu.classical.storage.trees import TreesKind
from angularpu.errors import ModelError

_KINDS: tuple[Kind, ...] = (
    BoostingKind(),
    TreesKind(),
    LOGISTIC_REGRESSION,
    LINEAR_SVC,
    GAUSSIAN,
    MULTINOMIAL,
    COMPLEMENT,
    BERNOULLI,
    CalibratedKind(),
    PipelineKind(),
    ScalerKind(),
    IsotonicKind(),
    SigmoidKind(),
)
KINDS: Mapping[str, Kind] = MappingProxyType({kind.name: kind for kind in _KINDS})
_BY_TYPE: Mapping[type, Kind] = MappingProxyType({each: kind for kind in _KINDS for each in kind.types})


def find_kind(model: Any) -> Kind:
    """Return the kind by which a model is stored, or say which models can be."""
    kind = _BY_TYPE.get(type(model))
    if kind is None:
        raise ModelError(
            f"a model directory has no place for {type(model).__name__}, only for {', '.join(list_estimators())}; "
            "the model fits and scores, but to save it pass one of these as base"
        )
    return kind


def list_estimators() -> list[str]:
    """List the estimators of scikit-learn that can be stored.

    >>> list_estimators()[:2]
    ['HistGradientBoostingClassifier', 'DecisionTreeClassifier']
    """
    known = [each for kind in _KINDS for each in kind.types if each.__module__.startswith("sklearn.")]
    return [each.__name__ for each in known if each.__name__ != "IsotonicRegression"]
