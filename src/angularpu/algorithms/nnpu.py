"""nnPU: uPU that steps back as soon as the negatives' part of the risk falls below zero.

Kiryo, Niu, du Plessis and Sugiyama, "Positive-Unlabeled Learning with Non-Negative Risk Estimator", NeurIPS 2017.
docs/methods/nnpu.md lists the differences.
"""

from angularpu.algorithms.base import PUBatch, Step
from angularpu.algorithms.risk import Loss, RiskAlgorithm, make_corrected_step
from angularpu.checks import check_range
from angularpu.nets.encoder import Encoder


class NNPU(RiskAlgorithm):
    """Score a row by a logit g with the least non-negative risk.

    With r = E_U l(g, -1) - pi E_P l(g, -1), the objective is pi E_P l(g, +1) + max(-beta, r). What is differentiated is
    pi E_P l(g, +1) + r while r >= -beta, and -gamma r otherwise.

    Parameters
    ----------
    encoder : Encoder
        Maps prepared rows to R^d; a linear head follows.
    alpha : float in (0, 1)
        pi, the share of positives among the unlabelled rows.
    loss : {"sigmoid", "logistic"}
        l, the loss of one row.
    beta : float
        How far below zero r may fall, at least 0.
    gamma : float
        How large the step back is, at least 0.
    """

    def __init__(
        self, encoder: Encoder, *, alpha: float, loss: Loss = "sigmoid", beta: float = 0.0, gamma: float = 1.0
    ) -> None:
        super().__init__(encoder, alpha=alpha, loss=loss)
        self.beta = check_range("beta", beta, low=0)
        self.gamma = check_range("gamma", gamma, low=0)

    def step(self, batch: PUBatch) -> Step:
        """Return the batch's objective, and the loss, which differs where r is too low."""
        risks = self.estimate_risks(batch)
        return make_corrected_step(self.alpha * risks.positive, risks.negative, beta=self.beta, gamma=self.gamma)
