"""The share of positives a rule is told, or the estimator that finds it from the rule's own scores."""

from collections.abc import Callable
from dataclasses import dataclass
from numbers import Real

import numpy as np

from angularpu.checks import suggest
from angularpu.decide.held_out import HeldOut
from angularpu.errors import DataError, SettingError
from angularpu.metrics.cuts import Score
from angularpu.priors.alpha import Alpha
from angularpu.priors.bbe import estimate_bbe
from angularpu.priors.dedpul import estimate_dedpul
from angularpu.priors.inputs import LEAST_POSITIVES
from angularpu.priors.table import ESTIMATORS as ALL
from angularpu.scenario.proportions import Proportions, Target
from angularpu.scenario.sample import Scenario

Prior = float | str

# The estimators that any monotone score will do for. The others need the rows, or the log-odds of a label.
ESTIMATORS: dict[str, Callable[[Score, Score], Alpha]] = {"bbe": estimate_bbe, "dedpul": estimate_dedpul}


@dataclass(frozen=True)
class Settled:
    """A prior that is known now.

    Attributes
    ----------
    shares : Proportions
        The shares of positives.
    target : {"population", "unlabelled"}
        The rows to decide about.
    notes : tuple of str
        What the estimator had to say, a sentence each.
    """

    shares: Proportions
    target: Target
    notes: tuple[str, ...] = ()

    @property
    def share(self) -> float:
        """The share of positives in the target."""
        return self.shares.share(self.target)


def check_prior(prior: Prior) -> None:
    """Refuse a prior that is neither a share nor the name of an estimator.

    >>> check_prior(0.3)
    >>> check_prior("bbe")
    """
    if isinstance(prior, str):
        if prior not in ALL:
            raise SettingError(f"prior must be a number or an estimator's name, got {prior!r}; {suggest(prior, ALL)}")
    elif not isinstance(prior, Real) or not 0 < prior < 1:
        raise SettingError(f"prior must lie in (0, 1), got {prior!r}; write prior=bbe to estimate it")


def check_counts(prior: Prior, *, target: Target, n_pos: int, n_unl: int, scenario: Scenario) -> None:
    """Refuse a number that these counts rule out, or an estimator for which they are too few.

    >>> check_counts(0.3, target="population", n_pos=10, n_unl=90, scenario="one-sample")
    """
    if not isinstance(prior, str):
        Proportions.from_share(prior, target=target, n_pos=n_pos, n_unl=n_unl, scenario=scenario)
    elif n_pos < LEAST_POSITIVES:
        raise DataError(
            f"prior={prior} takes at least {LEAST_POSITIVES} labelled positives, got {n_pos}; "
            "write the prior as a number, or take lee-liu, which needs none"
        )


def settle_prior(prior: Prior, held: HeldOut, *, target: Target) -> Settled:
    """Turn a prior into the shares of positives, estimating alpha from the held-out scores when it is a name.

    Parameters
    ----------
    prior : float in (0, 1) or str
        The share of positives in ``target``, or one of :data:`ESTIMATORS`; others need more than scores.
    held : HeldOut
        Scores to estimate from, and the sample's counts and scenario.
    target : {"population", "unlabelled"}
        Of which rows a number is the share.

    Examples
    --------
    >>> held = HeldOut(np.array([2.0]), np.array([1.0]), n_pos=10, n_unl=30, scenario="two-sample", source="held out")
    >>> settle_prior(0.4, held, target="population").shares.alpha
    0.4
    """
    if not isinstance(prior, str):
        shares = Proportions.from_share(
            prior, target=target, n_pos=held.n_pos, n_unl=held.n_unl, scenario=held.scenario
        )
        return Settled(shares, target)
    if prior not in ESTIMATORS:
        raise SettingError(
            f"the prior estimator {prior} needs the rows, and only scores are at hand; write the number that "
            f"`angularpu prior` gives, or one of {', '.join(ESTIMATORS)}"
        )
    found = ESTIMATORS[prior](held.score_pos, held.score_unl)
    # Among m rows nothing tells a share of 0 or 1 from one within half a row of it.
    edge = 0.5 / len(held.score_unl)
    alpha = float(np.clip(found.alpha, edge, 1 - edge))
    return Settled(Proportions(held.n_pos, held.n_unl, held.scenario, alpha), target, found.notes)
