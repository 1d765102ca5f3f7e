"""The expected precision and F1 of a threshold, with 90 % intervals."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from angularpu.decide.held_out import HeldOut
from angularpu.decide.prior_setting import ResolvedPrior
from angularpu.decide.redraws import Redraws
from angularpu.metrics.mixture import solve_precision

SEED = 0  # equal scores give equal intervals, and a decision the same bytes
DRAWS = 4000
TAILS = (0.05, 0.95)

Shares = NDArray[np.float64]
Measure = Callable[..., Shares]  # of recall, share called and, by name, share of positives


@dataclass(frozen=True)
class PrecisionEstimate:
    """A precision and its 90 % interval; None if no row is called positive or no prior is known."""

    precision: float | None = None
    low: float | None = None
    high: float | None = None


def expect_precision(recall: Shares, called: Shares, *, share: float | Shares) -> Shares:
    """Estimate the precision rho R/P(+), clipped to [0, 1]; 0 where no row is called positive.

    Parameters
    ----------
    recall, called : float arrays of one shape
        Parts of the positives and of the target above each threshold.
    share : float or float array of the same shape
        rho, the share of positives in the target: the prior or alpha.

    Examples
    --------
    >>> expect_precision(np.array([0.8, 0.0]), np.array([0.4, 0.0]), share=0.3)
    array([0.6, 0. ])
    """
    return np.clip(solve_precision(recall, called, share=share), 0, 1)


def expect_f1(recall: Shares, called: Shares, *, share: float | Shares) -> Shares:
    """Estimate the F1 2 rho R/(rho + P(+)), clipped to [0, 1]; the parameters are those of :func:`expect_precision`.

    >>> expect_f1(np.array([0.8, 0.0]), np.array([0.4, 0.0]), share=0.4)
    array([0.8, 0. ])
    """
    return np.clip(2 * share * recall / (share + called), 0, 1)


def estimate_precision(
    held: HeldOut,
    threshold: float,
    *,
    resolved: ResolvedPrior,
    redraws: Redraws | None = None,
    least_alpha: float | None = None,
    optimism: float = 0.0,
) -> PrecisionEstimate:
    """Estimate the precision of a threshold on the target, with a 90 % interval.

    Given the share of positives, R and P_U(+) are drawn from the Beta laws that their counts imply (Jeffreys),
    independently of each other. If an estimator found the share, the scores were also drawn again with replacement and
    the share estimated from each draw; at either end the wider of the two intervals counts. An estimated share is an
    upper bound: the lower end is that of the least share that it leaves. ``optimism`` lowers the lower end.

    Parameters
    ----------
    held : HeldOut
        The scores the threshold was chosen with.
    threshold : float
    resolved : ResolvedPrior
        The shares of positives, given or estimated, and the target.
    redraws : Redraws, optional
        Of the scores at this threshold, if the shares were estimated from them.
    least_alpha : float, optional
        The least share of positives among the unlabelled rows that an estimate leaves; None if the share was given.
    optimism : float
        By how much the precision looks too high, because the same scores chose the threshold.

    Examples
    --------
    >>> from angularpu.decide.prior_setting import resolve_prior
    >>> held = HeldOut(np.arange(8.0), np.arange(-9.0, 7.0), 8, 16, "two-sample", "held out")
    >>> resolved = resolve_prior(0.25, held, target="population")
    >>> estimate_precision(held, 1.5, resolved=resolved).precision
    0.6
    """
    return _estimate(
        expect_precision,
        held,
        threshold,
        resolved=resolved,
        redraws=redraws,
        least_alpha=least_alpha,
        optimism=optimism,
    )


def estimate_f1(held: HeldOut, threshold: float, **settings: Any) -> PrecisionEstimate:
    """Estimate the F1 of a threshold as :func:`estimate_precision` does its precision, with the same settings."""
    return _estimate(expect_f1, held, threshold, **settings)


def _estimate(
    measure: Measure,
    held: HeldOut,
    threshold: float,
    *,
    resolved: ResolvedPrior,
    redraws: Redraws | None = None,
    least_alpha: float | None = None,
    optimism: float = 0.0,
) -> PrecisionEstimate:
    k, n = np.count_nonzero(held.score_pos > threshold), len(held.score_pos)
    j, m = np.count_nonzero(held.score_unl > threshold), len(held.score_unl)
    if k + j == 0:
        return PrecisionEstimate()
    rng = np.random.default_rng(SEED)
    recall = np.append(k / n, rng.beta(k + 0.5, n - k + 0.5, DRAWS))
    unl_share = np.append(j / m, rng.beta(j + 0.5, m - j + 0.5, DRAWS))
    called = held.share_called(recall, unl_share, target=resolved.target)
    precision = measure(recall, called, share=resolved.share)
    low, high = np.quantile(precision[1:], TAILS)
    if redraws is not None:
        called_again = held.share_called(redraws.recall, redraws.unl_share, target=resolved.target)
        redrawn = measure(redraws.recall, called_again, share=redraws.shares(held, target=resolved.target))
        low, high = min(low, np.quantile(redrawn, TAILS[0])), max(high, np.quantile(redrawn, TAILS[1]))
    if least_alpha is not None:
        least = replace(resolved.shares, alpha=min(least_alpha, resolved.shares.alpha)).share(resolved.target)
        low = min(low, np.quantile(measure(recall[1:], called[1:], share=least), TAILS[0]))
    value = float(precision[0])
    return PrecisionEstimate(value, max(0.0, min(float(low), value) - optimism), max(float(high), value))
