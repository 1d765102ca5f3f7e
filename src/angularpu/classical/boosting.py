"""Gradient boosting on soft labels whose mean over the unlabelled rows is the prior."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import brentq
from scipy.special import expit

from angularpu.classical.base import Classical, Learnt, check_count, check_share
from angularpu.classical.base_classifier import Matrix, check_base, fit_base, to_log_odds
from angularpu.classical.cross_fitting import cross_fit
from angularpu.classical.soft_labels import fit_soft

FARTHEST = 100.0  # log-odds are cut at 36, so this shift takes any of them beyond any prior


@dataclass(frozen=True, kw_only=True, eq=False)
class PUBoosting(Classical):
    """Score a row by boosted trees for which an unlabelled row is positive by w and negative by 1 - w, w found by turns.

    w starts from the out-of-fold log-odds of P against U. A round fits on the soft labels and takes the out-of-fold
    log-odds of that fit; each time they are shifted by the one constant b with which the mean of
    w = sigma(log-odds + b) over U is alpha. With exact probabilities the rounds stand still at
    w = alpha f_P/f_U = P(y=1|x) among the unlabelled rows. A last fit on all rows gives the score, its log-odds.

    Parameters
    ----------
    prior : float in (0, 1)
        alpha, the share of positives among the unlabelled rows.
    base : scikit-learn classifier with probabilities and row weights, optional
        By default histogram gradient boosting, and for sparse rows, which it cannot read, logistic regression.
    rounds : int, default 2
        At least 0.
    folds : int, default 3
        At least 2.

    Examples
    --------
    >>> rng = np.random.default_rng(0)
    >>> x = np.concatenate([rng.normal(3, 1, (200, 1)), rng.normal(-3, 1, (200, 1))]).astype(np.float32)
    >>> s = (np.arange(400) < 100).astype(np.int8)
    >>> PUBoosting(prior=1 / 3).fit(x, s, rng=rng).score(x[[0, -1]]) > 0
    array([ True, False])
    """

    prior: float
    rounds: int = 2
    folds: int = 3

    def __post_init__(self) -> None:
        check_base(self.base, "probabilities", "weights")
        check_share("prior", self.prior)
        check_count("rounds", self.rounds, least=0)
        check_count("folds", self.folds, least=2)

    def _learn(self, x: Matrix, s: NDArray[np.int8], rng: np.random.Generator) -> Learnt:
        def renew(share: NDArray[np.float64] | None) -> NDArray[np.float64]:
            def fit(train: NDArray[np.int64]) -> object:
                if share is None:
                    return fit_base(self.base, x[train], s[train], rng=rng)
                return fit_soft(self.base, x[train], s=s[train], share=share[train], rng=rng)

            return match_prior(cross_fit(fit, x, s=s, folds=self.folds, rng=rng), s, prior=self.prior)

        w, change = renew(None), 0.0
        for _ in range(self.rounds):
            before, w = w, renew(w)
            change = float(np.abs(w - before)[s == 0].mean())
        return Learnt({"classifier": fit_soft(self.base, x, s=s, share=w, rng=rng)}, {"last_change": change})


def match_prior(probability: NDArray[np.float64], s: NDArray[np.int8], *, prior: float) -> NDArray[np.float64]:
    """Shift all log-odds by one constant so that the mean probability of the unlabelled rows is the prior.

    A change of the class prior alone is such a shift (Bayes).

    Parameters
    ----------
    probability : float64 array of shape (n,), in [0, 1]
    s : int8 array of shape (n,)
    prior : float in (0, 1)

    Examples
    --------
    >>> match_prior(np.array([0.9, 0.5, 0.5]), np.array([1, 0, 0], np.int8), prior=0.2).round(3)
    array([0.692, 0.2  , 0.2  ])
    """
    odds = to_log_odds(probability)
    unl = odds[s == 0]
    shift = brentq(lambda b: float(expit(unl + b).mean()) - prior, -FARTHEST, FARTHEST)
    share: NDArray[np.float64] = expit(odds + shift)
    return share
