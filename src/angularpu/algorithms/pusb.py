"""PUSB: learn the order of rows when the labelled positives were not picked at random.

Kato, Teshima and Honda, "Learning from Positive and Unlabeled Data with a Selection Bias", ICLR 2019.
docs/methods/pusb.md lists the differences; the threshold that goes with it is the rule ``prior=``.
"""

from angularpu.algorithms.nnpu import NNPU
from angularpu.nets.encoder import Encoder


class PUSB(NNPU):
    """Score a row by the logit g of nnPU's risk with the logistic loss, of which only the order is used.

    If the chance of a label grows with the chance of being positive (invariance of order), so does g.

    Parameters
    ----------
    encoder : Encoder
        Maps prepared rows to R^d; a linear head follows.
    alpha : float in (0, 1)
        pi, the share of positives among the unlabelled rows.
    beta, gamma : float
        As in nnPU, at least 0.
    """

    def __init__(self, encoder: Encoder, *, alpha: float, beta: float = 0.0, gamma: float = 1.0) -> None:
        super().__init__(encoder, alpha=alpha, loss="logistic", beta=beta, gamma=gamma)
