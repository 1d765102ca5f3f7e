"""Complement naive Bayes of P against U: how much more often each word stands in the one than in the other."""

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
import scipy.sparse as sp
from numpy.typing import NDArray
from sklearn.naive_bayes import ComplementNB as NaiveBayes

from angularpu.checks import check_range
from angularpu.classical.against_unlabelled import AgainstUnlabelled
from angularpu.classical.base import Learnt
from angularpu.classical.base_classifier import Matrix
from angularpu.errors import DataError


@dataclass(frozen=True, kw_only=True, eq=False)
class ComplementNB(AgainstUnlabelled):
    """Score a row of counts by the words that P has more often than U.

    The weight of a word is the log of its share of all words in P, less that in U, and the score is the sum of the
    weights over the words of a row (Rennie et al. 2003; with two classes the complement of one is the other).

    Parameters
    ----------
    smoothing : float above 0, default 1.0
        Added to the count of every word in P and in U.

    Examples
    --------
    >>> rng = np.random.default_rng(0)
    >>> y = np.repeat([1, 0], 200)
    >>> x = sp.csr_matrix(rng.poisson(np.where(y[:, None] == 1, [3, 1, 1], [1, 1, 3])).astype(np.float32))
    >>> s = (np.arange(400) < 100).astype(np.int8)
    >>> ComplementNB().fit(x, s, rng=rng).score(sp.csr_matrix([[4, 1, 0], [0, 1, 4]])) > 0
    array([ True, False])
    """

    _made_of: ClassVar[tuple[type, ...]] = (NaiveBayes,)

    smoothing: float = 1.0

    def __post_init__(self) -> None:
        check_range("smoothing", self.smoothing, low=0, open_low=True)

    def _tell_apart(self, x: Matrix, s: NDArray[np.int8], rng: np.random.Generator) -> tuple[Any, dict[str, float]]:
        refuse_negative(x)
        return NaiveBayes(alpha=self.smoothing).fit(x, s), {}

    def _score(self, x: Matrix, learnt: Learnt) -> NDArray[np.float64]:
        # Probabilities of long rows cannot be told from 0 and 1; their logarithms can.
        log = learnt.parts["classifier"].predict_log_proba(x)
        return np.asarray(log[:, 1] - log[:, 0], np.float64)


def refuse_negative(x: Matrix) -> None:
    """Refuse rows that cannot be counts.

    Examples
    --------
    >>> refuse_negative(np.array([[0.0, -1.0]]))
    Traceback (most recent call last):
    angularpu.errors.DataError: complement naive Bayes takes rows without negative numbers, got -1; pass counts or
    tf-idf as a sparse matrix (columns of dense rows are centred, so some become negative), or choose another method
    """
    low = float((x.data if sp.issparse(x) else x).min(initial=0))
    if low < 0:
        raise DataError(
            f"complement naive Bayes takes rows without negative numbers, got {low:g}; pass counts or tf-idf as a "
            "sparse matrix (columns of dense rows are centred, so some become negative), or choose another method"
        )
