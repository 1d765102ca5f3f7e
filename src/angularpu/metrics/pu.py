"""Measures that need labelled positives and unlabelled rows only."""

from angularpu.errors import SettingError
from angularpu.metrics.cuts import Score
from angularpu.metrics.ranking import auc


def pu_auc(score_pos: Score, score_unl: Score) -> float:
    """Return the chance that a labelled positive scores above an unlabelled row.

    Under SCAR it rises with the AUC, AUC_PU = alpha/2 + (1 - alpha) AUC, so it can choose between models; with labels
    that favour some positives it favours models that rank those high.

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

    It is not clipped: a value beyond 1 by more than chance says that alpha is too high or of the wrong population.

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
    if not 0 <= alpha < 1:
        raise SettingError(
            f"alpha must lie in [0, 1), got {alpha:g}; it is the share of positives among the unlabelled rows"
        )
    return (auc_pu - alpha / 2) / (1 - alpha)
