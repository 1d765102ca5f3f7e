"""Scorers for cross-validation on positives and unlabelled rows."""

from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from angularpu.metrics.pu import pu_auc
from angularpu.scenario.labels import encode_labels


def pu_auc_scorer(estimator: Any, X: Any, y: ArrayLike) -> float:
    """Score a fitted classifier by the PU-AUC of held-out rows; pass it as ``scoring=`` to scikit-learn.

    Parameters
    ----------
    estimator : object
        Anything with a decision_function.
    X : rows
    y : array-like of shape (n,)
        The label indicator s of these rows.

    Examples
    --------
    >>> class Sum:
    ...     def decision_function(self, X):
    ...         return X.sum(axis=1)
    >>> pu_auc_scorer(Sum(), np.array([[3.0], [1.0], [2.0]]), [1, 0, 0])
    1.0
    """
    s, _ = encode_labels(y)
    score = np.asarray(estimator.decision_function(X))
    return pu_auc(score[s == 1], score[s == 0])
