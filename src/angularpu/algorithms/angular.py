"""AngularPU: positives gather around a prototype, unlabelled rows spread over the sphere.

Sevetlidis, Pavlidis and Gasteratos, "Angular Regularization for Positive-Unlabeled Learning on the Hypersphere",
TMLR 2025. The options are the points that the paper leaves open; docs/methods/angular.md lists where our defaults
differ.
"""

import math
from typing import Literal

import torch
from jaxtyping import Float
from torch import Tensor, nn

from angularpu.algorithms.base import Algorithm, PUBatch, Step, sum_terms
from angularpu.checks import check_choice, check_range
from angularpu.geometry.dispersion import dispersion
from angularpu.geometry.sphere import normalise, sample_uniform
from angularpu.losses.logistic import logistic_loss
from angularpu.losses.margin import boundary_weight, prototype_weight
from angularpu.losses.neutral import neutral_loss
from angularpu.nets.encoder import Encoder

MARGINS = ("learnable", "softplus")
START_MARGIN = 0.5
START_SHARPNESS = 10.0


class Angular(Algorithm):
    """Score a row by kappa mu.z, the scaled cosine between its embedding z and the prototype mu.

    L = L_pos + L_unl + lambda L_reg (Proposed Method).

    Parameters
    ----------
    encoder : Encoder
        Maps prepared rows to R^d; its output is normalised here.
    kappa : float
        Scale of the score, positive.
    logit : {"cosine", "margin"}
        Logit of an unlabelled row: kappa c, or a (c - m).
    margin : float, "learnable" or "softplus"
        m of the weights and the margin logit: a fixed number in [-1, 1], trained and kept in [-1, 1], or trained as the
        softplus of a free scalar.
    sharpness : float or "learnable"
        a of the weights and the margin logit, positive.
    weight : {"prototype", "boundary"} or None
        Which unlabelled rows count more: those near the prototype, those near the margin, or none.
    detach_weight : bool
        Whether the weights are constants to the gradient.
    positives : {"unbiased", "batch"}
        Estimate the mean over all labelled positives without bias, or take the mean of those present in the batch.
    positive_loss : {"alignment", "logistic"}
        -kappa c, or the logistic loss of the logit (the geometry ablation).
    lambda_ : float
        Strength of the dispersion term, at least 0.
    t : float
        Temperature of the dispersion term, positive.
    dispersion_on : {"unlabelled", "all"}
        Which rows are spread out.
    """

    has_own_scale = True
    has_margin = True
    learns_from_negatives = True
    mu: nn.Parameter

    def __init__(
        self,
        encoder: Encoder,
        *,
        kappa: float = 3.0,
        logit: Literal["cosine", "margin"] = "cosine",
        margin: float | Literal["learnable", "softplus"] = "learnable",
        sharpness: float | Literal["learnable"] = 10.0,
        weight: Literal["prototype", "boundary"] | None = "prototype",
        detach_weight: bool = False,
        positives: Literal["unbiased", "batch"] = "unbiased",
        positive_loss: Literal["alignment", "logistic"] = "alignment",
        lambda_: float = 0.5,
        t: float = 2.0,
        dispersion_on: Literal["unlabelled", "all"] = "unlabelled",
    ) -> None:
        super().__init__()
        self.encoder = encoder
        self.kappa = check_range("kappa", kappa, low=0, open_low=True)
        self.logit = check_choice("logit", logit, ("cosine", "margin"))
        self.margin = margin if margin in MARGINS else check_range("margin", margin, low=-1, high=1, words=MARGINS)
        self.sharpness = (
            sharpness
            if sharpness == "learnable"
            else check_range("sharpness", sharpness, low=0, open_low=True, words=("learnable",))
        )
        self.weight = check_choice("weight", weight, ("prototype", "boundary", None))
        self.detach_weight = check_choice("detach_weight", detach_weight, (True, False))
        self.positives = check_choice("positives", positives, ("unbiased", "batch"))
        self.positive_loss = check_choice("positive_loss", positive_loss, ("alignment", "logistic"))
        self.lambda_ = check_range("lambda_", lambda_, low=0)
        self.t = check_range("t", t, low=0, open_low=True)
        self.dispersion_on = check_choice("dispersion_on", dispersion_on, ("unlabelled", "all"))
        self.mu = nn.Parameter(sample_uniform(1, encoder.d, generator=torch.default_generator))
        if margin == "learnable":
            self.raw_margin = nn.Parameter(torch.tensor(START_MARGIN))
        elif margin == "softplus":
            self.raw_margin = nn.Parameter(torch.tensor(math.log(math.expm1(START_MARGIN))))
        if sharpness == "learnable":
            self.raw_sharpness = nn.Parameter(torch.tensor(math.log(START_SHARPNESS)))

    @property
    def m(self) -> float | Tensor:
        """The current margin."""
        if self.margin == "learnable":
            return self.raw_margin
        return nn.functional.softplus(self.raw_margin) if self.margin == "softplus" else self.margin

    @property
    def a(self) -> float | Tensor:
        """The current sharpness."""
        return self.raw_sharpness.exp() if self.sharpness == "learnable" else self.sharpness

    def embed(self, x: Float[Tensor, "n ..."]) -> Float[Tensor, "n d"]:
        """Return z = f(x)/|f(x)|."""
        return normalise(self.encoder(x))

    def score(self, x: Float[Tensor, "n ..."]) -> Float[Tensor, " n"]:
        """Return s(z) = kappa mu.z, in [-kappa, kappa]."""
        return self.kappa * (self.embed(x) @ self.mu[0])

    def find_margin(self) -> float:
        """Return kappa m, the score of a row with c = m."""
        m = self.m
        return self.kappa * (m.item() if isinstance(m, Tensor) else m)

    def step(self, batch: PUBatch) -> Step:
        """Return L = L_pos + L_unl + lambda L_reg of a batch."""
        z = self.embed(batch.x)
        n = batch.n_pos
        # One operation to differentiate, where two slices are six.
        pos, unl = torch.split_with_sizes(z @ self.mu[0], [n, len(z) - n])
        terms = {}
        # A sum over no positives is an estimate too: left out, the epoch's mean of the term would be too large.
        if n or self.positives == "unbiased":
            terms["positive"] = self._positive_term(batch, pos)
        if n < len(z):
            terms["unlabelled"] = self._unlabelled_term(batch, unl)
        if self.lambda_:
            terms["dispersion"] = dispersion(z[n:] if self.dispersion_on == "unlabelled" else z, self.t)
        loss = sum_terms(terms, dispersion=self.lambda_)
        return Step(loss, loss, terms)

    def after_step(self, batch: PUBatch) -> None:
        """Put mu back on the sphere and m in its range."""
        with torch.no_grad():
            self.mu.div_(torch.linalg.vector_norm(self.mu))
            if self.margin == "learnable":
                self.raw_margin.clamp_(-1, 1)

    def _logit(self, cosine: Tensor) -> Tensor:
        return self.kappa * cosine if self.logit == "cosine" else self.a * (cosine - self.m)

    def _positive_term(self, batch: PUBatch, cosine: Tensor) -> Tensor:
        aligned = self.positive_loss == "alignment"
        values = -self.kappa * cosine if aligned else logistic_loss(self._logit(cosine), 1)
        if self.positives == "batch":
            return batch.reduce(values.mean())
        return batch.average_positives(values)

    def _unlabelled_term(self, batch: PUBatch, cosine: Tensor) -> Tensor:
        values = neutral_loss(self._logit(cosine))
        if self.weight is not None:
            weigh = prototype_weight if self.weight == "prototype" else boundary_weight
            weight = weigh(cosine, self.m, self.a)
            values = values * (weight.detach() if self.detach_weight else weight)
        return batch.reduce(values.mean())
