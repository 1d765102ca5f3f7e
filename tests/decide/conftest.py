"""Scores of two unit Gaussians whose recall, precision and posterior are known exactly."""

from dataclasses import dataclass

import numpy as np
import pytest
from scipy.stats import norm

from angularpu.decide.held_out import HeldOut


@dataclass(frozen=True)
class Gaussians:
    """Positives score around ``apart``, negatives around 0; a share alpha of the unlabelled rows is positive."""

    alpha: float
    apart: float = 2.0
    n_pos: int = 100
    n_unl: int = 900
    scenario: str = "one-sample"

    def prior(self, target):
        if target == "unlabelled" or self.scenario == "two-sample":
            return self.alpha
        return (self.n_pos + self.alpha * self.n_unl) / (self.n_pos + self.n_unl)

    def draw(self, rng):
        y = rng.random(self.n_unl) < self.alpha
        unl = rng.normal(size=self.n_unl) + self.apart * y
        pos = rng.normal(size=self.n_pos) + self.apart
        return HeldOut(pos, unl, self.n_pos, self.n_unl, self.scenario, "held out")

    def recall(self, threshold):
        return norm.sf(threshold - self.apart)

    def precision(self, threshold, target):
        hits = self.prior(target) * self.recall(threshold)
        return hits / (hits + (1 - self.prior(target)) * norm.sf(threshold))

    def rows(self, target, *, n, rng):
        """Draw new rows of the target: true classes and scores."""
        y = (rng.random(n) < self.prior(target)).astype(np.int8)
        return y, rng.normal(size=n) + self.apart * y


@pytest.fixture
def gaussians():
    return Gaussians
