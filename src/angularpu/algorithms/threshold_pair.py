"""How sure a prediction must be, learnt from how sure recent predictions were."""

import torch
from jaxtyping import Float
from torch import Tensor

from angularpu.algorithms.momentum_pair import MomentumPair
from angularpu.nets.encoder import Encoder

MOMENTUM = 0.999


class ThresholdPair(MomentumPair):
    """A momentum pair that also knows how sure a prediction must be.

    ``confidence`` is tau, a moving average of the confidence; ``shares`` is p, that of the share of each class.
    """

    confidence: Tensor
    shares: Tensor

    def __init__(self, encoder: Encoder, *, n_rows: int, queue: int, belief: float) -> None:
        super().__init__(encoder, n_rows=n_rows, queue=queue, belief=belief)
        self.register_buffer("confidence", torch.tensor(0.5))
        self.register_buffer("shares", torch.full((2,), 0.5))

    def thresholds(self) -> Float[Tensor, "2"]:
        """Return tau(c) = p(c) / max p tau for both classes."""
        return self.shares / self.shares.max() * self.confidence

    @torch.no_grad()
    def adapt(self, p: Float[Tensor, " u"]) -> None:
        """Move tau and p a little towards the probabilities of the unlabelled rows of a batch."""
        if len(p):
            self.confidence.lerp_(torch.maximum(p, 1 - p).mean().to(self.confidence), 1 - MOMENTUM)
            self.shares.lerp_(torch.stack([1 - p.mean(), p.mean()]).to(self.shares), 1 - MOMENTUM)
