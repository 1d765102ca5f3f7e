"""The naive method: every unlabelled row is taken as a negative.

On a sample that scenario/oracle.py made from the truth, the same code is the fully supervised method.
"""

from angularpu.algorithms.base import PUBatch, Step, sum_terms
from angularpu.algorithms.logit import LogitAlgorithm
from angularpu.losses.logistic import logistic_loss


class Naive(LogitAlgorithm):
    """Score a row by the logit g of labelled against unlabelled.

    The loss is the mean logistic loss over the batch, labelled rows as positives, unlabelled rows as negatives.

    Parameters
    ----------
    encoder : Encoder
        Maps prepared rows to R^d; a linear head follows.
    """

    learns_from_negatives = True

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
