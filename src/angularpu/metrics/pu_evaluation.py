"""All metrics of scores and a threshold, without the truth."""

from angularpu.metrics.cuts import Score
from angularpu.metrics.pu import area_under_lift, correct_auc, pu_auc
from angularpu.metrics.pu_average_precision import estimate_average_precision
from angularpu.metrics.pu_confusion import estimate_confusion
from angularpu.metrics.pu_risk import nnpu_risk, upu_risk
from angularpu.scenario.proportions import Proportions, Target


def evaluate_pu(
    score_pos: Score, score_unl: Score, *, threshold: float, shares: Proportions, target: Target = "population"
) -> dict[str, float]:
    """Estimate what :func:`angularpu.metrics.evaluation.evaluate` measures, from positives and unlabelled rows alone.

    Parameters
    ----------
    score_pos : float array of shape (n_pos,)
        Scores of labelled positives that were not trained on.
    score_unl : float array of shape (n_unl,)
        Scores of unlabelled rows that were not trained on.
    threshold : float
        A row is called positive when its score lies strictly above.
    shares : Proportions
        Of the whole sample; alpha below 1.
    target : {"population", "unlabelled"}, default "population"
        The rows whose metrics are wanted.

    Returns
    -------
    dict of str to float
        ``recall``, ``fpr``, ``share_called``, ``precision``, ``f1``, ``accuracy``, ``proxy_accuracy`` at the threshold;
        ``auc``, ``aul``, ``ap`` of the ranking; ``upu_risk`` and ``nnpu_risk``, the sigmoid loss of score - threshold.
        None is clipped; ``ap`` lies in [0, 1] by itself.

    Examples
    --------
    >>> import numpy as np
    >>> shares = Proportions(n_pos=2, n_unl=4, scenario="two-sample", alpha=0.5)
    >>> metrics = evaluate_pu(np.array([3.0, 2.0]), np.array([3.0, 2.0, 1.0, 0.0]), threshold=1.5, shares=shares)
    >>> metrics["auc"], metrics["f1"], metrics["aul"]
    (1.0, 1.0, 0.75)
    """
    found = evaluate_without_ap(score_pos, score_unl, threshold=threshold, shares=shares, target=target)
    return {**found, "ap": estimate_average_precision(score_pos, score_unl, shares=shares, target=target)}


def evaluate_without_ap(
    score_pos: Score, score_unl: Score, *, threshold: float, shares: Proportions, target: Target = "population"
) -> dict[str, float]:
    """Estimate all but the average precision, which takes longer than the rest together; see :func:`evaluate_pu`."""
    counts = estimate_confusion(score_pos, score_unl, threshold=threshold, shares=shares, target=target)
    auc = correct_auc(pu_auc(score_pos, score_unl), alpha=shares.alpha)
    margins = score_pos - threshold, score_unl - threshold
    return {
        "recall": counts.recall,
        "fpr": counts.fpr,
        "share_called": counts.share_called,
        "precision": counts.precision,
        "f1": counts.f1,
        "accuracy": counts.accuracy,
        "proxy_accuracy": counts.proxy_accuracy,
        "auc": auc,
        "aul": area_under_lift(auc, share=counts.share),
        "upu_risk": upu_risk(*margins, shares=shares, target=target),
        "nnpu_risk": nnpu_risk(*margins, shares=shares, target=target),
    }
