"""Gaussian scores of P and U whose density ratio, precision and bounds are known, for the trial of bounds."""

from dataclasses import dataclass

import numpy as np
from scipy.stats import norm

from angularpu.decide.decision import Decision
from angularpu.decide.held_out import HeldOut


@dataclass(frozen=True)
class Law:
    """Scores of two unit Gaussians; a share ``twins`` of the negatives scores as positives do."""

    alpha: float
    apart: float
    twins: float = 0.0

    def draw(self, n_pos: int, n_unl: int, *, rng: np.random.Generator) -> HeldOut:
        """Draw scores of both groups."""
        high = rng.random(n_unl) < self.alpha + (1 - self.alpha) * self.twins
        pos, unl = rng.normal(self.apart, 1, n_pos), rng.normal(size=n_unl) + self.apart * high
        return HeldOut(pos, unl, n_pos, n_unl, "one-sample", "held out")

    def above(self, cut: float) -> tuple[float, float]:
        """Return the shares of the positives and of the negatives above a cut."""
        pos, neg = norm.sf(cut - self.apart), norm.sf(cut)
        return float(pos), float(self.twins * pos + (1 - self.twins) * neg)

    def ratio(self, cut: float) -> float:
        """Return q_U/q_P above a cut, a bound on alpha."""
        pos, neg = self.above(cut)
        return self.alpha + (1 - self.alpha) * neg / pos

    @property
    def excess(self) -> float:
        """By which factor the ratio over the best half of the positives exceeds alpha."""
        return self.ratio(self.apart) / self.alpha

    def precision(self, decision: Decision, *, n_pos: int, n_unl: int) -> float:
        """Return the true precision in the rule's target."""
        pos, neg = self.above(decision.threshold)
        known = 0 if "unlabelled" in decision.rule else n_pos
        hits = (known + self.alpha * n_unl) * pos
        return hits / (hits + (1 - self.alpha) * n_unl * neg)
