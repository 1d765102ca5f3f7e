"""TED^n: in turn estimate the share of positives, discard that share of the unlabelled rows, and train.

Garg, Wu, Smola, Balakrishnan and Lipton, "Mixture Proportion Estimation and PU Learning: A Modern Approach", NeurIPS
2021. docs/methods/tedn.md lists the differences.
"""

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from angularpu.algorithms.base import Phase, PUBatch, Step, View, sum_terms
from angularpu.algorithms.logit import LogitAlgorithm
from angularpu.algorithms.row_values import RowValues
from angularpu.errors import DataError
from angularpu.losses.logistic import logistic_loss
from angularpu.nets.encoder import Encoder
from angularpu.priors.bbe import estimate_bbe
from angularpu.priors.inputs import LEAST_POSITIVES

WARM_UP, DISCARD = "warm-up", "discard"


class TEDn(LogitAlgorithm):
    """Score a row by the logit g of positives against the unlabelled rows that do not look positive.

    L = 1/2 E_P l(g, +1) + 1/2 E_K l(g, -1), with K the unlabelled rows but the share alpha that scores highest (CVIR),
    and alpha the best bin estimate after every epoch. During the warm-up K is all of U.

    Parameters
    ----------
    encoder : Encoder
        Maps prepared rows to R^d; a linear head follows.
    """

    alpha: Tensor

    def __init__(self, encoder: Encoder) -> None:
        super().__init__(encoder)
        self.register_buffer("alpha", torch.tensor(0.0))

    def build_scaffold(self, n_rows: int) -> RowValues:
        """Return K as a mask: 1 for rows to keep, at first all, and 0 for those to discard."""
        return RowValues(n_rows, start=1.0)

    def phases(self, *, epochs: int, learning_rate: float) -> tuple[Phase, ...]:
        """Return the warm-up, a third of the epochs, and the phase that discards rows."""
        warm_up = max(1, epochs // 3)
        return (
            Phase(WARM_UP, warm_up, learning_rate, selects=False),
            Phase(DISCARD, max(1, epochs - warm_up), learning_rate),
        )

    def step(self, batch: PUBatch) -> Step:
        """Return L of a batch."""
        g = self.score(batch.x)
        n = batch.n_pos
        kept = self.find_scaffold(RowValues).get(batch.index[n:]) > 0
        terms = {
            "positive": batch.average_positives(logistic_loss(g[:n], 1)) / 2,
            "unlabelled": batch.average_unlabelled(logistic_loss(g[n:][kept], -1)) / 2,
        }
        loss = sum_terms(terms)
        return Step(loss, loss, {**terms, "alpha": self.alpha})

    def begin_phase(self, view: View) -> None:
        """Discard once the warm-up is over."""
        if view.phase == DISCARD:
            self._discard(view)

    def on_epoch_end(self, view: View) -> None:
        """Estimate alpha again, and discard by it."""
        try:
            self.alpha.fill_(estimate_bbe(*_choose_scores(view)).alpha)
        except DataError:  # too few positives, or a network that gives all rows one score: alpha stays as it was
            return
        if view.phase == DISCARD:
            self._discard(view)

    def _discard(self, view: View) -> None:
        index, scores = view.index("unlabelled"), view.scores("unlabelled")
        kept = torch.ones_like(scores)
        kept[scores.topk(round(self.alpha.item() * len(scores))).indices] = 0
        self.find_scaffold(RowValues).put(index, kept)


def _choose_scores(view: View) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
    """Return the scores to estimate from: of rows held out where positives suffice, otherwise of the training rows."""
    held = view.held_scores()
    if held is None or len(held[0]) < LEAST_POSITIVES:
        held = view.scores("positives"), view.scores("unlabelled")
    return held[0].numpy(), held[1].numpy()
