"""Call as many unlabelled rows positive as there should be positives among them."""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from angularpu.decide.held_out import HeldOut
from angularpu.decide.prior_setting import Prior
from angularpu.decide.rule import PriorRule
from angularpu.decide.threshold import Thresholds


@dataclass(frozen=True)
class PriorQuantile(PriorRule):
    """Take the (1 - alpha) quantile of the unlabelled rows' scores.

    The share of unlabelled rows above the threshold is as near to alpha as ties allow; of equally near thresholds the
    lowest is taken.

    Parameters
    ----------
    prior : float in (0, 1) or str
        The share of positives in ``target``, or the name of an estimator.
    target : {"population", "unlabelled"}, default "population"
        The rows whose share of positives ``prior`` is. For the population alpha follows from it by the scenario; for
        the unlabelled rows it is alpha itself.

    Examples
    --------
    >>> score_pos, score_unl = np.array([3.5]), np.array([1.0, 2.0, 3.0, 4.0])
    >>> held = HeldOut(score_pos, score_unl, n_pos=1, n_unl=4, scenario="two-sample", source="held out")
    >>> PriorQuantile(0.5).choose(held).threshold
    2.5
    """

    name: ClassVar[str] = "prior"
    example: ClassVar[str] = "prior=0.3"

    prior: Prior

    def find(self, held: HeldOut, thresholds: Thresholds) -> int:
        """Return the threshold whose share of unlabelled rows is nearest to alpha."""
        wanted = self.resolve_prior(held).shares.alpha * len(held.score_unl)
        return int(np.argmin(np.abs(thresholds.rest_above - wanted)))
