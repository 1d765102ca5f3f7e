"""Elkan and Noto's estimate: a classifier's mean probability on positives it was not trained on."""

import numpy as np
from scipy.special import expit

from angularpu.metrics.cuts import Score
from angularpu.priors.alpha import Alpha
from angularpu.priors.inputs import check_groups
from angularpu.priors.label_frequency import convert_label_freq
from angularpu.priors.likeness import note_likeness


def estimate_elkan_noto(score_pos: Score, score_unl: Score, *, n_pos: int, n_unl: int) -> Alpha:
    """Estimate the label frequency c by the mean probability of a label on held-out positives, and alpha from it.

    c = mean over held-out P of g(x), g(x) = sigma(score) = P(s = 1 | x) (Elkan and Noto 2008, estimator e1), and
    alpha = n_P (1/c - 1)/n_U. It is the only estimator here that needs calibrated probabilities. Where positives and
    negatives overlap, c comes out too low and alpha too high.

    Parameters
    ----------
    score_pos, score_unl : float arrays of shape (n_pos,) and (n_unl,)
        Log-odds of being labelled, from a classifier not trained on these rows.
    n_pos, n_unl : int
        Labelled and unlabelled rows in the sample on which the classifier was trained; they set its base rate.

    Returns
    -------
    Alpha
        With the diagnostics label_freq (c) and mean_unl, the mean of g over U.

    Examples
    --------
    >>> score_pos, score_unl = np.zeros(100), np.append(np.zeros(100), np.full(300, -9.0))
    >>> round(estimate_elkan_noto(score_pos, score_unl, n_pos=100, n_unl=400).alpha, 4)
    0.25
    """
    pos, unl = check_groups(score_pos, score_unl)
    label_freq = float(expit(pos).mean())
    alpha, notes = convert_label_freq(label_freq, n_pos=n_pos, n_unl=n_unl)
    diagnostics = {"label_freq": label_freq, "mean_unl": float(np.mean(expit(unl)))}
    return Alpha(alpha, diagnostics, notes + note_likeness(pos, unl))
