"""Maximise Lee and Liu's criterion, which follows F1 and needs no prior."""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from angularpu.decide.held_out import HeldOut
from angularpu.decide.rule import Rule
from angularpu.decide.threshold import Thresholds


@dataclass(frozen=True, kw_only=True)
class LeeLiu(Rule):
    """Take the threshold with the greatest R^2/P(+), Lee and Liu's criterion.

    R is the part of the held-out positives above the threshold and P(+) the share of the target called positive; for
    the population of the one-sample scenario that is (n_P R + n_U P_U(+))/(n_P + n_U). The criterion is precision times
    recall over the share of positives, so it is high where F1 is high, and that share need not be known. Of equally
    good thresholds the lowest is taken, which calls most rows positive. The positives that choose the threshold also
    estimate its recall, so the lower end of the interval is lowered by the choice's optimism.

    Examples
    --------
    >>> score_pos, score_unl = np.array([3.0, 4.0]), np.array([1.0, 2.0, 3.5])
    >>> held = HeldOut(score_pos, score_unl, n_pos=2, n_unl=3, scenario="two-sample", source="held out")
    >>> LeeLiu().choose(held).threshold
    2.5
    """

    name: ClassVar[str] = "lee-liu"
    example: ClassVar[str] = "lee-liu"
    picks_best: ClassVar[bool] = True

    def find(self, held: HeldOut, thresholds: Thresholds) -> int:
        """Return the threshold with the greatest criterion."""
        recall, called = held.shares_above(thresholds, target=self.target, least_unl=1)
        return int(np.argmax(recall**2 / called))
