"""Cut at the margin that AngularPU trained or was given."""

from dataclasses import dataclass
from typing import ClassVar

from angularpu.decide.held_out import HeldOut
from angularpu.decide.rule import Rule
from angularpu.decide.threshold import Thresholds, find_place
from angularpu.errors import SettingError
from angularpu.scenario.sample import Scenario


@dataclass(frozen=True, kw_only=True)
class Margin(Rule):
    """Call a row positive where c >= m (the decision in the text of the paper's sensitivity study).

    In scores that is kappa c >= kappa m; for the Euclidean counterpart, s >= 0. The threshold lies between the two
    held-out scores around it. A trained m drifts upward, so it soon calls few rows positive.

    Examples
    --------
    >>> import numpy as np
    >>> score_pos, score_unl = np.array([2.0, 1.0]), np.array([-1.0, 0.0, 1.8])
    >>> held = HeldOut(score_pos, score_unl, 2, 3, "two-sample", "held out", margin=1.5)
    >>> decision = Margin().choose(held)
    >>> decision.recall, round(decision.positive_share, 3)
    (0.5, 0.333)
    """

    name: ClassVar[str] = "margin"
    example: ClassVar[str] = "margin"

    def find(self, held: HeldOut, thresholds: Thresholds) -> int:
        """Return the threshold that has the same rows above it as the margin."""
        assert held.margin is not None, "check refuses scores without a margin"
        return find_place(thresholds, held.margin, score_pos=held.score_pos, score_rest=held.score_unl)

    def check(self, *, n_pos: int, n_unl: int, scenario: Scenario, has_margin: bool) -> None:
        """Refuse, before anything is trained, a method without a margin."""
        super().check(n_pos=n_pos, n_unl=n_unl, scenario=scenario, has_margin=has_margin)
        if not has_margin:
            raise SettingError(
                "the rule margin takes the margin of a single AngularPU network, which this model does not have; fit "
                "the method angular with refit=True, or use another rule, such as pu-f1"
            )
