"""Find a given part of the positives."""

import math
from dataclasses import dataclass
from fractions import Fraction
from typing import ClassVar

import numpy as np

from angularpu.decide.held_out import HeldOut
from angularpu.decide.recall_interval import bound_order_statistic
from angularpu.decide.rule import Rule
from angularpu.decide.threshold import Thresholds
from angularpu.errors import SettingError


@dataclass(frozen=True)
class RecallTarget(Rule):
    """Take the highest threshold with at least ceil(r n) of the n held-out positives above it.

    It needs no prior; if it is given one, it estimates the precision too. With k of n positives above, the recall
    follows Beta(k, n + 1 - k) if labels fell at random.

    Parameters
    ----------
    recall : float in (0, 1]
        The part r of the positives to find.

    Examples
    --------
    >>> score_pos, score_unl = np.array([1.0, 2.0, 3.0, 4.0]), np.array([0.0, 2.5])
    >>> held = HeldOut(score_pos, score_unl, n_pos=4, n_unl=2, scenario="two-sample", source="held out")
    >>> RecallTarget(0.75).choose(held).threshold
    1.5
    """

    name: ClassVar[str] = "recall"
    example: ClassVar[str] = "recall=0.95"

    recall: float

    def __post_init__(self) -> None:
        super().__post_init__()
        if not 0 < self.recall <= 1:
            raise SettingError(f"recall must lie in (0, 1], got {self.recall:g}; write, for example, {self.example}")

    def find(self, held: HeldOut, thresholds: Thresholds) -> int:
        """Return the highest threshold with enough positives above it."""
        # As the decimal fraction the user wrote: 0.55 * 100 is 55.00000000000001 in floating point.
        needed = math.ceil(Fraction(repr(self.recall)) * len(held.score_pos))
        return int(np.flatnonzero(thresholds.pos_above >= needed)[-1])

    def bound_recall(self, k: int, n: int) -> tuple[float, float]:
        """Return the 90 % interval of a threshold that lies just below a held-out positive."""
        return bound_order_statistic(k, n)
