"""uPU: an unbiased estimate of a classifier's risk from positives and unlabelled rows.

Du Plessis, Niu and Sugiyama, "Analysis of Learning from Positive and Unlabeled Data", NeurIPS 2014, and "Convex
Formulation for Learning from Positive and Unlabeled Data", ICML 2015. docs/methods/upu.md lists the differences.
"""

from angularpu.algorithms.base import PUBatch, Step, sum_terms
from angularpu.algorithms.risk import RiskAlgorithm


class UPU(RiskAlgorithm):
    """Score a row by a logit g with the least unbiased risk.

    L = pi E_P l(g, +1) + E_U l(g, -1) - pi E_P l(g, -1).

    The parameters are those of :class:`RiskAlgorithm`. With the logistic loss L is the convex formulation of 2015,
    -pi E_P g + E_U l(g, -1), which has no lower bound for a network that memorises P.
    """

    def step(self, batch: PUBatch) -> Step:
        """Return L of a batch."""
        risks = self.estimate_risks(batch)
        terms = {"positive": self.alpha * risks.positive, "negative": risks.negative}
        loss = sum_terms(terms)
        return Step(loss, loss, terms)
