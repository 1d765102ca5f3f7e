"""Classifiers of P against U: the plain learners of scikit-learn, each a method by itself."""

from abc import abstractmethod
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from angularpu.classical.base import Classical, Learnt
from angularpu.classical.base_classifier import Matrix
from angularpu.errors import ModelError


@dataclass(frozen=True, kw_only=True, eq=False)
class AgainstUnlabelled(Classical):
    """Score a row by a classifier of the labelled positives against the unlabelled rows, both weighing the same.

    P(s=1|x) = c P(y=1|x) where labels are a random draw of the positives, so it ranks as P(y=1|x) does. The score is
    the log-odds of s with the two kinds balanced, log f_P(x)/f_U(x).
    """

    _made_of: ClassVar[tuple[type, ...]]  # the classifiers that a fit makes or a model that was read has

    def _learn(self, x: Matrix, s: NDArray[np.int8], rng: np.random.Generator) -> Learnt:
        classifier, numbers = self._tell_apart(x, s, rng)
        return Learnt({"classifier": classifier}, numbers)

    @abstractmethod
    def _tell_apart(self, x: Matrix, s: NDArray[np.int8], rng: np.random.Generator) -> tuple[Any, dict[str, float]]:
        """Return a fitted classifier of s, and the numbers worth telling."""

    def _score(self, x: Matrix, learnt: Learnt) -> NDArray[np.float64]:
        decision: NDArray[np.float64] = np.asarray(learnt.parts["classifier"].decision_function(x), np.float64)
        return decision

    def _check(self, learnt: Learnt) -> None:
        super()._check(learnt)
        if not isinstance(learnt.parts["classifier"], self._made_of):
            raise ModelError(
                f"a model of {type(self).__name__} holds a {self._made_of[0].__name__}, "
                f"got a {type(learnt.parts['classifier']).__name__}"
            )
