"""Gradient boosting on soft labels whose mean over the unlabelled rows is alpha."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import brentq
from scipy.special import expit

from angularpu.checks import check_share, check_whole
from angularpu.classical.base import AroundClassifier, Learnt
from angularpu.classical.base_classifier import Matrix, check_base, to_log_odds
from angularpu.classical.cross_fitting import cross_fit, cross_fit_labels
from angularpu.classical.soft_labels import fit_soft

LARGEST_SHIFT = 100.0  # log-odds are cut at 36, so this shift takes any of them beyond any share


@dataclass(frozen=True, kw_only=True, eq=False)
class PUBoosting(AroundClassifier):
    """Score a row by boosted trees that take each unlabelled row as positive by w and as negative by 1 - w.

    w starts as alpha f_P/f_U, taken from the out-of-fold odds of P against U. A round fits on these soft labels and
    renews w from the out-of-fold log-odds of that fit. Every w has mean alpha over U. With exact probabilities a round
    changes nothing: w is then P(y=1|x, s=0). A last fit on all rows gives the score, its log-odds.

    Parameters
    ----------
    alpha : float in (0, 1)
        alpha, the share of positives among the unlabelled rows.
    base : scikit-learn classifier with probabilities and row weights, optional
        By default histogram gradient boosting, and for sparse rows, which it cannot read, logistic regression.
    rounds : int, default 2
        How often w is renewed, at least 0.
    folds : int, default 3
        How many folds give the out-of-fold probabilities, at least 2.

    Examples
    --------
    >>> from sklearn.linear_model import LogisticRegression
    >>> rng = np.random.default_rng(0)
    >>> x = np.concatenate([rng.normal(3, 1, (200, 1)), rng.normal(-3, 1, (200, 1))]).astype(np.float32)
    >>> s = (np.arange(400) < 100).astype(np.int8)
    >>> PUBoosting(alpha=1 / 3, base=LogisticRegression()).fit(x, s, rng=rng).score(x[[0, -1]]) > 0
    array([ True, False])
    """

    alpha: float
    rounds: int = 2
    folds: int = 3

    def __post_init__(self) -> None:
        check_base(self.base, "probabilities", "weights")
        check_share("alpha", self.alpha)
        check_whole("rounds", self.rounds, low=0)
        check_whole("folds", self.folds, low=2)

    def _learn(self, x: Matrix, s: NDArray[np.int8], rng: np.random.Generator) -> Learnt:
        def fit_shares(train: NDArray[np.int64]) -> Any:
            return fit_soft(self.base, x[train], s=s[train], share=w[train], rng=rng)

        w = start_shares(cross_fit_labels(self.base, x, s=s, folds=self.folds, rng=rng), s, alpha=self.alpha)
        change = 0.0
        for _ in range(self.rounds):
            probability = cross_fit(fit_shares, x, s=s, folds=self.folds, rng=rng)
            renewed = match_alpha(probability, s, alpha=self.alpha)
            change = float(np.abs(renewed - w)[s == 0].mean())
            w = renewed
        return Learnt({"classifier": fit_soft(self.base, x, s=s, share=w, rng=rng)}, {"last_change": change})


def start_shares(g: NDArray[np.float64], s: NDArray[np.int8], *, alpha: float) -> NDArray[np.float64]:
    """Return w = min(1, k g/(1 - g)) with the k that makes its mean over the unlabelled rows alpha.

    g/(1 - g) is f_P/f_U but for a constant, so w is alpha f_P/f_U, cut at 1.

    Parameters
    ----------
    g : float64 array of shape (n,), in [0, 1]
        P(s=1|x), out of fold.
    s : int8 array of shape (n,)
    alpha : float in (0, 1)

    Examples
    --------
    >>> start_shares(np.array([0.5, 0.5, 0.2, 0.2]), np.array([1, 0, 0, 0], np.int8), alpha=0.25).round(3)
    array([0.5  , 0.5  , 0.125, 0.125])
    """
    odds = to_log_odds(g)
    unl = odds[s == 0]
    shift = brentq(lambda b: float(np.exp(np.minimum(0, unl + b)).mean()) - alpha, -LARGEST_SHIFT, LARGEST_SHIFT)
    share: NDArray[np.float64] = np.exp(np.minimum(0, odds + shift))
    return share


def match_alpha(probability: NDArray[np.float64], s: NDArray[np.int8], *, alpha: float) -> NDArray[np.float64]:
    """Shift all log-odds by one constant so that the mean probability of the unlabelled rows is alpha.

    A change of the class prior alone is such a shift (Bayes).

    Parameters
    ----------
    probability : float64 array of shape (n,), in [0, 1]
    s : int8 array of shape (n,)
    alpha : float in (0, 1)

    Examples
    --------
    >>> match_alpha(np.array([0.9, 0.5, 0.5]), np.array([1, 0, 0], np.int8), alpha=0.2).round(3)
    array([0.692, 0.2  , 0.2  ])
    """
    odds = to_log_odds(probability)
    unl = odds[s == 0]
    shift = brentq(lambda b: float(expit(unl + b).mean()) - alpha, -LARGEST_SHIFT, LARGEST_SHIFT)
    share: NDArray[np.float64] = expit(odds + shift)
    return share
