"""Logistic regression of P against U, with a penalty chosen by held-out PU-AUC."""

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
import scipy.sparse as sp
from numpy.typing import NDArray
from sklearn.linear_model import LogisticRegression as Regression

from angularpu.checks import check_range
from angularpu.classical.against_unlabelled import AgainstUnlabelled
from angularpu.classical.base import count_share
from angularpu.classical.base_classifier import Matrix
from angularpu.metrics.pu import pu_auc

DENSE = (1e-4, 1e-3, 1e-2, 1e-1)
SPARSE = (*DENSE, 1.0, 10.0)  # each of many words is in few rows, where a strong penalty would leave it no say
HELD_OUT = 0.2
STEPS = 1000


@dataclass(frozen=True, kw_only=True, eq=False)
class LogisticRegression(AgainstUnlabelled):
    """Score a row by a weighted sum of its columns, fitted on P against U, both weighing the same.

    Unless C is given, a fifth of P and of U is held out, C rises from 0.0001 to 0.1 (to 10 for sparse rows), each fit
    starting from the one before, and the C of the highest PU-AUC on that fifth is used for a fit on all rows. The score
    is the log-odds.

    Parameters
    ----------
    C : float above 0, optional
        The larger, the weaker the penalty on squared weights, as in scikit-learn; by default chosen by held-out PU-AUC.

    Examples
    --------
    >>> rng = np.random.default_rng(0)
    >>> x = np.concatenate([rng.normal(3, 1, (200, 1)), rng.normal(-3, 1, (200, 1))]).astype(np.float32)
    >>> s = (np.arange(400) < 100).astype(np.int8)
    >>> LogisticRegression().fit(x, s, rng=rng).score(x[[0, -1]]) > 0
    array([ True, False])
    """

    _made_of: ClassVar[tuple[type, ...]] = (Regression,)

    C: float | None = None

    def __post_init__(self) -> None:
        if self.C is not None:
            check_range("C", self.C, low=0, open_low=True)

    def _tell_apart(self, x: Matrix, s: NDArray[np.int8], rng: np.random.Generator) -> tuple[Any, dict[str, float]]:
        chosen = choose_penalty(x, s, rng=rng) if self.C is None else self.C
        return _make(chosen).fit(x, s), {"C": chosen}


def choose_penalty(x: Matrix, s: NDArray[np.int8], *, rng: np.random.Generator) -> float:
    """Return the C whose fit on four fifths has the highest PU-AUC on the fifth; the strongest penalty of equals.

    Parameters
    ----------
    x : float32 array or CSR matrix of shape (n, d)
    s : int8 array of shape (n,)
        At least two labelled and two unlabelled rows.
    rng : numpy.random.Generator
        Draws the fifth.
    """
    kinds = [rng.permutation(np.flatnonzero(s == label)) for label in (1, 0)]
    pos, unl = (rows[: count_share(len(rows), HELD_OUT)] for rows in kinds)
    train = np.sort(np.concatenate([rows[count_share(len(rows), HELD_OUT) :] for rows in kinds]))
    x_train, x_pos, x_unl = x[train], x[pos], x[unl]
    model, quality = _make(1.0), {}
    for candidate in SPARSE if sp.issparse(x) else DENSE:
        model.set_params(C=candidate).fit(x_train, s[train])
        quality[candidate] = pu_auc(model.decision_function(x_pos), model.decision_function(x_unl))
    return max(quality, key=lambda candidate: quality[candidate])


def _make(strength: float) -> Regression:
    return Regression(C=strength, class_weight="balanced", max_iter=STEPS, warm_start=True)
