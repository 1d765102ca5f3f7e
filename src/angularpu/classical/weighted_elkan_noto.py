"""Elkan and Noto's weighted form: each unlabelled row counts as positive in part."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from angularpu.checks import check_whole
from angularpu.classical.base import AroundClassifier, Learnt
from angularpu.classical.base_classifier import SMALLEST, Matrix, check_base
from angularpu.classical.cross_fitting import cross_fit_labels
from angularpu.classical.soft_labels import fit_soft


@dataclass(frozen=True, kw_only=True, eq=False)
class WeightedElkanNoto(AroundClassifier):
    """Score a row by a classifier that takes each unlabelled row as positive by w and as negative by 1 - w.

    w(x) = P(y=1|x, s=0) = (1 - c)/c * g(x)/(1 - g(x)) (Elkan and Noto 2008, section 3), cut to [0, 1], with
    g(x) = P(s=1|x) out of fold and c its mean over P. The score is the second classifier's log-odds.

    Parameters
    ----------
    base : scikit-learn classifier with probabilities and row weights, optional
    folds : int, default 5
        How many folds give the out-of-fold probabilities, at least 2.

    Examples
    --------
    >>> from sklearn.linear_model import LogisticRegression
    >>> rng = np.random.default_rng(0)
    >>> x = np.concatenate([rng.normal(3, 1, (200, 1)), rng.normal(-3, 1, (200, 1))]).astype(np.float32)
    >>> s = (np.arange(400) < 100).astype(np.int8)
    >>> WeightedElkanNoto(base=LogisticRegression()).fit(x, s, rng=rng).score(x[[0, -1]]) > 0
    array([ True, False])
    """

    folds: int = 5

    def __post_init__(self) -> None:
        check_base(self.base, "probabilities", "weights")
        check_whole("folds", self.folds, low=2)

    def _learn(self, x: Matrix, s: NDArray[np.int8], rng: np.random.Generator) -> Learnt:
        g = cross_fit_labels(self.base, x, s=s, folds=self.folds, rng=rng)
        label_freq = max(float(g[s == 1].mean()), SMALLEST)
        w = weigh_unlabelled(g, label_freq)
        classifier = fit_soft(self.base, x, s=s, share=w, rng=rng)
        return Learnt({"classifier": classifier}, {"label_freq": label_freq, "alpha": float(w[s == 0].mean())})


def weigh_unlabelled(g: NDArray[np.float64], label_freq: float) -> NDArray[np.float64]:
    """Return w = (1 - c)/c * g/(1 - g), cut to [0, 1]: how much of an unlabelled row is positive.

    Parameters
    ----------
    g : float64 array of shape (n,), in [0, 1]
        P(s=1|x).
    label_freq : float in (0, 1]
        c = P(s=1|y=1).

    Examples
    --------
    >>> weigh_unlabelled(np.array([0.0, 0.2, 0.5, 0.9]), 0.5)
    array([0.  , 0.25, 1.  , 1.  ])
    """
    odds = g / np.maximum(1 - g, SMALLEST)
    return np.clip((1 - label_freq) / label_freq * odds, 0.0, 1.0)
