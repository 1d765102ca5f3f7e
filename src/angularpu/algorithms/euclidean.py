"""The Euclidean counterpart of AngularPU, for the geometry ablation: distance to a prototype instead of the angle."""

import math
from typing import Literal

import torch
from jaxtyping import Float
from torch import Tensor, nn

from angularpu.algorithms.base import Algorithm, PUBatch, Step, sum_terms
from angularpu.checks import check_choice, check_range
from angularpu.geometry.sphere import normalise, sample_uniform
from angularpu.losses.logistic import logistic_loss
from angularpu.losses.margin import boundary_weight, prototype_weight
from angularpu.losses.neutral import neutral_loss
from angularpu.nets.encoder import Encoder

START_RADIUS = 1.0


class Euclidean(Algorithm):
    """Score a row by s = r - |f(x) - mu|^2, neither side normalised.

    Positives cost the logistic loss of s, unlabelled rows the neutral loss of s, weighted by sigma(s), by sigma'(s) or
    not at all.

    Parameters
    ----------
    encoder : Encoder
        Maps prepared rows to R^d.
    radius : float or "softplus"
        r: a fixed number, or trained as the softplus of a free scalar.
    weight : {"prototype", "boundary"} or None
        Which unlabelled rows count more: those inside the radius, those near it, or none.
    positives : {"unbiased", "batch"}
        Estimate the mean over all labelled positives without bias, or take the mean of those present in the batch.
    normalise_at_evaluation : bool
        Whether scores and embeddings, though never the losses, use normalised f(x) and mu ("-N" of the leaderboard).
    scale : float
        Multiplies s everywhere, positive; 1 in the paper's rows.
    """

    has_margin = True

    def __init__(
        self,
        encoder: Encoder,
        *,
        radius: float | Literal["softplus"] = "softplus",
        weight: Literal["prototype", "boundary"] | None = "prototype",
        positives: Literal["unbiased", "batch"] = "unbiased",
        normalise_at_evaluation: bool = False,
        scale: float = 1.0,
    ) -> None:
        super().__init__()
        self.encoder = encoder
        self.radius = radius if radius == "softplus" else check_range("radius", radius, words=("softplus",))
        self.weight = check_choice("weight", weight, ("prototype", "boundary", None))
        self.positives = check_choice("positives", positives, ("unbiased", "batch"))
        self.normalise_at_evaluation = check_choice("normalise_at_evaluation", normalise_at_evaluation, (True, False))
        self.scale = check_range("scale", scale, low=0, open_low=True)
        self.mu = nn.Parameter(sample_uniform(1, encoder.d, generator=torch.default_generator))
        if radius == "softplus":
            self.raw_radius = nn.Parameter(torch.tensor(math.log(math.expm1(START_RADIUS))))

    @property
    def r(self) -> float | Tensor:
        """The current radius."""
        return nn.functional.softplus(self.raw_radius) if self.radius == "softplus" else self.radius

    def embed(self, x: Float[Tensor, "n ..."]) -> Float[Tensor, "n d"]:
        """Return f(x), normalised in eval mode only, and there only with ``normalise_at_evaluation``."""
        f = self.encoder(x)
        return normalise(f) if self._normalised else f

    def score(self, x: Float[Tensor, "n ..."]) -> Float[Tensor, " n"]:
        """Return s = r - |f(x) - mu|^2, times the scale."""
        mu = normalise(self.mu) if self._normalised else self.mu
        return self.scale * (self.r - (self.embed(x) - mu).square().sum(1))

    def find_margin(self) -> float:
        """Return 0, the score of a row on the sphere of squared radius r around mu."""
        return 0.0

    def step(self, batch: PUBatch) -> Step:
        """Return the batch's loss."""
        s = self.score(batch.x)
        s_pos, s_unl = s[: batch.n_pos], s[batch.n_pos :]
        terms = {}
        # A sum over no positives is an estimate too: left out, the epoch's mean of the term would be too large.
        if len(s_pos) or self.positives == "unbiased":
            values = logistic_loss(s_pos, 1)
            as_batch = self.positives == "batch"
            terms["positive"] = batch.reduce(values.mean()) if as_batch else batch.average_positives(values)
        if len(s_unl):
            terms["unlabelled"] = batch.reduce((neutral_loss(s_unl) * self._weigh(s_unl)).mean())
        loss = sum_terms(terms)
        return Step(loss, loss, terms)

    def _weigh(self, s: Float[Tensor, " n"]) -> Float[Tensor, " n"] | float:
        """Return w of unlabelled rows: the margin weights with s in the place of a (c - m)."""
        if self.weight is None:
            return 1.0
        return prototype_weight(s, 0.0, 1.0) if self.weight == "prototype" else boundary_weight(s, 0.0, 1.0)

    @property
    def _normalised(self) -> bool:
        return self.normalise_at_evaluation and not self.training
