"""Dist-PU: the share of rows called positive must be right, and each call be sure.

Zhao, Xu, Jiang, Wen and Huang, "Dist-PU: Positive-Unlabeled Learning from a Label Distribution Perspective", CVPR 2022.
docs/methods/dist_pu.md lists the differences.
"""

import math

import torch
from jaxtyping import Float
from torch import Tensor

from angularpu.algorithms.base import Phase, PUBatch, Step, View, sum_terms
from angularpu.algorithms.logit import LogitAlgorithm
from angularpu.algorithms.row_values import RowValues
from angularpu.checks import check_range, check_share
from angularpu.losses.label_distribution import binary_entropy, misalign, soft_cross_entropy
from angularpu.nets.encoder import Encoder

WARM_UP_ENTROPY = 0.002
SLOWER = 10  # the mixing phase learns at a tenth of the rate
LARGEST_LOGIT = 10.0
MIXING_SHAPE = 6


class PseudoLabels(RowValues):
    """How positive each row was when it was last seen, and whether such labels are in use yet."""

    mixing: Tensor

    def __init__(self, n_rows: int) -> None:
        super().__init__(n_rows, start=1.0)
        self.register_buffer("mixing", torch.tensor(0))


class DistPU(LogitAlgorithm):
    """Score a row by a logit g whose mean sigma(g) is pi over U and 1 over P.

    With s = sigma(g), H the binary entropy and L_lab = |mean_P s - 1| + |mean_U s - pi|/(2 pi), the warm-up brings down
    L_lab + 0.002 H(U), the second phase L_lab + mu_t H(U) + a H(mixed) + b BCE(mixed), where mu_t grows as
    mu (1 - cos(t/T pi/2)) over the phase's T updates. Mixed rows are lambda x + (1 - lambda) x', lambda drawn from
    Beta(6, 6) for each batch; their targets mix pseudo-labels alike: 1 for P, s when last seen for U.

    Parameters
    ----------
    encoder : Encoder
        Maps prepared rows to R^d; a linear head follows.
    prior : float in (0, 1)
        pi, the share of positives among the unlabelled rows.
    entropy : float
        mu, the strength of the entropy of U at the end, at least 0.
    mixed_entropy : float
        a, the strength of the entropy of mixed rows, at least 0.
    mixup : float
        b, the strength of the cross-entropy of mixed rows, at least 0.
    """

    def __init__(
        self,
        encoder: Encoder,
        *,
        prior: float,
        entropy: float = 0.004,
        mixed_entropy: float = 0.04,
        mixup: float = 5.0,
    ) -> None:
        super().__init__(encoder)
        self.prior = check_share("prior", prior)
        self.entropy = check_range("entropy", entropy, low=0)
        self.mixed_entropy = check_range("mixed_entropy", mixed_entropy, low=0)
        self.mixup = check_range("mixup", mixup, low=0)

    def build_scaffold(self, n_rows: int) -> PseudoLabels:
        """Return pseudo-labels, 1 for every row."""
        return PseudoLabels(n_rows)

    def phases(self, *, epochs: int, learning_rate: float) -> tuple[Phase, ...]:
        """Return the warm-up and the phase with mixed rows, half of the epochs each."""
        warm_up = max(1, epochs // 2)
        return (
            Phase("warm-up", warm_up, learning_rate, selects=False),
            Phase("mixing", max(1, epochs - warm_up), learning_rate / SLOWER),
        )

    def begin_phase(self, view: View) -> None:
        """Take the warm-up's scores as the first pseudo-labels."""
        if view.phase == "mixing":
            self._labels.put(view.index("unlabelled"), torch.sigmoid(view.scores("unlabelled")))
            self._labels.mixing.fill_(1)

    def step(self, batch: PUBatch) -> Step:
        """Return the loss of a batch in its phase."""
        mixing = bool(self._labels.mixing)
        g = self.score(batch.x)
        if mixing:
            g = g.clamp(-LARGEST_LOGIT, LARGEST_LOGIT)
        terms = self._align(batch, g)
        strength = {"entropy": WARM_UP_ENTROPY}
        if mixing:
            terms |= self._mix(batch)
            ramp = 1 - math.cos(math.pi * batch.progress / 2)
            strength = {"entropy": self.entropy * ramp, "mixed_entropy": self.mixed_entropy, "mixup": self.mixup}
            self._labels.put(batch.index[batch.n_pos :], torch.sigmoid(g[batch.n_pos :].detach()))
        loss = sum_terms(terms, **strength)
        return Step(loss, loss, terms)

    def _align(self, batch: PUBatch, g: Float[Tensor, " n"]) -> dict[str, Tensor]:
        s, n = torch.sigmoid(g), batch.n_pos
        gap = batch.average_positives(1 - s[:n])
        # A batch without unlabelled rows says nothing of their share, least of all that it is 0.
        mean_unl = batch.average_unlabelled(s[n:]) if n < len(s) else s.new_tensor(self.prior)
        return {
            "label_distribution": misalign(gap, mean_unl, prior=self.prior),
            "entropy": batch.average_unlabelled(binary_entropy(g[n:])),
        }

    def _mix(self, batch: PUBatch) -> dict[str, Tensor]:
        x, generator = batch.x, batch.generator
        # The median of 2k - 1 uniform draws follows Beta(k, k).
        share = torch.rand(2 * MIXING_SHAPE - 1, generator=generator, device=x.device, dtype=x.dtype).median()
        other = torch.randperm(len(x), generator=generator, device=x.device)
        labels = self._labels.get(batch.index).to(x)
        mixed = self.score(share * x + (1 - share) * x[other]).clamp(-LARGEST_LOGIT, LARGEST_LOGIT)
        target = share * labels + (1 - share) * labels[other]
        return {
            "mixed_entropy": batch.reduce(binary_entropy(mixed).mean()),
            "mixup": batch.reduce(soft_cross_entropy(mixed, target).mean()),
        }

    @property
    def _labels(self) -> PseudoLabels:
        return self.find_scaffold(PseudoLabels)
