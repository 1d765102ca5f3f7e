"""ImbPU: nnPU as if positives and negatives were equally many.

Su, Chen and Xu, "Positive-Unlabeled Learning from Imbalanced Data", IJCAI 2021. docs/methods/imbpu.md lists the
differences.
"""

from angularpu.algorithms.base import PUBatch, Step
from angularpu.algorithms.risk import Loss, RiskAlgorithm, make_corrected_step
from angularpu.checks import check_share
from angularpu.nets.encoder import Encoder


class ImbPU(RiskAlgorithm):
    """Score a row by a logit g with the least non-negative risk in a population that has a share pi' of positives.

    With r = E_U l(g, -1) - pi E_P l(g, -1) and w = (1 - pi')/(1 - pi), the objective is pi' E_P l(g, +1) + w max(0, r).
    What is differentiated is pi' E_P l(g, +1) + w r while r >= 0, and -w r otherwise. With pi' = pi it is nnPU.

    Parameters
    ----------
    encoder : Encoder
        Maps prepared rows to R^d; a linear head follows.
    alpha : float in (0, 1)
        pi, the share of positives among the unlabelled rows.
    loss : {"sigmoid", "logistic"}
        l, the loss of one row.
    balanced_prior : float in (0, 1)
        pi', the share of positives that training pretends there is.
    """

    def __init__(self, encoder: Encoder, *, alpha: float, loss: Loss = "sigmoid", balanced_prior: float = 0.5) -> None:
        super().__init__(encoder, alpha=alpha, loss=loss)
        self.balanced_prior = check_share("balanced_prior", balanced_prior)

    def step(self, batch: PUBatch) -> Step:
        """Return the batch's objective, and the loss, which differs where r is below zero."""
        risks = self.estimate_risks(batch)
        weight = (1 - self.balanced_prior) / (1 - self.alpha)
        return make_corrected_step(self.balanced_prior * risks.positive, weight * risks.negative)
