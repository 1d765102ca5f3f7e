"""The prior as a setting: a share of positives, or the name of an estimator that finds it from scores."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from angularpu.checks import check_share, suggest
from angularpu.decide.held_out import HeldOut
from angularpu.errors import DataError, SettingError
from angularpu.metrics.cuts import Score
from angularpu.priors.alpha import Alpha
from angularpu.priors.bbe import estimate_bbe
from angularpu.priors.dedpul import estimate_dedpul
from angularpu.priors.inputs import LEAST_POSITIVES
from angularpu.priors.table import ESTIMATORS
from angularpu.scenario.proportions import Proportions, Target
from angularpu.scenario.sample import Scenario

Prior = float | str
Share = TypeVar("Share", np.float64, NDArray[np.float64])

# The estimators that work with any score that ranks rows. The others need the rows, or the log-odds of a label.
SCORE_ESTIMATORS: dict[str, Callable[[Score, Score], Alpha]] = {"bbe": estimate_bbe, "dedpul": estimate_dedpul}


@dataclass(frozen=True)
class ResolvedPrior:
    """The shares of positives that a prior stands for, as numbers.

    Attributes
    ----------
    shares : Proportions
        The shares of positives, alpha among the unlabelled rows and the prior in the population.
    target : {"population", "unlabelled"}
        The rows to decide about.
    notes : tuple of str
        The estimator's notes, a sentence each.
    """

    shares: Proportions
    target: Target
    notes: tuple[str, ...] = ()

    @property
    def share(self) -> float:
        """The share of positives in the target: the prior or alpha."""
        return self.shares.share(self.target)


def check_prior(prior: Prior) -> None:
    """Refuse a prior that is neither a number in (0, 1) nor the name of an estimator.

    >>> check_prior(0.3)
    >>> check_prior("bbe")
    """
    if not isinstance(prior, str):
        check_share("prior", prior, advice="write prior=bbe to estimate it")
    elif prior not in ESTIMATORS:
        near = suggest(prior, ESTIMATORS)
        raise SettingError(f"prior must be a number or an estimator's name, got {prior!r}; {near}")


def check_counts(prior: Prior, *, target: Target, n_pos: int, n_unl: int, scenario: Scenario) -> None:
    """Refuse a prior that these counts make impossible, or an estimator that needs more labelled positives.

    >>> check_counts(0.3, target="population", n_pos=10, n_unl=90, scenario="one-sample")
    """
    if not isinstance(prior, str):
        Proportions.from_share(prior, target=target, n_pos=n_pos, n_unl=n_unl, scenario=scenario)
    elif n_pos < LEAST_POSITIVES:
        raise DataError(
            f"prior={prior} takes at least {LEAST_POSITIVES} labelled positives, got {n_pos}; "
            "write the prior as a number, or take lee-liu, which needs none"
        )


def resolve_prior(prior: Prior, held: HeldOut, *, target: Target) -> ResolvedPrior:
    """Turn a prior into numbers; if it is the name of an estimator, estimate alpha from the held-out scores.

    Parameters
    ----------
    prior : float in (0, 1) or str
        The share of positives in ``target``, or one of :data:`SCORE_ESTIMATORS`; others need more than scores.
    held : HeldOut
        Scores to estimate from, and the sample's counts and scenario.
    target : {"population", "unlabelled"}
        The rows whose share of positives ``prior`` is, if it is a number.

    Examples
    --------
    >>> held = HeldOut(np.array([2.0]), np.array([1.0]), n_pos=10, n_unl=30, scenario="two-sample", source="held out")
    >>> resolve_prior(0.4, held, target="population").shares.alpha
    0.4
    """
    if not isinstance(prior, str):
        shares = Proportions.from_share(
            prior, target=target, n_pos=held.n_pos, n_unl=held.n_unl, scenario=held.scenario
        )
        return ResolvedPrior(shares, target)
    if prior not in SCORE_ESTIMATORS:
        raise SettingError(
            f"the prior estimator {prior} needs the rows, and only scores are at hand; write the number that "
            f"`angularpu prior` gives, or one of {', '.join(SCORE_ESTIMATORS)}"
        )
    found = SCORE_ESTIMATORS[prior](held.score_pos, held.score_unl)
    alpha = float(keep_inside(np.float64(found.alpha), len(held.score_unl)))
    return ResolvedPrior(Proportions(held.n_pos, held.n_unl, held.scenario, alpha), target, found.notes)


def keep_inside(alpha: Share, m: int) -> Share:
    """Move shares away from 0 and 1: in m rows these cannot be told from shares less than half a row away."""
    return np.clip(alpha, 0.5 / m, 1 - 0.5 / m)
