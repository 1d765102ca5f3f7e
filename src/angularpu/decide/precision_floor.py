"""Call rows positive only where the expected precision is high enough."""

from dataclasses import dataclass
from typing import ClassVar, Literal

import numpy as np
from numpy.typing import NDArray

from angularpu.decide.bound_words import ACCEPT, describe_verdict, refuse_precision
from angularpu.decide.held_out import HeldOut
from angularpu.decide.plateau import Plateau
from angularpu.decide.precision import expect_precision
from angularpu.decide.rule import PriorRule
from angularpu.decide.threshold import Thresholds
from angularpu.errors import SettingError


@dataclass(frozen=True)
class PrecisionFloor(PriorRule):
    """Take the lowest threshold whose estimated precision rho R/P(+) is at least p.

    rho is the share of positives in the target. Of all such thresholds the lowest has the greatest recall. If none is
    precise enough, the most precise one is taken and the decision says so. The first threshold that looks good enough
    is often a lucky one: read the interval, and set p a little higher than you need.

    Parameters
    ----------
    precision : float in (0, 1]
        The precision p to reach.
    bound : {"refuse", "accept"}, default "refuse"
        What to do where the prior was estimated, so that the precision is an upper bound, and the bound is not reached:
        refuse to choose, or cut where the bound is p.

    Examples
    --------
    >>> score_pos, score_unl = np.array([2.2, 4.0]), np.array([1.0, 2.0, 2.5, 3.5])
    >>> held = HeldOut(score_pos, score_unl, n_pos=2, n_unl=4, scenario="two-sample", source="held out")
    >>> PrecisionFloor(0.9, prior=0.5).choose(held).threshold
    2.09...
    """

    name: ClassVar[str] = "precision"
    example: ClassVar[str] = "precision=0.9"

    precision: float
    bound: Literal["refuse", "accept"] = "refuse"

    def __post_init__(self) -> None:
        super().__post_init__()
        if not 0 < self.precision <= 1:
            raise SettingError(
                f"precision must lie in (0, 1], got {self.precision:g}; write, for example, {self.example}"
            )
        if self.bound not in ("refuse", "accept"):
            raise SettingError(f"bound must be refuse or accept, got {self.bound!r}; write {self.example},{ACCEPT}")

    def object_to(self, plateau: Plateau) -> str | None:
        """Refuse to promise a precision of which an upper bound alone is known, unless that was asked for."""
        if plateau.bound != "chance" and (plateau.bound != "not reached" or self.bound == "accept"):
            return None
        verdict = describe_verdict(plateau.bound, rise=plateau.rise, low=plateau.rise_low, high=plateau.rise_high)
        asked = f"{self.name}={self.precision:g}"
        return refuse_precision(asked, precision=self.precision, bound=plateau.bound, verdict=verdict)

    def find(self, held: HeldOut, thresholds: Thresholds) -> int:
        """Return the lowest threshold that is precise enough, or else the most precise one."""
        expected = self._expect(held, thresholds)
        enough = np.flatnonzero(expected >= self.precision)
        return int(enough[0] if len(enough) else np.argmax(expected))

    def remark(self, held: HeldOut, thresholds: Thresholds) -> tuple[str, ...]:
        """Return a note if no threshold is precise enough."""
        best = self._expect(held, thresholds).max()
        if best >= self.precision:
            return ()
        return (f"no threshold reaches an estimated precision of {self.precision:g}, the best has {best:.3g}",)

    def _expect(self, held: HeldOut, thresholds: Thresholds) -> NDArray[np.float64]:
        recall, called = held.shares_above(thresholds, target=self.target, least_unl=1)
        return expect_precision(recall, called, share=self.resolve_prior(held).share)
