"""Rank pruning: the unlabelled rows that look most positive are taken out before the last fit."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from angularpu.checks import check_whole
from angularpu.classical.base import AroundClassifier, Learnt
from angularpu.classical.base_classifier import Matrix, check_base, fit_base
from angularpu.classical.cross_fitting import cross_fit_labels

LEAST_KEPT = 10


@dataclass(frozen=True)
class Noise:
    """What the out-of-fold probabilities tell about the hidden positives.

    Attributes
    ----------
    lower_bound : float
        LB, the mean of g over P; a row at or above it is counted as positive.
    rho1 : float in [0, 1)
        P(s=0|y=1): the share of unlabelled rows among those at or above LB.
    prior : float
        p_y = p_s/(1 - rho1), the share of positives among all rows; may exceed 1 when g tells nothing.
    pi0 : float in [0, 1]
        P(y=1|s=0) = rho1 p_y/(1 - p_s), the share of positives among the unlabelled rows.
    """

    lower_bound: float
    rho1: float
    prior: float
    pi0: float


@dataclass(frozen=True, kw_only=True, eq=False)
class RankPruning(AroundClassifier):
    """Score a row by a classifier that never saw the pi0 n_U unlabelled rows most like positives.

    Northcutt, Wu and Chuang 2017, with rho0 = P(s=1|y=0) = 0: no negative carries a label, so no labelled row is
    pruned, unlabelled rows weigh 1, and the upper bound UB, which serves rho0 alone, is not needed. Labelled rows weigh
    1/(1 - rho1) in the last fit, whose log-odds are the score.

    Parameters
    ----------
    base : scikit-learn classifier with probabilities and row weights, optional
    folds : int, default 3
        How many folds give the out-of-fold probabilities, at least 2.

    Examples
    --------
    >>> rng = np.random.default_rng(0)
    >>> x = np.concatenate([rng.normal(3, 1, (200, 1)), rng.normal(-3, 1, (200, 1))]).astype(np.float32)
    >>> s = (np.arange(400) < 100).astype(np.int8)
    >>> model = RankPruning().fit(x, s, rng=rng)
    >>> bool(abs(model.numbers()["rho1"] - 0.5) < 0.1), model.score(x[[0, -1]]) > 0
    (True, array([ True, False]))
    """

    folds: int = 3

    def __post_init__(self) -> None:
        check_base(self.base, "probabilities", "weights")
        check_whole("folds", self.folds, low=2)

    def _learn(self, x: Matrix, s: NDArray[np.int8], rng: np.random.Generator) -> Learnt:
        g = cross_fit_labels(self.base, x, s=s, folds=self.folds, rng=rng)
        noise = estimate_noise(g, s)
        kept = prune(g, s, pi0=noise.pi0)
        weight = np.where(s[kept] == 1, 1 / (1 - noise.rho1), 1.0)
        classifier = fit_base(self.base, x[kept], s[kept], rng=rng, weight=weight)
        return Learnt({"classifier": classifier}, {**vars(noise), "pruned": len(s) - len(kept)})


def estimate_noise(g: NDArray[np.float64], s: NDArray[np.int8]) -> Noise:
    """Count how many confident positives carry no label.

    Parameters
    ----------
    g : float64 array of shape (n,), in [0, 1]
        P(s=1|x), out of fold.
    s : int8 array of shape (n,)

    Examples
    --------
    >>> estimate_noise(np.array([0.8, 0.6, 0.9, 0.1, 0.2, 0.1]), np.array([1, 1, 0, 0, 0, 0], np.int8)).rho1
    0.5
    """
    lower_bound = float(g[s == 1].mean())
    confident = g >= min(lower_bound, float(g[s == 1].max()))  # rounding may lift a mean of equal numbers above them
    rho1 = float(np.mean(s[confident] == 0))
    p_s = float(np.mean(s == 1))
    prior = p_s / (1 - rho1)
    return Noise(lower_bound, rho1, prior, min(1.0, rho1 * prior / (1 - p_s)))


def prune(g: NDArray[np.float64], s: NDArray[np.int8], *, pi0: float) -> NDArray[np.int64]:
    """Return the rows that stay when the pi0 n_U unlabelled rows of highest g go; ten unlabelled rows always stay.

    Examples
    --------
    >>> prune(np.array([0.9, *np.linspace(0, 1, 20)]), np.array([1] + [0] * 20, np.int8), pi0=0.5)
    array([ 0,  1,  2,  3,  4,  5,  6,  7,  8,  9, 10])
    """
    unl = np.flatnonzero(s == 0)
    n_pruned = max(0, min(int(pi0 * len(unl)), len(unl) - LEAST_KEPT))
    rising = unl[np.argsort(g[unl], kind="stable")]
    return np.sort(np.concatenate([np.flatnonzero(s == 1), rising[: len(unl) - n_pruned]]))
