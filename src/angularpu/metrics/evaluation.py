"""All metrics of scores and a threshold, given the truth."""

from angularpu.metrics.classification import Confusion
from angularpu.metrics.cuts import Score
from angularpu.metrics.precision_recall import PrecisionRecall
from angularpu.metrics.ranking import auc
from angularpu.scenario.sample import Truth


def evaluate(truth: Truth, score: Score, *, threshold: float) -> dict[str, float]:
    """Measure scores, and the decisions score > threshold, by the true classes.

    Parameters
    ----------
    truth : Truth
        True classes, both present.
    score : float array of shape (n,)
        Higher means more positive.
    threshold : float
        A row is called positive when its score lies strictly above.

    Returns
    -------
    dict of str to float
        ``accuracy``, ``precision``, ``recall``, ``f1`` at the threshold (0/0 counts as 0); ``auc``, ``ap``,
        ``recall_at_precision_90``, ``recall_at_precision_95`` of the ranking; ``best_f1``, the best F1 over all
        thresholds (F1*, an oracle's); and ``implied_prior``, the share of positives in the truth, which published
        metrics of one test set imply as well (:func:`angularpu.metrics.prior.implied_prior`).

    Examples
    --------
    >>> import numpy as np
    >>> metrics = evaluate(Truth(np.array([1, 1, 0, 0], np.int8)), np.array([0.9, 0.4, 0.6, 0.1]), threshold=0.5)
    >>> metrics["accuracy"], metrics["auc"], metrics["best_f1"]
    (0.5, 0.75, 0.8)
    """
    curve = PrecisionRecall.of(truth.y, score)
    confusion = Confusion.of(truth.y, score > threshold)
    return {
        "accuracy": confusion.accuracy,
        "precision": confusion.precision,
        "recall": confusion.recall,
        "f1": confusion.f1,
        "auc": auc(score[truth.y == 1], score[truth.y == 0]),
        "ap": curve.average_precision,
        "recall_at_precision_90": curve.recall_at(0.90),
        "recall_at_precision_95": curve.recall_at(0.95),
        "implied_prior": confusion.prior,
        "best_f1": float(curve.f1.max()),
    }
