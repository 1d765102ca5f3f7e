"""Average precision from positives and unlabelled rows alone."""

import numpy as np

from angularpu.metrics.cuts import Score, check_scores
from angularpu.metrics.mixture import check_alpha, labelled_part
from angularpu.metrics.posterior import estimate_posterior
from angularpu.scenario.proportions import Proportions, Target


def estimate_average_precision(
    score_pos: Score, score_unl: Score, *, shares: Proportions, target: Target = "population"
) -> float:
    """Estimate the average precision of a score: each row of the target counts as the part p(s) of a positive.

    With w_i = p(s_i), the chance of being positive given the score (:func:`estimate_posterior`), precision above a cut
    is the mean of w there, and AP = sum_i w_i Prec_i / sum_i w_i from the highest score down. The plain
    sum of (R_j - R_(j-1)) rho R_j/P_j(+) divides by the few unlabelled rows above the topmost positives: with a hundred
    of these it lies above 1 in a quarter of the samples or more. This one lies in [0, 1].

    Parameters
    ----------
    score_pos : float array of shape (n_pos,)
        Scores of labelled positives that were not trained on.
    score_unl : float array of shape (n_unl,)
        Scores of unlabelled rows that were not trained on.
    shares : Proportions
        Of the whole sample; alpha below 1.
    target : {"population", "unlabelled"}, default "population"
        The rows whose AP is wanted.

    Examples
    --------
    >>> rng = np.random.default_rng(0)
    >>> score_pos, score_unl = rng.normal(2, 1, 100), np.append(rng.normal(2, 1, 1500), rng.normal(0, 1, 3500))
    >>> shares = Proportions(n_pos=100, n_unl=5000, scenario="two-sample", alpha=0.3)
    >>> round(estimate_average_precision(score_pos, score_unl, shares=shares), 2)  # the truth is 0.85
    0.87
    """
    check_scores(score_pos)
    check_scores(score_unl)
    check_alpha(shares.alpha)
    knots, probability = estimate_posterior(score_pos, score_unl, shares=shares, target=target)
    labelled = labelled_part(shares, target=target)
    score = np.concatenate([score_pos, score_unl]).astype(np.float64)
    mass = np.repeat([labelled / len(score_pos), (1 - labelled) / len(score_unl)], [len(score_pos), len(score_unl)])
    value, place = np.unique(-score, return_inverse=True)  # the highest first; equal scores are one cut
    rows = np.bincount(place, mass)
    positives = rows * np.interp(-value, knots, probability)
    above = np.cumsum(rows)
    precision = np.divide(np.cumsum(positives), above, out=np.zeros(len(above)), where=above > 0)
    whole = positives.sum()
    return float(np.sum(positives * precision) / whole) if whole else 0.0
