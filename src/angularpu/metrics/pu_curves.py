"""ROC and precision-recall curves from positives and unlabelled rows alone."""

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from angularpu.metrics.cuts import Score, list_cuts
from angularpu.metrics.mixture import share_called, solve_fpr, solve_precision
from angularpu.scenario.proportions import Proportions, Target

Curve = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class PUCurve:
    """Recall, false positive rate and precision at every cut of a ranking, from none called positive to all.

    (fpr, recall) is the corrected ROC curve, (recall, precision) the corrected precision-recall curve. Neither is
    clipped, and fpr need not rise, because alpha R is subtracted from the counts. The topmost points, of few rows,
    may lie anywhere; for the area under (recall, precision) see
    :func:`~angularpu.metrics.pu_average_precision.estimate_average_precision`.

    Attributes
    ----------
    threshold : float array of shape (m + 1,)
        Descending; rows strictly above are called positive. First the highest score, last minus infinity.
    recall : array of shape (m + 1,)
        R, the share of the labelled positives above.
    fpr : array of shape (m + 1,)
        (P_U(+) - alpha R)/(1 - alpha).
    precision : array of shape (m + 1,)
        rho R/P(+) of the target; 1 at the first cut, by convention.
    share : float in [0, 1]
        rho, the share of positives in the target.

    Examples
    --------
    >>> shares = Proportions(n_pos=2, n_unl=4, scenario="two-sample", alpha=0.5)
    >>> curve = trace_curve(np.array([3.0, 2.0]), np.array([3.0, 2.0, 1.0, 0.0]), shares=shares)
    >>> curve.recall, curve.fpr
    (array([0. , 0.5, 1. , 1. , 1. ]), array([0. , 0. , 0. , 0.5, 1. ]))
    >>> curve.auc
    1.0
    """

    threshold: Curve
    recall: Curve
    fpr: Curve
    precision: Curve
    share: float

    @property
    def auc(self) -> float:
        """The area under the ROC curve; unclipped it equals (AUC_PU - alpha/2)/(1 - alpha)."""
        return float(np.sum(np.diff(self.fpr) * (self.recall[1:] + self.recall[:-1]) / 2))

    def clipped(self) -> "PUCurve":
        """Return a curve to draw: fpr rises (its running maximum) within [0, 1], and precision follows from it."""
        fpr = np.clip(np.maximum.accumulate(self.fpr), 0.0, 1.0)
        called = self.share * self.recall + (1 - self.share) * fpr
        return replace(self, fpr=fpr, precision=_begin_with_one(solve_precision(self.recall, called, share=self.share)))


def trace_curve(score_pos: Score, score_unl: Score, *, shares: Proportions, target: Target = "population") -> PUCurve:
    """Trace the corrected ROC and precision-recall curves of a score.

    Parameters
    ----------
    score_pos : float array of shape (n_pos,)
        Scores of labelled positives that were not trained on.
    score_unl : float array of shape (n_unl,)
        Scores of unlabelled rows that were not trained on.
    shares : Proportions
        Of the whole sample; alpha below 1.
    target : {"population", "unlabelled"}, default "population"
        The rows whose precision is wanted; the ROC curve is the same for both.

    Returns
    -------
    PUCurve
        One point more than there are distinct scores.
    """
    cuts = list_cuts(score_pos, score_unl)
    recall = cuts.pos_above[::-1] / len(score_pos)
    unl_share = cuts.rest_above[::-1] / len(score_unl)
    share = shares.share(target)
    called = share_called(recall, unl_share, shares=shares, target=target)
    return PUCurve(
        threshold=np.append(cuts.value[::-1], -np.inf).astype(np.float64),
        recall=recall,
        fpr=solve_fpr(recall, unl_share, alpha=shares.alpha),
        precision=_begin_with_one(solve_precision(recall, called, share=share)),
        share=share,
    )


def _begin_with_one(precision: Curve) -> Curve:
    return np.append(1.0, precision[1:])
