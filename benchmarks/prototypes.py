"""AngularPU with several prototypes, for positives of distant kinds, in two forms."""

from collections.abc import Iterator

import numpy as np
import torch
from idea_draw import Draw, cross_fit_network
from torch import Tensor, nn

from angularpu.algorithms.angular import Angular
from angularpu.algorithms.base import PUBatch, Step, sum_terms
from angularpu.geometry.dispersion import dispersion
from angularpu.geometry.sphere import sample_uniform
from angularpu.nets.encoder import Encoder

COUNT = 3
SHARPNESS = 10.0  # of the soft maximum of cosines
TEMPERATURE = 0.05  # of the balanced assignment
ROUNDS = 5


class SoftMaximum(Angular):
    """AngularPU whose cosine is a soft maximum of the cosines to three prototypes, for all rows."""

    def __init__(self, encoder: Encoder) -> None:
        super().__init__(encoder)
        self.mu = nn.Parameter(sample_uniform(COUNT, encoder.d, generator=torch.default_generator))

    def score(self, x: Tensor) -> Tensor:
        """Return kappa times the soft maximum."""
        return self.kappa * join_cosines(self.embed(x) @ self.mu.T)

    def step(self, batch: PUBatch) -> Step:
        """Return AngularPU's loss with the joined cosines."""
        z, n = self.embed(batch.x), batch.n_pos
        cosines = z @ self.mu.T
        terms = {"positive": self._positive_term(batch, self.join_positives(cosines[:n]))}
        if n < len(z):
            terms["unlabelled"] = self._unlabelled_term(batch, join_cosines(cosines[n:]))
        terms["dispersion"] = dispersion(z[n:], self.t)
        loss = sum_terms(terms, dispersion=self.lambda_)
        return Step(loss, loss, terms)

    def join_positives(self, cosines: Tensor) -> Tensor:
        """Return one cosine for every labelled positive."""
        return join_cosines(cosines)

    def after_step(self, batch: PUBatch) -> None:
        """Put every prototype back on the sphere and m in its range."""
        super().after_step(batch)
        with torch.no_grad():
            self.mu.div_(torch.linalg.vector_norm(self.mu, dim=1, keepdim=True))


class Balanced(SoftMaximum):
    """The same, but every labelled positive is drawn to one prototype, and each prototype gets as many of a batch."""

    def join_positives(self, cosines: Tensor) -> Tensor:
        """Return each positive's cosine to the prototype that it is assigned to."""
        chosen = assign_evenly(cosines.detach())
        return cosines.gather(1, chosen[:, None])[:, 0]


def join_cosines(cosines: Tensor) -> Tensor:
    """Return the soft maximum over prototypes: the cosine itself where all are equal."""
    return (torch.logsumexp(SHARPNESS * cosines, dim=1) - torch.tensor(float(COUNT)).log()) / SHARPNESS


def assign_evenly(cosines: Tensor) -> Tensor:
    """Return a prototype for every row, nearby and about as many rows for each, by a few rounds of Sinkhorn's."""
    plan = cosines / TEMPERATURE
    for _ in range(ROUNDS):
        plan = plan - torch.logsumexp(plan, dim=0, keepdim=True)
        plan = plan - torch.logsumexp(plan, dim=1, keepdim=True)
    return plan.argmax(dim=1)


PROTOTYPES = {"one prototype": Angular, "soft maximum": SoftMaximum, "balanced": Balanced}


def score_prototypes(draw: Draw) -> Iterator[tuple[str, np.ndarray]]:
    """Yield the test scores of AngularPU with one prototype, and with three in two forms."""
    for name, build in PROTOTYPES.items():
        draw.hear(name, cross_fit_network(draw, build))
        yield name, draw.voices[name].test
