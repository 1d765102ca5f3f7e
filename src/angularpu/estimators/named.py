"""A class of its own for every method: PUClassifier with the method fixed and its options by name."""

import dataclasses
import inspect
from typing import Any

from angularpu.estimators.base import NeuralEstimator, PUEstimator
from angularpu.methods.configure import CLASSICAL, algorithm_options, configure
from angularpu.methods.neural import EncoderChoice
from angularpu.methods.protocol import Method
from angularpu.methods.renamed import rename_options
from angularpu.methods.table import find_method
from angularpu.train.settings import Settings

FACE = {
    "preset": "default",
    "threshold": "auto",
    "prior": "bbe",
    "scenario": "one-sample",
    "random_state": 0,
    "verbose": False,
}
MANUAL = """{summary}

    {reference}

    Every parameter is keyword-only; docs/methods/{name}.md explains the method's own. The others are those of
    :class:`angularpu.PUClassifier`{others}.

    Parameters
    ----------
    {parameters}
    """


def make_class(method: str, name: str) -> type[PUEstimator]:
    """Make the classifier of one method; its constructor has every option that applies to it, by name."""
    card = find_method(method)
    own = algorithm_options(method)
    shared: dict[str, Any] = dict(CLASSICAL)
    if card.is_neural:
        shared = {f.name: f.default for home in (EncoderChoice, Settings) for f in dataclasses.fields(home)}
    defaults = {**FACE, **own, **shared}
    signature = inspect.Signature(
        [
            inspect.Parameter("self", inspect.Parameter.POSITIONAL_ONLY),
            *(inspect.Parameter(key, inspect.Parameter.KEYWORD_ONLY, default=value) for key, value in defaults.items()),
        ]
    )

    def initialise(self: PUEstimator, **given: Any) -> None:
        given = rename_options(method, given)
        signature.bind(self, **given)
        for key, default in defaults.items():
            setattr(self, key, given.get(key, default))

    def name_method(self: PUEstimator) -> Method:
        changed = {key: value for key, value in self.changed_options().items() if key not in FACE}
        face = {key: getattr(self, key) for key in ("preset", "threshold", "prior")}
        return configure(face.pop("preset"), method=method, options=changed, **face)

    initialise.__signature__ = signature  # type: ignore[attr-defined]
    manual = MANUAL.format(
        name=card.name,
        summary=card.summary,
        reference=card.reference,
        others="" if card.is_neural else ", with ``base`` the scikit-learn classifier",
        parameters="\n    ".join(f"{key} : default={value!r}" for key, value in defaults.items()),
    )
    content = {"__init__": initialise, "_method": name_method, "__doc__": manual, "__module__": __name__}
    content["_methods"] = (card.name,)
    return type(name, (NeuralEstimator if card.is_neural else PUEstimator,), content)


UPUClassifier = make_class("upu", "UPUClassifier")
NNPUClassifier = make_class("nnpu", "NNPUClassifier")
RankPruningClassifier = make_class("rank_pruning", "RankPruningClassifier")
PUSBClassifier = make_class("pusb", "PUSBClassifier")
PUbNClassifier = make_class("pubn", "PUbNClassifier")
SelfPUClassifier = make_class("self_pu", "SelfPUClassifier")
APUClassifier = make_class("apu", "APUClassifier")
VPUClassifier = make_class("vpu", "VPUClassifier")
ImbPUClassifier = make_class("imbpu", "ImbPUClassifier")
DistPUClassifier = make_class("dist_pu", "DistPUClassifier")
DensePUClassifier = make_class("dense_pu", "DensePUClassifier")
PuNCEClassifier = make_class("punce", "PuNCEClassifier")
PiCOClassifier = make_class("pico", "PiCOClassifier")
WConPUClassifier = make_class("wconpu", "WConPUClassifier")
EuclideanPUClassifier = make_class("euclidean", "EuclideanPUClassifier")
TEDnClassifier = make_class("tedn", "TEDnClassifier")
NaiveClassifier = make_class("naive", "NaiveClassifier")
OraclePNClassifier = make_class("oracle_pn", "OraclePNClassifier")
ElkanNotoClassifier = make_class("elkan_noto", "ElkanNotoClassifier")
WeightedElkanNotoClassifier = make_class("weighted_elkan_noto", "WeightedElkanNotoClassifier")
BaggingPUClassifier = make_class("bagging", "BaggingPUClassifier")
SpyClassifier = make_class("spy", "SpyClassifier")
PUBoostingClassifier = make_class("pu_boosting", "PUBoostingClassifier")
