"""The spy technique: positives hidden among the unlabelled rows show which of those are negatives."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from angularpu.checks import check_share
from angularpu.classical.base import AroundClassifier, Learnt, count_share
from angularpu.classical.base_classifier import Matrix, check_base, compute_log_odds, fit_base

LEAST_NEGATIVES = 10


@dataclass(frozen=True, kw_only=True, eq=False)
class Spy(AroundClassifier):
    """Score a row by a classifier of P against reliable negatives, found with the help of spies.

    A share of P joins U as spies, and a first classifier learns P against U. Hidden positives score as the spies do,
    so unlabelled rows that score below most spies are taken as negatives (step 1 of S-EM, Liu et al. 2002). The second
    classifier learns all of P against those; the other unlabelled rows are left out.

    Parameters
    ----------
    base : scikit-learn classifier, optional
    share : float in (0, 1), default 0.15
        How many of the labelled positives are spies, at least one.
    noise : float in (0, 1), default 0.15
        The threshold is this quantile of the spies' scores: the share of hidden positives that may lie below it.

    Examples
    --------
    >>> rng = np.random.default_rng(0)
    >>> x = np.concatenate([rng.normal(3, 1, (200, 1)), rng.normal(-3, 1, (200, 1))]).astype(np.float32)
    >>> s = (np.arange(400) < 100).astype(np.int8)
    >>> Spy().fit(x, s, rng=rng).score(x[[0, -1]]) > 0
    array([ True, False])
    """

    share: float = 0.15
    noise: float = 0.15

    def __post_init__(self) -> None:
        check_base(self.base)
        check_share("share", self.share)
        check_share("noise", self.noise)

    def _learn(self, x: Matrix, s: NDArray[np.int8], rng: np.random.Generator) -> Learnt:
        pos, unl = np.flatnonzero(s == 1), np.flatnonzero(s == 0)
        n_spies = count_share(len(pos), self.share)
        spies = rng.choice(pos, n_spies, replace=False)
        disguised = s.copy()
        disguised[spies] = 0
        first = fit_base(self.base, x, disguised, rng=rng)
        score_unl = compute_log_odds(first, x[unl])
        threshold = float(np.quantile(compute_log_odds(first, x[spies]), self.noise))
        negatives = unl[choose_negatives(score_unl, threshold)]
        rows = np.sort(np.concatenate([pos, negatives]))
        numbers = {"spies": n_spies, "threshold": threshold, "reliable_negatives": len(negatives)}
        return Learnt({"classifier": fit_base(self.base, x[rows], s[rows], rng=rng)}, numbers)


def choose_negatives(score_unl: NDArray[np.float64], threshold: float) -> NDArray[np.int64]:
    """Return the places of the scores not above the threshold, or of the ten lowest when fewer lie there.

    Scores equal to the threshold count: a tree gives one score to many rows, and nothing may lie strictly below.

    Examples
    --------
    >>> choose_negatives(np.arange(20.0), 12.0).max()
    np.int64(12)
    >>> choose_negatives(np.arange(20.0), -5.0)
    array([0, 1, 2, 3, 4, 5, 6, 7, 8, 9])
    """
    below = np.flatnonzero(score_unl <= threshold)
    if len(below) >= min(LEAST_NEGATIVES, len(score_unl)):
        return below
    return np.argsort(score_unl, kind="stable")[:LEAST_NEGATIVES]
