"""Maximise F1 as positives and unlabelled rows estimate it."""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from angularpu.decide.held_out import HeldOut
from angularpu.decide.rule import PriorRule
from angularpu.decide.threshold import Thresholds


@dataclass(frozen=True, kw_only=True)
class PUF1(PriorRule):
    """Take the threshold with the greatest PU-F1 = 2 rho R/(rho + P(+)).

    R is the part of the held-out positives above the threshold, rho the share of positives in the target and P(+) the
    share of the target that is called positive. Of equally good thresholds the lowest is taken. The positives that
    choose the threshold also estimate its recall, so the lower ends of the intervals are lowered by the choice's
    optimism.

    Examples
    --------
    >>> score_pos, score_unl = np.array([3.0, 4.0]), np.array([1.0, 2.0, 2.5, 3.5])
    >>> held = HeldOut(score_pos, score_unl, n_pos=2, n_unl=4, scenario="two-sample", source="held out")
    >>> decision = PUF1(prior=0.25).choose(held)
    >>> decision.threshold, decision.recall, decision.precision
    (2.75, 1.0, 1.0)
    """

    name: ClassVar[str] = "pu-f1"
    example: ClassVar[str] = "pu-f1"
    picks_best: ClassVar[bool] = True

    def find(self, held: HeldOut, thresholds: Thresholds) -> int:
        """Return the threshold with the greatest PU-F1."""
        recall, called = held.shares_above(thresholds, target=self.target)
        return int(np.argmax(recall / (self.resolve_prior(held).share + called)))
