"""Dist-PU: the predicted share of positives must be right, and each prediction sure.

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
from angularpu.losses.label_distribution import binary_entropy, label_distribution_loss, soft_cross_entropy
from angularpu.nets.encoder import Encoder

WARM_UP, MIXING = "warm-up", "mixing"
WARM_UP_ENTROPY = 0.002
MIXING_RATE_DIVISOR = 10
LARGEST_LOGIT = 10.0
MIXING_SHAPE = 6


class DistPU(LogitAlgorithm):
    """Score a row by a logit g whose mean sigma(g) is pi over U and 1 over P.

    With s = sigma(g), H the binary entropy and L_lab = |mean_P s - 1| + |mean_U s - pi|/(2 pi), the warm-up minimises
    L_lab + 0.002 H(U), the second phase L_lab + mu_t H(U) + a H(mixed) + b BCE(mixed), where mu_t grows as
    mu (1 - cos(t/T pi/2)) over the phase's T updates. Mixed rows are lambda x + (1 - lambda) x', lambda drawn from
    Beta(6, 6) for each batch; their targets mix pseudo-labels by the same lambda: 1 for P, s when last seen for U.

    Parameters
    ----------
    encoder : Encoder
        Maps prepared rows to R^d; a linear head follows.
    alpha : float in (0, 1)
        pi, the share of positives among the unlabelled rows.
    entropy : float
        mu, the strength of the entropy of U at the end, at least 0.
    mixed_entropy : float
        a, the strength of the entropy of mixed rows, at least 0.
    mixup : float
        b, the strength of the cross-entropy of mixed rows, at least 0.
    """

    learns_from_negatives = True

    def __init__(
        self,
        encoder: Encoder,
        *,
        alpha: float,
        entropy: float = 0.004,
        mixed_entropy: float = 0.04,
        mixup: float = 5.0,
    ) -> None:
        super().__init__(encoder)
        self.alpha = check_share("alpha", alpha)
        self.entropy = check_range("entropy", entropy, low=0)
        self.mixed_entropy = check_range("mixed_entropy", mixed_entropy, low=0)
        self.mixup = check_range("mixup", mixup, low=0)

    def build_scaffold(self, n_rows: int) -> RowValues:
        """Return pseudo-labels, how positive each row was when it was last seen: 1 for every row at first."""
        return RowValues(n_rows, start=1.0)

    def phases(self, *, epochs: int, learning_rate: float) -> tuple[Phase, ...]:
        """Return the warm-up and the phase with mixed rows, half of the epochs each."""
        warm_up = max(1, epochs // 2)
        return (
            Phase(WARM_UP, warm_up, learning_rate, selects=False),
            Phase(MIXING, max(1, epochs - warm_up), learning_rate / MIXING_RATE_DIVISOR),
        )

    def begin_phase(self, view: View) -> None:
        """Take the warm-up's scores as the first pseudo-labels."""
        if view.phase == MIXING:
            self._labels.put(view.index("unlabelled"), torch.sigmoid(view.scores("unlabelled")))

    def step(self, batch: PUBatch) -> Step:
        """Return the loss of a batch in its phase."""
        g = self.score(batch.x)
        if batch.phase == MIXING:
            g = g.clamp(-LARGEST_LOGIT, LARGEST_LOGIT)
            terms = {**self._align(batch, g), **self._mix(batch)}
            ramp = 1 - math.cos(math.pi * batch.progress / 2)
            strength = {"entropy": self.entropy * ramp, "mixed_entropy": self.mixed_entropy, "mixup": self.mixup}
            self._labels.put(batch.index[batch.n_pos :], torch.sigmoid(g[batch.n_pos :].detach()))
        else:
            terms, strength = self._align(batch, g), {"entropy": WARM_UP_ENTROPY}
        loss = sum_terms(terms, **strength)
        return Step(loss, loss, terms)

    def _align(self, batch: PUBatch, g: Float[Tensor, " n"]) -> dict[str, Tensor]:
        s, n = torch.sigmoid(g), batch.n_pos
        gap = batch.average_positives(1 - s[:n])
        # A batch without unlabelled rows tells nothing about their share: it must not count as a share of 0.
        mean_unl = batch.average_unlabelled(s[n:]) if n < len(s) else s.new_tensor(self.alpha)
        return {
            "label_distribution": label_distribution_loss(gap, mean_unl, alpha=self.alpha),
            "entropy": batch.average_unlabelled(binary_entropy(g[n:])),
        }

    def _mix(self, batch: PUBatch) -> dict[str, Tensor]:
        x, generator = batch.dense, batch.generator
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
    def _labels(self) -> RowValues:
        return self.find_scaffold(RowValues)
