"""Call as many unlabelled rows positive as there should be positives among them."""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from angularpu.decide.held_out import HeldOut
from angularpu.decide.rule import Rule
from angularpu.decide.threshold import Thresholds
from angularpu.errors import SettingError
from angularpu.scenario.proportions import Proportions, Target, check_target
from angularpu.scenario.sample import Scenario


@dataclass(frozen=True)
class PriorQuantile(Rule):
    """Take the (1 - alpha) quantile of the unlabelled rows' scores.

    The share of unlabelled rows above the threshold is as near to alpha as ties allow; of equally near thresholds the
    lowest is taken.

    Parameters
    ----------
    prior : float in (0, 1)
        The share of positives in ``target``.
    target : {"population", "unlabelled"}, default "population"
        Of which rows ``prior`` is the share: with "population" alpha follows from pi by the scenario, with
        "unlabelled" it is alpha itself.

    Examples
    --------
    >>> score_pos, score_unl = np.array([3.5]), np.array([1.0, 2.0, 3.0, 4.0])
    >>> held = HeldOut(score_pos, score_unl, n_pos=1, n_unl=4, scenario="two-sample", source="held out")
    >>> PriorQuantile(0.5).choose(held).threshold
    2.5
    """

    name: ClassVar[str] = "prior"
    example: ClassVar[str] = "prior=0.3"

    prior: float
    target: Target = "population"

    def __post_init__(self) -> None:
        check_target(self.target)
        if not 0 < self.prior < 1:
            raise SettingError(f"prior must lie in (0, 1), got {self.prior:g}; write, for example, {self.example}")

    def check(self, *, n_pos: int, n_unl: int, scenario: Scenario) -> None:
        """Refuse a prior that these counts rule out."""
        self._proportions(n_pos=n_pos, n_unl=n_unl, scenario=scenario)

    def find(self, held: HeldOut, thresholds: Thresholds) -> int:
        """Return the threshold whose share of unlabelled rows is nearest to alpha."""
        shares = self._proportions(n_pos=held.n_pos, n_unl=held.n_unl, scenario=held.scenario)
        return int(np.argmin(np.abs(thresholds.rest_above - shares.alpha * len(held.score_unl))))

    def _proportions(self, *, n_pos: int, n_unl: int, scenario: Scenario) -> Proportions:
        return Proportions.from_share(self.prior, target=self.target, n_pos=n_pos, n_unl=n_unl, scenario=scenario)
