"""scikit-learn's own checks, with no expected failure."""

import pytest
from sklearn.utils.estimator_checks import parametrize_with_checks

from angularpu import AngularPUClassifier


@parametrize_with_checks([AngularPUClassifier(epochs=15)])
def test_the_classifier_behaves_as_scikit_learn_expects(estimator, check):
    check(estimator)


@pytest.mark.slow
@parametrize_with_checks([AngularPUClassifier()])
def test_the_default_classifier_behaves_as_scikit_learn_expects(estimator, check):
    check(estimator)
