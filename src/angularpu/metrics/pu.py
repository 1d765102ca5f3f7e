"""Metrics of a ranking that need labelled positives and unlabelled rows only."""

from angularpu.metrics.cuts import Score
from angularpu.metrics.mixture import Same, check_alpha
from angularpu.metrics.ranking import auc


def pu_auc(score_pos: Score, score_unl: Score) -> float:
    """Return the chance that a labelled positive scores above an unlabelled row.

    Under SCAR it rises with the AUC, AUC_PU = alpha/2 + (1 - alpha) AUC, so it can choose between models. If some
    positives are labelled more often, it favours models that rank these high.

    Parameters
    ----------
    score_pos : float array of shape (n_pos,)
        Scores of labelled positives that were not trained on.
    score_unl : float array of shape (n_unl,)
        Scores of unlabelled rows.

    Examples
    --------
    >>> import numpy as np
    >>> pu_auc(np.array([2.0, 3.0]), np.array([1.0, 2.0, 3.0, 0.0]))
    0.75
    """
    return auc(score_pos, score_unl)


def correct_auc(auc_pu: float, *, alpha: float) -> float:
    """Recover the AUC of positives against negatives, AUC = (AUC_PU - alpha/2)/(1 - alpha).

    It is not clipped: a value above 1 by more than chance means that alpha is too high or of other rows.

    Parameters
    ----------
    auc_pu : float
        What :func:`pu_auc` returned.
    alpha : float in [0, 1)
        Share of positives among the unlabelled rows, in the one-sample scenario too.

    Examples
    --------
    >>> correct_auc(0.75, alpha=0.4)
    0.9166666666666667
    """
    check_alpha(alpha)
    return (auc_pu - alpha / 2) / (1 - alpha)


def area_under_lift(auc: float, *, share: float) -> float:
    """Return the chance that a positive scores above any row of the target, AUL = rho/2 + (1 - rho) AUC.

    For the unlabelled rows (rho = alpha) it is the PU-AUC itself, and for the population of the one-sample scenario
    it is w/2 + (1 - w) AUC_PU with w = n_P/(n_P + n_U): the AUL is the one metric of a ranking that needs no alpha.

    Parameters
    ----------
    auc : float
        The AUC of positives against negatives; see :func:`correct_auc`.
    share : float in [0, 1]
        rho, the share of positives in the target: alpha or the prior.

    Examples
    --------
    >>> area_under_lift(correct_auc(0.75, alpha=0.4), share=0.4)
    0.75
    """
    return share / 2 + (1 - share) * auc


def proxy_accuracy(recall: Same, called: Same, *, share: float) -> Same:
    """Return the accuracy plus the share of positives, 2 rho R + P(-), by which thresholds or models compare.

    accuracy = rho R + (1 - rho)(1 - FPR) and P(+) = rho R + (1 - rho) FPR, so accuracy = 2 rho R + (1 - P(+)) - rho.
    For the unlabelled rows, and in the two-sample scenario, P(-) is the share of unlabelled rows not called; for the
    population of the one-sample scenario it is the share of all rows, labelled and unlabelled, not called.

    Parameters
    ----------
    recall : float or array, in [0, 1]
        R, the share of the labelled positives above the threshold.
    called : float or array, in [0, 1]
        P(+) = 1 - P(-), the share of the target above it; see :func:`angularpu.metrics.mixture.share_called`.
    share : float in [0, 1]
        rho, the share of positives in the target: alpha or the prior.

    Examples
    --------
    >>> proxy_accuracy(1.0, 0.5, share=0.5)
    1.5
    """
    return 2 * share * recall + (1 - called)
