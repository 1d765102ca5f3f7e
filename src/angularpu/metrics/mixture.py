"""What lies above a threshold, solved from f_U = alpha f_P + (1 - alpha) f_N.

The formulas take one threshold or an array of them. Under SCAR the labelled positives are like all positives, so their
recall R and the share P_U(+) of unlabelled rows above a threshold determine everything else.
"""

from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from angularpu.errors import SettingError
from angularpu.scenario.proportions import Proportions, Target, check_target
from angularpu.scenario.sample import Scenario

Share = float | NDArray[np.float64]
Same = TypeVar("Same", float, NDArray[np.float64])


def solve_fpr(recall: Share, unl_share: Share, *, alpha: float) -> NDArray[np.float64]:
    """Find the share of the negatives above a threshold, FPR = (P_U(+) - alpha R)/(1 - alpha).

    It is the same for both targets, because all negatives are unlabelled. It is not clipped.

    Parameters
    ----------
    recall : float or array, in [0, 1]
        R, the share of the labelled positives above.
    unl_share : float or array, in [0, 1]
        P_U(+), the share of the unlabelled rows above.
    alpha : float in [0, 1)
        Share of positives among the unlabelled rows.

    Examples
    --------
    >>> float(solve_fpr(0.75, 0.5, alpha=0.5))
    0.25
    """
    check_alpha(alpha)
    return (np.asarray(unl_share) - alpha * np.asarray(recall)) / (1 - alpha)


def share_called(recall: Share, unl_share: Share, *, shares: Proportions, target: Target) -> NDArray[np.float64]:
    """Find the share P(+) of the target that lies above a threshold.

    - unlabelled rows, and the population of the two-sample scenario: P_U(+);
    - population of the one-sample scenario: (n_P R + n_U P_U(+))/(n_P + n_U), labelled and unlabelled rows together.

    Parameters
    ----------
    recall : float or array, in [0, 1]
        R, the share of the labelled positives above.
    unl_share : float or array, in [0, 1]
        P_U(+), the share of the unlabelled rows above.
    shares : Proportions
        Of the whole sample.
    target : {"population", "unlabelled"}
        The rows whose share is wanted.

    Examples
    --------
    >>> shares = Proportions(n_pos=100, n_unl=300, scenario="one-sample", alpha=0.5)
    >>> float(share_called(1.0, 0.5, shares=shares, target="population"))
    0.625
    """
    labelled = labelled_part(shares, target=target)
    return mean_called(np.asarray(recall), np.asarray(unl_share), weights=(labelled, 1 - labelled))


def mean_called(recall: Same, unl_share: Same, *, weights: tuple[float, float]) -> Same:
    """Average the shares of labelled positives and of unlabelled rows above a threshold, (a R + b P_U(+))/(a + b).

    Parameters
    ----------
    recall : float or array, in [0, 1]
        R, the share of the labelled positives above.
    unl_share : float or array, in [0, 1]
        P_U(+), the share of the unlabelled rows above.
    weights : pair of float
        a and b, how much the labelled positives and the unlabelled rows count.

    Examples
    --------
    >>> mean_called(1.0, 0.5, weights=(100, 300))
    0.625
    """
    return (weights[0] * recall + weights[1] * unl_share) / (weights[0] + weights[1])


def contains_labelled(target: Target, scenario: Scenario) -> bool:
    """Tell whether the labelled positives are rows of the target: only of the population of the one-sample scenario.

    >>> contains_labelled("population", "one-sample"), contains_labelled("population", "two-sample")
    (True, False)
    """
    check_target(target)
    return target == "population" and scenario == "one-sample"


def labelled_part(shares: Proportions, *, target: Target) -> float:
    """Return which part of the target is labelled: n_P/(n_P + n_U), or 0 where the target holds no labelled rows.

    >>> shares = Proportions(n_pos=100, n_unl=300, scenario="one-sample", alpha=0.5)
    >>> labelled_part(shares, target="population"), labelled_part(shares, target="unlabelled")
    (0.25, 0.0)
    """
    return shares.n_pos / (shares.n_pos + shares.n_unl) if contains_labelled(target, shares.scenario) else 0.0


def solve_precision(recall: Share, called: Share, *, share: Share) -> NDArray[np.float64]:
    """Find the precision rho R/P(+), the share of positives among the rows above a threshold.

    rho is the share of positives in the target. Where P(+) is 0 there is no ratio: the precision counts as 1 if some
    labelled positive lies above, because no negative does, and as 0 if nothing lies above at all. Nothing is clipped.

    Parameters
    ----------
    recall : float or array, in [0, 1]
        R, the share of the labelled positives above.
    called : float or array, in [0, 1]
        P(+) of the target; see :func:`share_called`.
    share : float or array, in [0, 1]
        rho, the share of positives in the target: alpha or the prior.

    Examples
    --------
    >>> solve_precision(np.array([0.0, 0.5, 1.0]), np.array([0.0, 0.25, 0.8]), share=0.4)
    array([0. , 0.8, 0.5])
    """
    hits, none = share * np.asarray(recall), np.asarray(called) == 0
    return np.where(none, hits > 0, hits / np.where(none, 1.0, called))


def check_alpha(alpha: float) -> None:
    """Refuse an alpha that leaves no negatives.

    >>> check_alpha(0.3)
    """
    if not 0 <= alpha < 1:
        raise SettingError(
            f"alpha must lie in [0, 1), got {alpha:g}; it is the share of positives among the unlabelled rows"
        )
