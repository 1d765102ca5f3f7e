"""Maximise accuracy as positives and unlabelled rows estimate it."""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from angularpu.decide.held_out import HeldOut
from angularpu.decide.rule import PriorRule
from angularpu.decide.threshold import Thresholds


@dataclass(frozen=True, kw_only=True)
class ProxyAccuracy(PriorRule):
    """Take the threshold with the greatest proxy accuracy, 2 rho R + P(-).

    R is the part of the held-out positives above the threshold, rho the share of positives in the target and P(-) the
    share of the target that is called negative; the sum is the target's accuracy plus rho. Of equally good thresholds
    the lowest is taken. With few positives in the target the most accurate threshold may call no row positive.

    Examples
    --------
    >>> score_pos, score_unl = np.array([3.0, 4.0]), np.array([1.0, 2.0, 2.5, 3.5])
    >>> held = HeldOut(score_pos, score_unl, n_pos=2, n_unl=4, scenario="two-sample", source="held out")
    >>> ProxyAccuracy(prior=0.25).choose(held).threshold
    2.75
    """

    name: ClassVar[str] = "proxy-accuracy"
    example: ClassVar[str] = "proxy-accuracy"
    picks_best: ClassVar[bool] = True

    def find(self, held: HeldOut, thresholds: Thresholds) -> int:
        """Return the threshold with the greatest proxy accuracy."""
        recall, called = held.shares_above(thresholds, target=self.target)
        return int(np.argmax(2 * self.resolve_prior(held).share * recall - called))
