"""A heap of unlabelled rows whose truth is known, the scores a model has kept, and audits of it."""

from dataclasses import dataclass

import numpy as np
import pytest

from angularpu.audit.answers import Answers
from angularpu.audit.draw import draw_rows
from angularpu.decide.calibrate import fit_calibration
from angularpu.decide.held_out import HeldOut


@dataclass(frozen=True)
class Heap:
    """Positives score around 2.5, negatives around 0; known ones around ``known_at``."""

    alpha: float
    n: int = 4000
    known_at: float = 2.5

    def draw(self, seed=0):
        rng = np.random.default_rng(seed)
        y = (np.arange(self.n) < round(self.alpha * self.n)).astype(np.int8)
        score = (rng.normal(size=self.n) + 2.5 * y).astype(np.float32)
        held = HeldOut(rng.normal(size=200) + self.known_at, score.copy(), 200, self.n, "one-sample", "held out")
        return y, score, held

    def audit(self, *, n, seed=0, said=0.5, n_known=0, cut=1.5):
        """Draw with a PU curve of share ``said``, right or wrong, and answer by the truth."""
        y, score, held = self.draw()
        chance = fit_calibration(held, said, target="unlabelled").apply(score)
        audit = draw_rows(
            score, chance, cut=cut, n=n, seed=seed, n_known=n_known, model=held.fingerprint(), data="heap"
        )
        return Answers(audit, y[audit.row]), held


@pytest.fixture(scope="session")
def heaps():
    return Heap
