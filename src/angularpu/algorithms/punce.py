"""puNCE: contrast first, with unlabelled anchors that lean towards the positives by alpha, then a classifier.

Acharya, Sanghavi, Jing, Bhushanam, Choudhary, Rabbat and Dhillon, "Positive Unlabeled Contrastive Learning", 2022.
docs/methods/punce.md lists the differences.
"""

from typing import Literal

import torch
from torch import Tensor, nn

from angularpu.algorithms.base import Phase, PUBatch, Step, View
from angularpu.algorithms.logit import LogitAlgorithm
from angularpu.algorithms.projector import make_projector
from angularpu.algorithms.risk import estimate_risks, make_corrected_step
from angularpu.algorithms.two_means import cluster
from angularpu.checks import check_choice, check_range, check_share
from angularpu.geometry.sphere import normalise
from angularpu.losses.pu_contrast import punce_loss
from angularpu.losses.sigmoid import sigmoid_loss
from angularpu.nets.encoder import Encoder

CONTRAST, PROBE = "contrast", "probe"
PROBE_RATE = 10.0  # a head alone on frozen features needs larger steps


class Projection(nn.Module):
    """The projector of the first phase, and the rows' pseudo-labels for the second."""

    pseudo: Tensor

    def __init__(self, d: int, *, n_rows: int) -> None:
        super().__init__()
        self.projector = make_projector(d)
        self.register_buffer("pseudo", torch.zeros(n_rows))


class PuNCE(LogitAlgorithm):
    """Score a row by a logit g on features that were first learnt by contrast.

    Phase 1, over two views of every row: nll_ij = -log [exp(z_i.z_j / tau) / sum_{k != i} exp(z_i.z_k / tau)]; a
    labelled anchor costs its mean nll to the other labelled views, an unlabelled one (nll to its other view + pi mean
    nll to the labelled views) / (1 + pi). Phase 2: nnPU's risk, or pseudo-labels.

    Parameters
    ----------
    encoder : Encoder
        Maps prepared rows to R^d; a linear head follows.
    alpha : float
        pi, the share of positives among the unlabelled rows, in (0, 1).
    temperature : float
        tau of the contrast, positive.
    probe : {"finetune", "linear", "pupl"}
        What the second phase trains: encoder and head by nnPU's risk; the head alone by that; or the head alone by
        cross-entropy with pseudo-labels, the nearer of two clusters.
    """

    def __init__(
        self,
        encoder: Encoder,
        *,
        alpha: float,
        temperature: float = 0.5,
        probe: Literal["finetune", "linear", "pupl"] = "finetune",
    ) -> None:
        super().__init__(encoder)
        self.alpha = check_share("alpha", alpha)
        self.temperature = check_range("temperature", temperature, low=0, open_low=True)
        self.probe = check_choice("probe", probe, ("finetune", "linear", "pupl"))

    def build_scaffold(self, n_rows: int) -> Projection:
        """Return the projector."""
        return Projection(self.encoder.d, n_rows=n_rows)

    def phases(self, *, epochs: int, learning_rate: float) -> tuple[Phase, ...]:
        """Return the contrast, half of the epochs, and the classifier."""
        contrast = max(1, epochs // 2)
        rate = learning_rate if self.probe == "finetune" else PROBE_RATE * learning_rate
        return (
            Phase(CONTRAST, contrast, learning_rate, selects=False, batches="paired"),
            Phase(PROBE, max(1, epochs - contrast), rate),
        )

    def begin_phase(self, view: View) -> None:
        """Find the pseudo-labels for the second phase, where they are asked for."""
        if view.phase == PROBE and self.probe == "pupl":
            projection = self._projection()
            pos, unl = normalise(view.embeddings("positives")), normalise(view.embeddings("unlabelled"))
            projection.pseudo[view.index("unlabelled")] = cluster(pos, unl).to(projection.pseudo)
            projection.pseudo[view.index("positives")] = 1

    def step(self, batch: PUBatch) -> Step:
        """Return the loss of the phase."""
        projection = self._projection()
        if batch.phase == CONTRAST:
            z = normalise(projection.projector(self.embed(torch.cat(batch.views))))
            loss = batch.reduce(punce_loss(z, batch.n_pos, alpha=self.alpha, temperature=self.temperature))
            return Step(loss, loss)
        g = self.score(batch.x) if self.probe == "finetune" else self._score_frozen(batch.x)
        if self.probe == "pupl":
            pseudo = projection.pseudo[batch.index.to(g.device)].to(g)
            loss = batch.reduce(nn.functional.binary_cross_entropy_with_logits(g, pseudo))
            return Step(loss, loss)
        risks = estimate_risks(batch, g, loss=sigmoid_loss, alpha=self.alpha)
        return make_corrected_step(self.alpha * risks.positive, risks.negative)

    def _score_frozen(self, x: Tensor) -> Tensor:
        """Return g with a gradient in the head alone; the encoder's batch statistics stay as they are, too."""
        self.encoder.eval()
        with torch.no_grad():
            h = self.embed(x)
        logit: Tensor = self.head(h)[:, 0]
        return logit

    def _projection(self) -> Projection:
        return self.find_scaffold(Projection)
