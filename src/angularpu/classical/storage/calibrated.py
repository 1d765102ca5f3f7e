"""Calibrated classifiers: scikit-learn's CalibratedClassifierCV, by isotonic regression or Platt's sigmoid."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.calibration import CalibratedClassifierCV
from sklearn.svm import LinearSVC

from angularpu.classical.storage.internals import CALIBRATED_ATTRIBUTES, SIGMOID_ATTRIBUTES, require_attributes
from angularpu.classical.storage.isotonic import Sigmoid
from angularpu.classical.storage.kind import CLASSES, Arrays, Fields, Kind, Pieces, Role, check_classes
from angularpu.errors import ModelError
from angularpu.files import Outline

METHODS = ("sigmoid", "isotonic")
LARGEST = 1.0 + 1e-5  # what rounding may lift above one


class Calibrated:
    """Classifiers that were read, each with the curve that turns its scores into probabilities, averaged.

    Parameters
    ----------
    members : sequence of (classifier, calibrator)
    """

    classes_ = CLASSES

    def __init__(self, members: Sequence[tuple[Any, Any]]) -> None:
        self.members = members

    def predict_proba(self, x: Any) -> NDArray[np.float64]:
        """Return the mean probabilities of the two classes, of shape (n, 2)."""
        total = np.zeros((x.shape[0], len(CLASSES)))
        for classifier, calibrator in self.members:
            probability = np.zeros_like(total)
            probability[:, 1] = calibrator.predict(_ask(classifier, x))
            probability[:, 0] = 1.0 - probability[:, 1]
            probability[(probability > 1) & (probability <= LARGEST)] = 1.0
            total += probability
        total /= len(self.members)
        return total


class CalibratedKind(Kind):
    """A CalibratedClassifierCV: every classifier in it and every curve is a model inside."""

    name = "calibrated"
    types = (CalibratedClassifierCV, Calibrated)

    def split(self, model: Any) -> Pieces:
        """Give the classifiers and their curves numbers."""
        check_classes(model)
        members = model.members if isinstance(model, Calibrated) else [_take(e) for e in model.calibrated_classifiers_]
        children: dict[str, Any] = {}
        for number, (classifier, calibrator) in enumerate(members):
            children |= {f"classifier_{number}": classifier, f"calibrator_{number}": calibrator}
        return Pieces({}, {}, children)

    def outline(self, fields: Fields, columns: int) -> dict[str, Outline]:
        """Return no arrays: all of them are inside."""
        return {}

    def list_children(self, count: int) -> dict[str, Role]:
        """Return as many curves as classifiers, at least one."""
        roles: dict[str, Role] = {}
        for number in range(max(1, count // 2)):
            roles |= {f"classifier_{number}": "classifier", f"calibrator_{number}": "calibrator"}
        return roles

    def join(self, fields: Fields, arrays: Arrays, *, children: Mapping[str, Any], columns: int) -> Calibrated:
        """Put classifiers and curves together."""
        numbers = range(len(children) // 2)
        return Calibrated([(children[f"classifier_{each}"], children[f"calibrator_{each}"]) for each in numbers])

    def list_unfitted(self, model: Any) -> list[Any]:
        """Return the classifier that will be calibrated; refuse a method whose curves cannot be stored."""
        if isinstance(model, Calibrated):
            return []
        _check_method(model.method)
        return [LinearSVC() if model.estimator is None else model.estimator]


def _take(member: Any) -> tuple[Any, Any]:
    require_attributes(member, CALIBRATED_ATTRIBUTES)
    _check_method(member.method)
    (calibrator,) = member.calibrators
    if member.method == "isotonic":
        return member.estimator, calibrator
    require_attributes(calibrator, SIGMOID_ATTRIBUTES)
    return member.estimator, Sigmoid(calibrator.a_, calibrator.b_)


def _check_method(method: str) -> None:
    if method not in METHODS:
        raise ModelError(f"a calibration by {' or '.join(METHODS)} can be saved, this one is by {method}")


def _ask(classifier: Any, x: Any) -> NDArray[Any]:
    """Return what the curve was fitted on: decision values, or probabilities of class 1 where there are none."""
    if hasattr(classifier, "decision_function"):
        decision: NDArray[Any] = classifier.decision_function(x)
        return decision
    probability: NDArray[Any] = classifier.predict_proba(x)[:, 1]
    return probability
