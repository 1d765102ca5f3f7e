"""scikit-learn's own checks, with no expected failure."""

from inspect import signature

import pytest
from sklearn.linear_model import LogisticRegression
from sklearn.utils.estimator_checks import parametrize_with_checks

import angularpu
from angularpu import METHODS, AngularPUClassifier, PUClassifier
from angularpu.estimators.base import NeuralEstimator

STAGED = ("SelfPUClassifier", "PUbNClassifier", "PuNCEClassifier")  # several phases share the epochs


def make_quick(name):
    """A few epochs, and around a classifier that needs no forest of trees."""
    make = getattr(angularpu, name)
    if not issubclass(make, NeuralEstimator):
        return make(base=LogisticRegression()) if "base" in signature(make).parameters else make()
    return make(epochs=60, learning_rate=1e-3) if name in STAGED else make(epochs=5, learning_rate=5e-3)


# The checks pass dense rows, which are centred, and complement naive Bayes takes no negative numbers. They also pass
# 20 rows, which gradient boosting cannot tell apart.
ELSEWHERE = ("angular", "complement_nb", "gradient_boosting")
NAMED = [make_quick(card.class_name) for card in METHODS.values() if card.name not in ELSEWHERE]
ANY = [
    PUClassifier(method="nnpu", epochs=5, learning_rate=5e-3),
    PUClassifier(method="bagging", options={"rounds": 2}),
]


@parametrize_with_checks([AngularPUClassifier(epochs=15)])
def test_the_classifier_behaves_as_scikit_learn_expects(estimator, check):
    check(estimator)


@pytest.mark.slow
@parametrize_with_checks([AngularPUClassifier(), *NAMED, *ANY])
def test_every_classifier_behaves_as_scikit_learn_expects(estimator, check):
    check(estimator)
