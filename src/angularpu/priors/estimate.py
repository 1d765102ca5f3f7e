"""An estimate as it is reported: alpha with its interval, the prior, the label frequency and notes."""

import dataclasses
from dataclasses import dataclass
from typing import Any

from angularpu.priors.alpha import Alpha
from angularpu.scenario.proportions import Proportions
from angularpu.scenario.sample import Scenario


@dataclass(frozen=True)
class PriorEstimate:
    """The shares of positives that one estimator found.

    Attributes
    ----------
    name : str
        Name of the estimator.
    alpha : float in [0, 1]
        Share of positives among the unlabelled rows.
    prior : float in [0, 1]
        Share of positives in the population, by the sample's scenario.
    label_freq : float in (0, 1]
        Labelled part of the positives at hand.
    low, high : float in [0, 1]
        Ends of the interval for alpha.
    diagnostics : dict of str to float
    notes : tuple of str
    """

    name: str
    alpha: float
    prior: float
    label_freq: float
    low: float
    high: float
    diagnostics: dict[str, float]
    notes: tuple[str, ...]

    def to_json(self) -> dict[str, Any]:
        """Return the estimate as a dictionary of JSON types."""
        return {**dataclasses.asdict(self), "notes": list(self.notes)}


def describe(
    alpha: Alpha, *, name: str, low: float, high: float, n_pos: int, n_unl: int, scenario: Scenario
) -> PriorEstimate:
    """Derive the prior and the label frequency from alpha, by the scenario of the sample.

    Parameters
    ----------
    alpha : Alpha
        What the estimator returned.
    name : str
        Name of the estimator.
    low, high : float in [0, 1]
        Ends of the interval for alpha.
    n_pos, n_unl : int
        Labelled positives and unlabelled rows in the whole sample.
    scenario : {"one-sample", "two-sample"}
        How the labels came about.

    Examples
    --------
    >>> estimate = describe(Alpha(0.25), name="bbe", low=0.2, high=0.3, n_pos=100, n_unl=400, scenario="one-sample")
    >>> estimate.prior, estimate.label_freq
    (0.4, 0.5)
    """
    shares = Proportions(n_pos, n_unl, scenario, alpha.alpha)
    notes = alpha.notes
    if alpha.alpha in (0, 1):
        notes += (f"alpha came out as {alpha.alpha:g}, the edge of what is possible: do not use it as a prior",)
    return PriorEstimate(name, alpha.alpha, shares.prior, shares.label_freq, low, high, dict(alpha.diagnostics), notes)
