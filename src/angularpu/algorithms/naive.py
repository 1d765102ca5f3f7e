"""The naive end: every unlabelled row is taken as a negative.

On a sample that scenario/oracle.py made from the truth, the same code is the fully supervised end.
"""

from jaxtyping import Float
from torch import Tensor, nn

from angularpu.algorithms.base import Algorithm, PUBatch, Step, sum_terms
from angularpu.losses.logistic import logistic_loss
from angularpu.nets.encoder import Encoder


class Naive(Algorithm):
    """Score a row by the logit g of labelled against unlabelled.

    The loss is the mean logistic loss over the batch, labelled rows as positives, unlabelled rows as negatives.

    Parameters
    ----------
    encoder : Encoder
        Maps prepared rows to R^d; a linear head follows.
    """

    def __init__(self, encoder: Encoder) -> None:
        super().__init__()
        self.encoder = encoder
        self.head = nn.Linear(encoder.d, 1)

    def embed(self, x: Float[Tensor, "n ..."]) -> Float[Tensor, "n d"]:
        """Return f(x), after the ReLU that the head sees."""
        return nn.functional.relu(self.encoder(x))

    def score(self, x: Float[Tensor, "n ..."]) -> Float[Tensor, " n"]:
        """Return the logit g."""
        logit: Tensor = self.head(self.embed(x))[:, 0]
        return logit

    def step(self, batch: PUBatch) -> Step:
        """Return the mean logistic loss of the batch."""
        g = self.score(batch.x)
        n = len(g)
        terms = {
            "positive": batch.reduce(logistic_loss(g[: batch.n_pos], 1).sum() / n),
            "unlabelled": batch.reduce(logistic_loss(g[batch.n_pos :], -1).sum() / n),
        }
        loss = sum_terms(terms)
        return Step(loss, loss, terms)
