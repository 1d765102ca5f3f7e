"""The risk of a score as a classifier, from positives and unlabelled rows."""

from collections.abc import Callable
from typing import Literal, NamedTuple, get_args

import numpy as np
from numpy.typing import NDArray
from scipy.special import expit

from angularpu.errors import SettingError
from angularpu.metrics.cuts import Score, check_scores
from angularpu.metrics.mixture import check_alpha, labelled_part
from angularpu.scenario.proportions import Proportions, Target

Loss = Literal["sigmoid", "logistic"]


class _Parts(NamedTuple):
    """The parts of a risk that come from positives and from negatives."""

    positives: float
    negatives: float


def upu_risk(
    score_pos: Score, score_unl: Score, *, shares: Proportions, target: Target = "population", loss: Loss = "sigmoid"
) -> float:
    """Estimate the expected loss without bias; the estimate may be below zero (uPU).

    R = rho E_P[l(g)] + (1 - w)(E_U[l(-g)] - alpha E_P[l(-g)]), where rho is the target's share of positives and w the
    part of the target that is labelled: n_P/(n_P + n_U) for the population of the one-sample scenario, otherwise 0. The
    second term is (1 - rho) E_N[l(-g)]. With w = 0 this is du Plessis' estimator.

    Parameters
    ----------
    score_pos, score_unl : float arrays
        g of held-out labelled positives and unlabelled rows: scores minus the threshold, so above 0 where a row is
        called positive.
    shares : Proportions
        Of the whole sample.
    target : {"population", "unlabelled"}, default "population"
        The rows whose risk is wanted.
    loss : {"sigmoid", "logistic"}, default "sigmoid"
        l(z) = 1/(1 + exp(z)), a soft error rate, or l(z) = log(1 + exp(-z)).

    Examples
    --------
    >>> shares = Proportions(n_pos=2, n_unl=2, scenario="two-sample", alpha=0.5)
    >>> upu_risk(np.array([50.0, 50.0]), np.array([50.0, -50.0]), shares=shares) < 1e-20
    True
    """
    return sum(_estimate(score_pos, score_unl, shares=shares, target=target, loss=loss))


def nnpu_risk(
    score_pos: Score, score_unl: Score, *, shares: Proportions, target: Target = "population", loss: Loss = "sigmoid"
) -> float:
    """Estimate the expected loss with the part of the negatives kept at zero or above (nnPU).

    R = rho E_P[l(g)] + max(0, (1 - w)(E_U[l(-g)] - alpha E_P[l(-g)])), as Kiryo et al. report it (beta = 0); the
    parameters are those of :func:`upu_risk`.

    Examples
    --------
    >>> shares = Proportions(n_pos=2, n_unl=2, scenario="two-sample", alpha=0.5)
    >>> score_pos, score_unl = np.array([0.0, 0.0]), np.array([-50.0, -50.0])
    >>> round(upu_risk(score_pos, score_unl, shares=shares), 6), nnpu_risk(score_pos, score_unl, shares=shares)
    (0.0, 0.25)
    """
    parts = _estimate(score_pos, score_unl, shares=shares, target=target, loss=loss)
    return parts.positives + max(0.0, parts.negatives)


def _estimate(score_pos: Score, score_unl: Score, *, shares: Proportions, target: Target, loss: Loss) -> _Parts:
    check_scores(score_pos)
    check_scores(score_unl)
    check_alpha(shares.alpha)
    if loss not in LOSSES:
        raise SettingError(f"loss must be one of {', '.join(get_args(Loss))}, got {loss!r}")
    penalise = LOSSES[loss]
    called_pos, called_neg, unl_called_neg = (
        float(penalise(margin.astype(np.float64)).mean()) for margin in (score_pos, -score_pos, -score_unl)
    )
    unlabelled = 1 - labelled_part(shares, target=target)
    return _Parts(shares.share(target) * called_pos, unlabelled * (unl_called_neg - shares.alpha * called_neg))


def _sigmoid(margin: NDArray[np.float64]) -> NDArray[np.float64]:
    return np.asarray(expit(-margin))


def _logistic(margin: NDArray[np.float64]) -> NDArray[np.float64]:
    return np.logaddexp(0.0, -margin)


LOSSES: dict[str, Callable[[NDArray[np.float64]], NDArray[np.float64]]] = {"sigmoid": _sigmoid, "logistic": _logistic}
