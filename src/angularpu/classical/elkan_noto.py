"""Elkan and Noto: the probability of a label, divided by the label frequency."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from angularpu.checks import check_share
from angularpu.classical.base import AroundClassifier, Learnt, count_share
from angularpu.classical.base_classifier import (
    Matrix,
    check_base,
    compute_log_odds,
    compute_probability,
    fit_base,
    to_log_odds,
)
from angularpu.errors import ModelError


@dataclass(frozen=True, kw_only=True, eq=False)
class ElkanNoto(AroundClassifier):
    """Score a row by P(y=1|x) = g(x)/c.

    g(x) = P(s=1|x) is fitted on most rows, c = P(s=1|y=1) is its mean over the labelled positives held out (Elkan and
    Noto 2008, Lemma 1 and estimator e1). The score is logit g - logit(c/2): it ranks as g/c does, is zero where
    g/c = 1/2, and does not end at g = c, where g/c leaves the probabilities.

    Parameters
    ----------
    base : scikit-learn classifier with probabilities, optional
    share : float in (0, 1), default 0.2
        How much of P and of U is held out: the same share of both, so that g learns the sample's rate of labels.

    Examples
    --------
    >>> rng = np.random.default_rng(0)
    >>> x = np.concatenate([rng.normal(3, 1, (200, 1)), rng.normal(-3, 1, (200, 1))]).astype(np.float32)
    >>> s = (np.arange(400) < 100).astype(np.int8)
    >>> model = ElkanNoto().fit(x, s, rng=rng)
    >>> bool(abs(model.numbers()["label_freq"] - 0.5) < 0.1), model.score(x[[0, -1]]) > 0
    (True, array([ True, False]))
    """

    share: float = 0.2

    def __post_init__(self) -> None:
        check_base(self.base, "probabilities")
        check_share("share", self.share)

    def _learn(self, x: Matrix, s: NDArray[np.int8], rng: np.random.Generator) -> Learnt:
        held = np.zeros(len(s), bool)
        for rows in (np.flatnonzero(s == 1), np.flatnonzero(s == 0)):
            held[rng.choice(rows, count_share(len(rows), self.share), replace=False)] = True
        classifier = fit_base(self.base, x[~held], s[~held], rng=rng)
        g = compute_probability(classifier, x[held & (s == 1)])
        return Learnt({"classifier": classifier}, {"label_freq": float(g.mean()), "held_pos": len(g)})

    def _check(self, learnt: Learnt) -> None:
        super()._check(learnt)
        label_freq = learnt.numbers.get("label_freq")
        if label_freq is None or not 0 <= label_freq <= 1:
            raise ModelError(f"the number label_freq of this model must lie in [0, 1], got {label_freq}")

    def _score(self, x: Matrix, learnt: Learnt) -> NDArray[np.float64]:
        half = to_log_odds(np.array(learnt.numbers["label_freq"] / 2))
        return compute_log_odds(learnt.parts["classifier"], x) - half
