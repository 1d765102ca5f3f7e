"""How good predictions are, from positives and unlabelled rows alone."""

from dataclasses import dataclass, replace

import numpy as np

from angularpu.metrics.cuts import Score, check_scores
from angularpu.metrics.mixture import share_called, solve_fpr, solve_precision
from angularpu.metrics.pu import proxy_accuracy
from angularpu.scenario.proportions import Proportions, Target


@dataclass(frozen=True)
class PUConfusion:
    """The metrics of one threshold on the rows of a target, estimated without negatives.

    Nothing is clipped: recall, FPR, P(+) and accuracy are then right on average, and precision and F1, which divide by
    a count, nearly so where enough rows lie above the threshold (docs/metrics.md has the sizes). A precision above 1 or
    a negative FPR is chance, or comes from an alpha that is too high. None of the metrics is ever NaN.

    Attributes
    ----------
    recall : float in [0, 1]
        R, the share of the positives above the threshold (TPR).
    fpr : float
        (P_U(+) - alpha R)/(1 - alpha), the share of the negatives above it; the same for both targets.
    share_called : float in [0, 1]
        P(+), the share of the target above it.
    share : float in [0, 1]
        rho, the share of positives in the target: alpha of the unlabelled rows, pi of the population.
    target : {"population", "unlabelled"}
        The rows whose metrics these are.

    Examples
    --------
    >>> counts = PUConfusion(recall=0.75, fpr=0.25, share_called=0.5, share=0.5, target="unlabelled")
    >>> counts.precision, counts.f1, counts.accuracy
    (0.75, 0.75, 0.75)
    """

    recall: float
    fpr: float
    share_called: float
    share: float
    target: Target

    @property
    def precision(self) -> float:
        """The share of positives among the rows called positive, rho R/P(+).

        Where P(+) is 0: 1 if some labelled positive lies above the threshold, else 0.
        """
        return float(solve_precision(self.recall, self.share_called, share=self.share))

    @property
    def f1(self) -> float:
        """The harmonic mean of precision and recall, 2 rho R/(rho + P(+)); 0 where that would be 0/0."""
        whole = self.share + self.share_called
        return 2 * self.share * self.recall / whole if whole else 0.0

    @property
    def accuracy(self) -> float:
        """The share of the target whose prediction is right, rho R + (1 - rho)(1 - FPR)."""
        return self.share * self.recall + (1 - self.share) * (1 - self.fpr)

    @property
    def proxy_accuracy(self) -> float:
        """The accuracy plus rho, 2 rho R + 1 - P(+)."""
        return proxy_accuracy(self.recall, self.share_called, share=self.share)

    def clipped(self) -> "PUConfusion":
        """Return the nearest possible metrics: FPR clipped to [0, 1], and P(+) = rho R + (1 - rho) FPR.

        Precision, F1 and accuracy then lie in [0, 1] and still belong together. Show these; average the others.
        """
        fpr = min(max(self.fpr, 0.0), 1.0)
        return replace(self, fpr=fpr, share_called=self.share * self.recall + (1 - self.share) * fpr)


def estimate_confusion(
    score_pos: Score, score_unl: Score, *, threshold: float, shares: Proportions, target: Target = "population"
) -> PUConfusion:
    """Estimate recall, false positive rate, precision, F1 and accuracy of the decisions score > threshold.

    Parameters
    ----------
    score_pos : float array of shape (n_pos,)
        Scores of labelled positives that were not trained on.
    score_unl : float array of shape (n_unl,)
        Scores of unlabelled rows that were not trained on.
    threshold : float
        A row is called positive when its score lies strictly above.
    shares : Proportions
        Of the whole sample, of which the scored rows may be a part; alpha below 1.
    target : {"population", "unlabelled"}, default "population"
        The rows whose precision, F1 and accuracy are wanted.

    Examples
    --------
    >>> shares = Proportions(n_pos=2, n_unl=4, scenario="one-sample", alpha=0.25)
    >>> counts = estimate_confusion(np.array([3.0, 2.0]), np.array([3.0, 1.0, 2.0, 1.0]), threshold=1.5, shares=shares)
    >>> counts.recall, round(counts.fpr, 3), round(counts.precision, 3)
    (1.0, 0.333, 0.75)
    """
    check_scores(score_pos)
    check_scores(score_unl)
    recall, unl_share = float(np.mean(score_pos > threshold)), float(np.mean(score_unl > threshold))
    called = share_called(recall, unl_share, shares=shares, target=target)
    fpr = solve_fpr(recall, unl_share, alpha=shares.alpha)
    return PUConfusion(recall, float(fpr), float(called), shares.share(target), target)
