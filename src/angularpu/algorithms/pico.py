"""PiCO: a labelled row is positive, an unlabelled row may be either; prototypes and contrast decide which.

Wang, Xiao, Li, Feng, Niu, Chen and Zhao, "PiCO: Contrastive Label Disambiguation for Partial Label Learning", ICLR
2022. A method for partial labels; docs/methods/pico.md says what it took to use it on PU data.
"""

import torch
from jaxtyping import Float, Int
from torch import Tensor, nn

from angularpu.algorithms.base import PUBatch, Step, View, sum_terms
from angularpu.algorithms.logit import LogitAlgorithm
from angularpu.algorithms.momentum_pair import MomentumPair, Seen
from angularpu.checks import check_range, check_whole
from angularpu.losses.contrastive import contrastive_loss, leave_out
from angularpu.nets.encoder import Encoder

PROTOTYPE_MOMENTUM = 0.99
FIRST_KEPT, LAST_KEPT = 0.95, 0.8


class PiCO(LogitAlgorithm):
    """Score a row by the difference g of the two classes' logits.

    L = 1/2 E_P H(1, g) + 1/2 E_U H(s, g) + strength L_cont. H is the cross-entropy and s a row's belief, moved after
    every batch towards the class of the nearest prototype. L_cont contrasts each query with its peers, the queries and
    keys of the same predicted class; in the first epoch its own key is its only peer.

    Parameters
    ----------
    encoder : Encoder
        Maps prepared rows to R^d; a linear head follows.
    queue : int
        Keys to remember, at least 1; never more than there are rows.
    temperature : float
        tau of the contrast, positive.
    strength : float
        Weight of the contrast, at least 0.
    """

    _seen: Seen

    def __init__(
        self, encoder: Encoder, *, queue: int = 1024, temperature: float = 0.07, strength: float = 0.5
    ) -> None:
        super().__init__(encoder)
        self.queue = check_whole("queue", queue, low=1)
        self.temperature = check_range("temperature", temperature, low=0, open_low=True)
        self.strength = check_range("strength", strength, low=0)

    def build_scaffold(self, n_rows: int) -> MomentumPair:
        """Return the momentum pair, every row believed to be positive by one half."""
        return MomentumPair(self.encoder, n_rows=n_rows, queue=self.queue, belief=0.5)

    def on_epoch_end(self, view: View) -> None:
        """Let prototypes decide from the second epoch on."""
        self._pair().started.fill_(1)

    def step(self, batch: PUBatch) -> Step:
        """Return L of a batch; the row itself is the query's view, an altered one the key's."""
        pair, n = self._pair(), batch.n_pos
        h = self.embed(batch.x)
        g, q = self.head(h)[:, 0], pair.make_queries(h)
        k = pair.make_keys(batch.make_view(batch.dense, batch.generator))
        labels = predict(g.detach(), n_pos=n)
        kept = FIRST_KEPT + batch.progress * (LAST_KEPT - FIRST_KEPT)
        beliefs = pair.revise(batch.index, q.detach(), n_pos=n, keep=kept)
        self._seen = Seen(batch.index, q.detach(), k, labels=labels, marks=labels, beliefs=beliefs)
        cost = nn.functional.binary_cross_entropy_with_logits(g, beliefs.to(g), reduction="none")
        terms = {
            "positive": batch.average_positives(cost[:n]) / 2,
            "unlabelled": batch.average_unlabelled(cost[n:]) / 2,
            "contrast": batch.reduce(self._contrast(pair, q, k=k, labels=labels).mean()),
        }
        loss = sum_terms(terms, contrast=self.strength)
        return Step(loss, loss, terms)

    def after_step(self, batch: PUBatch) -> None:
        """Move prototypes, beliefs, slow copies and queue by what the batch showed."""
        self._pair().update_from(self._seen, self.encoder, momentum=PROTOTYPE_MOMENTUM)
        del self._seen

    def _contrast(
        self, pair: MomentumPair, q: Float[Tensor, "n w"], *, k: Float[Tensor, "n w"], labels: Int[Tensor, " n"]
    ) -> Float[Tensor, " n"]:
        peers, excluded = pair.find_own(len(q)), pair.find_excluded(len(q))
        if pair.started:
            peers = (labels[:, None] == torch.cat([labels, labels, pair.marks])) & ~excluded
        else:
            excluded[:, : 2 * len(q)] |= ~peers[:, : 2 * len(q)]
        logits = q @ torch.cat([q, k, pair.keys]).T / self.temperature
        shares = peers.to(q) / peers.sum(1, keepdim=True)
        return contrastive_loss(logits, shares, log_weights=leave_out(excluded).to(q))

    def _pair(self) -> MomentumPair:
        return self.find_scaffold(MomentumPair)


def predict(g: Float[Tensor, " n"], *, n_pos: int) -> Int[Tensor, " n"]:
    """Return the class of each row: 1 for labelled rows, and for unlabelled ones that score above their mean.

    No row is ever known to be negative, so beliefs of one half pull every logit above 0: with a cut at 0 all rows would
    stay positive.

    >>> predict(torch.tensor([0.0, 3.0, 5.0]), n_pos=1)
    tensor([1, 0, 1])
    """
    labels = (g > g[n_pos:].mean()).long()
    labels[:n_pos] = 1
    return labels
