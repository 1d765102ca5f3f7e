"""VPU: a variational principle finds a score proportional to P(y = 1 | x); no prior is needed.

Chen, Liu, Wang, Zhao and Wu, "A Variational Approach for Learning from Positive and Unlabeled Data", NeurIPS 2020.
docs/methods/vpu.md lists the differences.
"""

from typing import Literal, get_args

import numpy as np
import torch
from torch import Tensor
from torch.nn.functional import logsigmoid

from angularpu.algorithms.base import PUBatch, Step, sum_terms
from angularpu.algorithms.logit import LogitAlgorithm
from angularpu.checks import check_choice, check_range
from angularpu.losses.variational import log_mean_probability, mean_probability, mixed_consistency
from angularpu.nets.encoder import Encoder

FirstTerm = Literal["log-mean", "mean"]


class VPU(LogitAlgorithm):
    """Score a row by the logit g of Phi = sigma(g), which becomes proportional to P(y = 1 | x).

    L = L_var + lambda L_reg, with L_var = log E_X Phi - E_P log Phi over all rows X and the labelled positives P; or
    with L_mean = E_X Phi - w E_P log Phi in place of L_var.

    Parameters
    ----------
    encoder : Encoder
        Maps prepared rows to R^d; a linear head follows.
    lambda_ : float
        Strength of the consistency with mixtures of rows and positives, at least 0.
    concentration : float
        Both parameters of the Beta distribution of gamma, positive.
    first_term : {"log-mean", "mean"}
        log E_X Phi, as published, or E_X Phi, which a batch estimates without bias.
    factor : float in (0, 1]
        w, for "mean" alone: Phi tends to min(1, w p(x | y = 1)/p(x)). Scores are g, which also order rows where Phi
        is 1 but for rounding.
    """

    learns_from_negatives = True

    def __init__(
        self,
        encoder: Encoder,
        *,
        lambda_: float = 0.3,
        concentration: float = 0.3,
        first_term: FirstTerm = "log-mean",
        factor: float = 0.5,
    ) -> None:
        super().__init__(encoder)
        self.first_term: FirstTerm = check_choice("first_term", first_term, get_args(FirstTerm))
        self.factor = check_range("factor", factor, low=0, high=1, open_low=True)
        self.lambda_ = check_range("lambda_", lambda_, low=0)
        self.concentration = check_range("concentration", concentration, low=0, open_low=True)

    def step(self, batch: PUBatch) -> Step:
        """Return L = L_var + lambda L_reg of a batch, or L_mean + lambda L_reg."""
        g, n = self.score(batch.x), batch.n_pos
        published = self.first_term == "log-mean"
        terms = {
            "all": batch.reduce(log_mean_probability(g) if published else mean_probability(g)),
            "positive": -batch.average_positives(logsigmoid(g[:n])),
        }
        if self.lambda_ and n:
            terms["consistency"] = self._compare_mixtures(batch, g)
        loss = sum_terms(terms, positive=1.0 if published else self.factor, consistency=self.lambda_)
        return Step(loss, loss, terms)

    def _compare_mixtures(self, batch: PUBatch, g: Tensor) -> Tensor:
        gamma = _draw_beta(self.concentration, batch.generator).to(g)
        partner = torch.randint(batch.n_pos, (len(g),), generator=batch.generator, device=batch.generator.device)
        x = batch.dense
        mixed = gamma * x + (1 - gamma) * x[partner]
        return batch.reduce(mixed_consistency(g, self.score(mixed), gamma=gamma).mean())


def _draw_beta(concentration: float, generator: torch.Generator) -> Tensor:
    """Draw one number from Beta(a, a): torch draws it from the global generator only, NumPy from any."""
    seed = torch.randint(2**62, (), generator=generator, device=generator.device).item()
    return torch.tensor(np.random.default_rng(int(seed)).beta(concentration, concentration))
