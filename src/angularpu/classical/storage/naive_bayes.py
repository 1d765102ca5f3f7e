"""Naive Bayes: a law of every column in each class."""

from typing import Any

from sklearn.naive_bayes import BernoulliNB, ComplementNB, GaussianNB, MultinomialNB

from angularpu.checks import check_range
from angularpu.classical.storage.attributes import COLUMNS, AttributeKind

BY_COLUMN = (2, COLUMNS)
COUNTED = {"feature_log_prob_": BY_COLUMN, "class_log_prior_": (2,)}


def _check_binarize(name: str, value: Any) -> None:
    if value is not None:
        check_range(name, value, words=("none",))


GAUSSIAN = AttributeKind(
    "gaussian_nb",
    GaussianNB,
    shapes={"theta_": BY_COLUMN, "var_": BY_COLUMN, "class_prior_": (2,)},
    positive=("var_", "class_prior_"),
    sparse=False,
)
MULTINOMIAL = AttributeKind("multinomial_nb", MultinomialNB, shapes=COUNTED)
COMPLEMENT = AttributeKind("complement_nb", ComplementNB, shapes=COUNTED)
BERNOULLI = AttributeKind(
    "bernoulli_nb",
    BernoulliNB,
    shapes=COUNTED,
    negative=("feature_log_prob_",),  # the chance of a 0 is taken from it too
    settings={"binarize": _check_binarize},
)
