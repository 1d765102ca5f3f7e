"""In the style of Dense-PU: a row far from the densified positives is taken as a negative.

Sevetlidis, Pavlidis, Mouroutsos and Gasteratos, "Dense-PU: Learning a Density-Based Boundary for Positive and
Unlabeled Learning", IEEE Access 2024. The authors' code is not public: docs/methods/dense_pu.md lists what is ours.
"""

import torch
from jaxtyping import Bool, Float
from torch import Tensor

from angularpu.algorithms.autoencoding import Decoder, densify
from angularpu.algorithms.base import Phase, PUBatch, Step, View, sum_terms
from angularpu.algorithms.logit import LogitAlgorithm
from angularpu.checks import check_range
from angularpu.losses.logistic import logistic_loss
from angularpu.nets.encoder import Encoder

REBUILD, CLASSIFY = "rebuild", "classify"
LEAST_SHARE = 0.1


class DensePU(LogitAlgorithm):
    """Score a row by the logit g of labelled positives against the unlabelled rows far from them.

    First an autoencoder learns the positives, min E_P |x - D(f(x))|^2. Their codes and the midpoints between
    neighbours make the dense set. A row's distance from it is |x - D(z)|^2 / |x|^2, with z the code in the set that is
    nearest to f(x): the share of the row that it leaves unexplained. N are the unlabelled rows farther than the share
    ``recall`` of positives. Then L = E_P l(g, +1) + E_N l(g, -1) with the logistic loss l.

    Parameters
    ----------
    encoder : Encoder
        Maps prepared rows to R^d; a linear head follows. Its first linear or convolutional
        layer must read the row itself.
    recall : float
        Share of the positives that the cut-off leaves near enough, in (0, 1].
    """

    def __init__(self, encoder: Encoder, *, recall: float = 0.95) -> None:
        super().__init__(encoder)
        self.recall = check_range("recall", recall, low=0, high=1, open_low=True)

    def build_scaffold(self, n_rows: int) -> Decoder:
        """Return the decoder, with no negatives yet."""
        return Decoder(self.encoder, n_rows=n_rows)

    def phases(self, *, epochs: int, learning_rate: float) -> tuple[Phase, ...]:
        """Return the autoencoder's phase, a third of the epochs, and the classifier's.

        The first takes its positives out of paired batches, so that it makes as many updates as the second.
        """
        rebuild = max(1, epochs // 3)
        return (
            Phase(REBUILD, rebuild, learning_rate, selects=False, batches="paired"),
            Phase(CLASSIFY, max(1, epochs - rebuild), learning_rate),
        )

    def score(self, x: Float[Tensor, "n ..."]) -> Float[Tensor, " n"]:
        """Return the logit g; before the negatives are known, how near a row is to the positives."""
        decoder = self.scaffold
        if isinstance(decoder, Decoder) and not decoder.negative.any():
            return -decoder.measure(x, self.embed(x))
        return super().score(x)

    def begin_phase(self, view: View) -> None:
        """Find the negatives among the unlabelled rows, once the autoencoder has learnt.

        Each half of the positives is measured against the other half, densified: so far away lies a positive that is
        not in the set itself.
        """
        if view.phase != CLASSIFY:
            return
        decoder, codes = self._decoder(), view.embeddings("positives")
        known = []
        for one, other in ((0, 1), (1, 0)) if len(codes) > 1 else ():
            decoder.dense = densify(codes[one::2]).to(decoder.negative)
            known.append(-view.scores("positives")[other::2])
        decoder.dense = densify(codes).to(decoder.negative)
        far = find_far(-view.scores("unlabelled"), torch.cat([codes.new_empty(0), *known]), recall=self.recall)
        decoder.dense = None
        decoder.negative[view.index("unlabelled")] = far.to(decoder.negative)

    def step(self, batch: PUBatch) -> Step:
        """Return the autoencoder's loss or the classifier's."""
        decoder, n = self._decoder(), batch.n_pos
        if batch.phase == REBUILD:
            x = batch.dense[:n]
            loss = batch.average_positives(decoder.rebuild_error(x, self.embed(x)))
            return Step(loss, loss)
        g = super().score(batch.x)
        far = decoder.negative[batch.index[n:].to(g.device)] > 0
        terms = {
            "positive": batch.average_positives(logistic_loss(g[:n], 1)),
            "negative": batch.average_unlabelled(logistic_loss(g[n:][far], -1)),
        }
        loss = sum_terms(terms)
        return Step(loss, loss, terms)

    def _decoder(self) -> Decoder:
        return self.find_scaffold(Decoder)


def find_far(distance: Float[Tensor, " u"], known: Float[Tensor, " p"], *, recall: float) -> Bool[Tensor, " u"]:
    """Tell which unlabelled rows lie farther than the share ``recall`` of the positives.

    At least a tenth of them is taken, the farthest, so that the classifier has negatives whatever the distances are.

    Parameters
    ----------
    distance, known : Tensor
        How far the unlabelled rows and the positives lie from the dense set; without positives, only the tenth.
    recall : float in (0, 1]

    Examples
    --------
    >>> find_far(torch.tensor([0.5, 2.0, 9.0, 0.1]), torch.tensor([1.0, 2.0, 3.0]), recall=0.5)
    tensor([False,  True,  True, False])
    """
    cut = distance.topk(max(1, round(LEAST_SHARE * len(distance)))).values[-1]
    return distance >= (torch.minimum(cut, known.quantile(recall)) if len(known) else cut)
