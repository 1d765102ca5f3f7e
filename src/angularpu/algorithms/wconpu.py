"""In the style of WConPU: prototypes and contrast that start from alpha, weighted by how hard a negative is.

Yuan, Gong, Tao and Yang, "Weighted Contrastive Learning With Hard Negative Mining for Positive and Unlabeled
Learning", TNNLS 2025. The authors' code is not public: docs/methods/wconpu.md lists what is ours.
"""

import torch
from jaxtyping import Bool, Float, Int
from torch import Tensor, nn

from angularpu.algorithms.base import PUBatch, Step, View, sum_terms
from angularpu.algorithms.logit import LogitAlgorithm
from angularpu.algorithms.momentum_pair import EMPTY, Seen
from angularpu.algorithms.threshold_pair import ThresholdPair
from angularpu.checks import check_range, check_share, check_whole
from angularpu.losses.contrastive import contrastive_loss, leave_out
from angularpu.losses.hard_negatives import find_hard, weigh
from angularpu.nets.encoder import Encoder

PROTOTYPE_MOMENTUM = 0.999
KEPT = 0.9
UNSURE = 2


class WConPU(LogitAlgorithm):
    """Score a row by the difference g of the two classes' logits.

    L = mean H(s, g) + gamma0 L_con + gamma1 [2 pi |mean_P p - 1| + |mean_U p - pi|] with p = sigma(g). The beliefs s
    of unlabelled rows begin at pi and follow the prototypes as PiCO's do. In L_con peers are the confident candidates
    of the same predicted class, and of all others only the hard negatives count, each with weight 1 / DisSim.

    Parameters
    ----------
    encoder : Encoder
        Maps prepared rows to R^d; a linear head follows.
    alpha : float
        pi, the share of positives among the unlabelled rows, in (0, 1).
    queue : int
        Keys to remember, at least 1; never more than there are rows.
    temperature : float
        rho of the contrast, positive.
    gamma0 : float
        Weight of the contrast, at least 0.
    gamma1 : float
        Weight of the alignment, at least 0.
    """

    _seen: Seen
    _p: Tensor

    def __init__(
        self,
        encoder: Encoder,
        *,
        alpha: float,
        queue: int = 1024,
        temperature: float = 0.07,
        gamma0: float = 0.1,
        gamma1: float = 1.0,
    ) -> None:
        super().__init__(encoder)
        self.alpha = check_share("alpha", alpha)
        self.queue = check_whole("queue", queue, low=1)
        self.temperature = check_range("temperature", temperature, low=0, open_low=True)
        self.gamma0 = check_range("gamma0", gamma0, low=0)
        self.gamma1 = check_range("gamma1", gamma1, low=0)

    def build_scaffold(self, n_rows: int) -> ThresholdPair:
        """Return the momentum pair, every row believed to be positive by alpha."""
        return ThresholdPair(self.encoder, n_rows=n_rows, queue=self.queue, belief=self.alpha)

    def on_epoch_end(self, view: View) -> None:
        """Let prototypes decide from the second epoch on."""
        self._pair().started.fill_(1)

    def step(self, batch: PUBatch) -> Step:
        """Return L of a batch; the row itself is the query's view, an altered one the key's."""
        pair, n = self._pair(), batch.n_pos
        h = self.embed(batch.x)
        g, q = self.head(h)[:, 0], pair.make_queries(h)
        k = pair.make_keys(batch.make_view(batch.dense, batch.generator))
        p = torch.sigmoid(g)
        labels, marks = self._predict(pair, p.detach(), n_pos=n)
        beliefs = pair.revise(batch.index, q.detach(), n_pos=n, keep=KEPT)
        self._seen = Seen(batch.index, q.detach(), k, labels=labels, marks=marks, beliefs=beliefs)
        self._p = p.detach()[n:]
        terms = {
            "classes": batch.reduce(nn.functional.binary_cross_entropy_with_logits(g, beliefs.to(g))),
            "contrast": batch.reduce(self._contrast(pair, q, k=k, labels=labels, marks=marks).mean()),
            "alignment": self._align(batch, p),
        }
        loss = sum_terms(terms, contrast=self.gamma0, alignment=self.gamma1)
        return Step(loss, loss, terms)

    def after_step(self, batch: PUBatch) -> None:
        """Move prototypes, beliefs, slow copies, queue and thresholds by what the batch showed."""
        pair = self._pair()
        pair.update_from(self._seen, self.encoder, momentum=PROTOTYPE_MOMENTUM)
        pair.adapt(self._p)
        del self._seen, self._p

    def _predict(
        self, pair: ThresholdPair, p: Float[Tensor, " n"], *, n_pos: int
    ) -> tuple[Int[Tensor, " n"], Int[Tensor, " n"]]:
        """Return the class of each row, and the same with UNSURE where the confidence is below the threshold."""
        labels = (p > 0.5).long()
        labels[:n_pos] = 1
        sure = torch.maximum(p, 1 - p) >= pair.thresholds()[labels]
        sure[:n_pos] = True
        return labels, torch.where(sure, labels, UNSURE)

    def _align(self, batch: PUBatch, p: Float[Tensor, " n"]) -> Float[Tensor, ""]:
        """Return 2 pi |mean_P p - 1| + |mean_U p - pi|, the latter where the batch has unlabelled rows."""
        n = batch.n_pos
        below_one = 2 * self.alpha * batch.average_positives(1 - p[:n])
        if n == len(p):
            return below_one
        return below_one + (batch.average_unlabelled(p[n:]) - self.alpha).abs()

    def _contrast(
        self,
        pair: ThresholdPair,
        q: Float[Tensor, "n w"],
        *,
        k: Float[Tensor, "n w"],
        labels: Int[Tensor, " n"],
        marks: Int[Tensor, " n"],
    ) -> Float[Tensor, " n"]:
        own, excluded = pair.find_own(len(q)), pair.find_excluded(len(q))
        cosine = q @ torch.cat([q, k, pair.keys]).T
        if pair.started:
            peers = (labels[:, None] == torch.cat([marks, marks, pair.marks])) & ~excluded | own
            hard = find_hard(cosine[:, 2 * len(q) :].detach(), other=self._find_other(pair, q.detach()))
            log_weights = weigh(cosine.detach(), peers, hard=nn.functional.pad(hard, (2 * len(q), 0)))
        else:
            peers = own
            excluded[:, : 2 * len(q)] |= ~own[:, : 2 * len(q)]
            log_weights = leave_out(excluded)
        shares = peers.to(q) / peers.sum(1, keepdim=True)
        return contrastive_loss(cosine / self.temperature, shares, log_weights=log_weights.to(q))

    def _find_other(self, pair: ThresholdPair, q: Float[Tensor, "n w"]) -> Bool[Tensor, "n k"]:
        """Mark the keys of the queue whose nearest prototype is not the query's."""
        return (pair.assign(q)[:, None] != pair.assign(pair.keys)) & (pair.marks != EMPTY)

    def _pair(self) -> ThresholdPair:
        return self.find_scaffold(ThresholdPair)
