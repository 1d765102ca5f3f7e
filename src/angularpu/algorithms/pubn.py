r"""PUbN\N: a PU risk where a first network decides which rows stand for the negatives, and with what weight.

Hsieh, Niu and Sugiyama, "Classification from Positive, Unlabeled and Biased Negative Data", ICML 2019, in its form
without negatives. docs/methods/pubn.md lists the differences.
"""

import torch
from jaxtyping import Float
from torch import Tensor

from angularpu.algorithms.base import PUBatch, Step, sum_terms
from angularpu.algorithms.risk import estimate_risks, make_corrected_step
from angularpu.algorithms.two_step import TwoStepAlgorithm
from angularpu.checks import check_range, check_share
from angularpu.losses.logistic import logistic_loss
from angularpu.nets.encoder import Encoder

LEAST_SIGMA = 1e-6


class PUbN(TwoStepAlgorithm):
    """Score a row by the logit g of a second network, trained on rows that a first one has weighted.

    L = pi E_P [l(g, 1) + w l(g, -1)] + E_U [w l(g, -1)], with w = 1 - sigma for unlabelled rows of sigma at most eta,
    w = (1 - sigma)/sigma for labelled rows of greater sigma, and 0 elsewhere.

    Parameters
    ----------
    encoder : Encoder
        Maps prepared rows to R^d; a linear head follows.
    alpha : float
        pi, the share of positives among the unlabelled rows, in (0, 1).
    tau : float
        The share of the expected negatives, out of the unlabelled rows with the least sigma, that eta leaves in U.
    """

    def __init__(self, encoder: Encoder, *, alpha: float, tau: float = 0.9) -> None:
        super().__init__(encoder, alpha=check_share("alpha", alpha))
        self.tau = check_range("tau", tau, low=0, high=1)

    def first_step(self, batch: PUBatch, g: Float[Tensor, " n"]) -> Step:
        """Return nnPU's risk with the logistic loss."""
        risks = estimate_risks(batch, g, loss=logistic_loss, alpha=self.alpha)
        return make_corrected_step(self.alpha * risks.positive, risks.negative)

    def second_step(self, batch: PUBatch, g: Float[Tensor, " n"], *, weight: Float[Tensor, " n"]) -> Step:
        """Return L of a batch."""
        n = batch.n_pos
        as_negative = weight * logistic_loss(g, -1)
        terms = {
            "positive": self.alpha * batch.average_positives(logistic_loss(g[:n], 1)),
            "negative above eta": self.alpha * batch.average_positives(as_negative[:n]),
            "negative below eta": batch.average_unlabelled(as_negative[n:]),
        }
        loss = sum_terms(terms)
        return Step(loss, loss, terms)

    def weigh(
        self, pos: Float[Tensor, " p"], unl: Float[Tensor, " u"]
    ) -> tuple[Float[Tensor, " p"], Float[Tensor, " u"]]:
        """Return w of labelled and unlabelled rows; eta is the (1 - pi) tau quantile of sigma over U."""
        eta = unl.kthvalue(max(1, round((1 - self.alpha) * self.tau * len(unl)))).values
        above = (1 - pos) / pos.clamp(min=LEAST_SIGMA)
        return torch.where(pos > eta, above, 0), torch.where(unl <= eta, 1 - unl, 0)
