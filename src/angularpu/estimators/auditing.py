"""Rows drawn to be checked by hand, from Python."""

from typing import Any

from numpy.typing import ArrayLike
from sklearn.utils.validation import check_is_fitted

from angularpu.audit.draw import Audit
from angularpu.data.sources import as_rows
from angularpu.estimators.base import PUEstimator
from angularpu.model.audit_file import draw_heap
from angularpu.scenario.labels import encode_labels
from angularpu.scenario.sample import PUSample


def draw_audit(model: PUEstimator, X: Any, y: ArrayLike | None = None, *, n: int = 50, seed: int = 0) -> Audit:
    """Draw rows to be checked by hand, so that few answers say how good a model is.

    Parameters
    ----------
    model : PUClassifier, or the classifier of a method
        Fitted.
    X : array, sparse matrix, frame, images, or a PUSample
        The rows to draw from: those that the model was fitted on, or new ones.
    y : array-like of shape (n,), optional
        As ``fit`` takes it; known positives are left out. Not given with a PUSample, nor where none are among the rows.
    n : int
        How many rows to draw.
    seed : int

    Returns
    -------
    Audit
        ``audit.number - 1`` are the drawn rows of X. ``angularpu.audit.answer(audit, ["yes", "no", ...])`` takes the
        answers, and ``model.decide(rule, audit=answers)`` decides with them.
    """
    check_is_fitted(model)
    if isinstance(X, PUSample):
        return draw_heap(model.fitted_, X.rows, X.s, n=n, seed=seed)
    s = None if y is None else encode_labels(y)[0]
    return draw_heap(model.fitted_, as_rows(X), s, n=n, seed=seed)
