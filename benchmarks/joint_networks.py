"""AngularPU's terms and VPU's in one network, in two forms."""

from collections.abc import Iterator, Sequence

import numpy as np
import torch
from idea_draw import VPU_MEMBER, Draw, cross_fit_network
from torch import Tensor, nn

from angularpu.algorithms.angular import START_SHARPNESS, Angular
from angularpu.algorithms.base import PUBatch, Step
from angularpu.algorithms.vpu import VPU
from angularpu.geometry.sphere import normalise
from angularpu.nets.encoder import Encoder


class CosineVPU(VPU):
    """VPU with the unbiased first term on the angular head: its logit is b (c - h), b and h learnt."""

    def __init__(self, encoder: Encoder, mu: nn.Parameter) -> None:
        super().__init__(encoder, first_term="mean")
        del self.head
        self.mu = mu
        self.log_slope = nn.Parameter(torch.tensor(START_SHARPNESS).log())
        self.shift = nn.Parameter(torch.tensor(0.0))

    def score(self, x: Tensor) -> Tensor:
        """Return the logit."""
        return self.log_slope.exp() * (normalise(self.encoder(x)) @ self.mu[0] - self.shift)


class OneHead(Angular):
    """The sum of both losses on one encoder and one angular head; a row is scored by its cosine."""

    def __init__(self, encoder: Encoder) -> None:
        super().__init__(encoder)
        self.second: VPU = CosineVPU(encoder, self.mu)

    def step(self, batch: PUBatch) -> Step:
        """Return the sum of AngularPU's loss and VPU's."""
        loss = super().step(batch).loss + self.second.step(batch).loss
        return Step(loss, loss)


class TwoHeads(OneHead):
    """The sum of both losses on one encoder, an angular head and a linear one; a row is scored by the sum of both."""

    def __init__(self, encoder: Encoder) -> None:
        super().__init__(encoder)
        self.second = VPU(encoder, first_term="mean")

    def score(self, x: Tensor) -> Tensor:
        """Return kappa c + g."""
        return super().score(x) + self.second.score(x)


JOINT = {"one head": OneHead, "two heads": TwoHeads}


def join_losses(draw: Draw, members: Sequence[str]) -> Iterator[tuple[str, np.ndarray]]:
    """Yield AngularPU, VPU, their mean, both forms of one network for both, and ensembles with such a network."""
    yield "AngularPU", draw.voices["angular"].test
    yield "VPU", draw.voices[VPU_MEMBER].test
    yield "mean of both", (draw.voices["angular"].test + draw.voices[VPU_MEMBER].test) / 2
    for name, build in JOINT.items():
        draw.hear(name, cross_fit_network(draw, build))
        yield name, draw.voices[name].test
        yield f"ensemble, {name}", draw.mix([name if each == "angular" else each for each in members])
