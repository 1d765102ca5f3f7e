"""The three shares that describe a PU sample, and how each follows from the others."""

from dataclasses import dataclass
from typing import Literal, get_args

from angularpu.errors import SettingError
from angularpu.scenario.sample import Scenario, check_scenario

Target = Literal["population", "unlabelled"]


@dataclass(frozen=True)
class Proportions:
    """The share of positives among the unlabelled rows and in the population, and the labelled part of the positives.

    With n_P labelled positives and n_U unlabelled rows of which a share alpha is positive:

    - one-sample: pi = (n_P + alpha n_U)/(n_P + n_U), so pi is at least n_P/(n_P + n_U);
    - two-sample: pi = alpha, because the unlabelled rows are the population;
    - label frequency c = n_P/(n_P + alpha n_U): the labelled part of the positives in the sample, in both scenarios.
      Only in the one-sample scenario is it also the chance that a positive of the population has a label.

    Parameters
    ----------
    n_pos, n_unl : int
        Sizes of the whole sample, at least one each.
    scenario : {"one-sample", "two-sample"}
        How the labels came about.
    alpha : float in [0, 1]
        Share of positives among the unlabelled rows.

    Examples
    --------
    >>> shares = Proportions(n_pos=100, n_unl=400, scenario="one-sample", alpha=0.25)
    >>> shares.prior, shares.label_freq
    (0.4, 0.5)
    >>> Proportions.from_prior(0.4, n_pos=100, n_unl=400, scenario="two-sample").alpha
    0.4
    """

    n_pos: int
    n_unl: int
    scenario: Scenario
    alpha: float

    def __post_init__(self) -> None:
        check_scenario(self.scenario)
        if self.n_pos < 1 or self.n_unl < 1:
            raise SettingError(
                f"n_pos and n_unl must be at least 1, got {self.n_pos} and {self.n_unl}; count the whole sample"
            )
        if not 0 <= self.alpha <= 1:
            raise SettingError(
                f"alpha must lie in [0, 1], got {self.alpha:g}; it is the share of positives among the unlabelled rows"
            )

    @classmethod
    def from_prior(cls, prior: float, *, n_pos: int, n_unl: int, scenario: Scenario) -> "Proportions":
        """Derive the shares from the prior pi, the share of positives in the population."""
        n = n_pos + n_unl
        least = cls(n_pos, n_unl, scenario, alpha=0.0).prior
        if not least <= prior <= 1:
            reason = f"{n_pos} of {n} rows are labelled positive already" if least else "it is a share"
            raise SettingError(
                f"prior must lie in [{least:.6g}, 1] in the {scenario} scenario, got {prior:g}; {reason}"
            )
        alpha = max(0.0, (prior * n - n_pos) / n_unl) if scenario == "one-sample" else prior
        return cls(n_pos, n_unl, scenario, min(1.0, alpha))

    @classmethod
    def from_label_freq(cls, label_freq: float, *, n_pos: int, n_unl: int, scenario: Scenario) -> "Proportions":
        """Derive the shares from the label frequency c."""
        least = cls(n_pos, n_unl, scenario, alpha=1.0).label_freq
        if not least <= label_freq <= 1:
            raise SettingError(
                f"label_freq must lie in [{least:.6g}, 1], got {label_freq:g}; "
                f"even if all {n_unl} unlabelled rows were positive, {least:.6g} of the positives would be labelled"
            )
        return cls(n_pos, n_unl, scenario, min(1.0, n_pos * (1 / label_freq - 1) / n_unl))

    @classmethod
    def from_share(cls, share: float, *, target: Target, n_pos: int, n_unl: int, scenario: Scenario) -> "Proportions":
        """Derive the shares from the share of positives in ``target``: the prior or alpha."""
        check_target(target)
        if target == "unlabelled":
            return cls(n_pos, n_unl, scenario, share)
        return cls.from_prior(share, n_pos=n_pos, n_unl=n_unl, scenario=scenario)

    @property
    def prior(self) -> float:
        """The share pi of positives in the population."""
        if self.scenario == "two-sample":
            return self.alpha
        return (self.n_pos + self.alpha * self.n_unl) / (self.n_pos + self.n_unl)

    @property
    def label_freq(self) -> float:
        """The labelled part c of the positives in the sample."""
        return self.n_pos / (self.n_pos + self.alpha * self.n_unl)

    def share(self, target: Target) -> float:
        """Return the share of positives in ``target``: the prior or alpha."""
        return self.alpha if target == "unlabelled" else self.prior


def check_target(target: str) -> None:
    """Refuse a target that does not exist.

    >>> check_target("population")
    """
    if target not in get_args(Target):
        raise SettingError(
            f'target must be "population" or "unlabelled", got {target!r}; new rows usually follow the population'
        )
