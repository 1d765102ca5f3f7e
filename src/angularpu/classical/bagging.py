"""PU bagging: many classifiers, each of the positives against a small draw of unlabelled rows."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from angularpu.checks import check_whole
from angularpu.classical.base import AroundClassifier, Learnt
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
class Bagging(AroundClassifier):
    """Score a row by the mean probability over classifiers of P against K rows drawn from U with replacement.

    A draw holds few hidden positives, and different ones each time (Mordelet and Vert 2014, algorithm 1). The score is
    the log-odds of the mean, or the mean decision value where the base has no probabilities.

    Parameters
    ----------
    base : scikit-learn classifier, optional
    rounds : int, default 30
        T, how many classifiers are averaged, at least 1.
    size : int, optional
        K, how many unlabelled rows each of them sees, at least 1; by default as many as labelled positives.

    Examples
    --------
    >>> from sklearn.linear_model import LogisticRegression
    >>> rng = np.random.default_rng(0)
    >>> x = np.concatenate([rng.normal(3, 1, (200, 1)), rng.normal(-3, 1, (200, 1))]).astype(np.float32)
    >>> s = (np.arange(400) < 100).astype(np.int8)
    >>> model = Bagging(rounds=5, base=LogisticRegression()).fit(x, s, rng=rng)
    >>> model.score(x[[0, -1]]) > 0
    array([ True, False])
    """

    rounds: int = 30
    size: int | None = None

    def __post_init__(self) -> None:
        check_base(self.base)
        check_whole("rounds", self.rounds, low=1)
        if self.size is not None:
            check_whole("size", self.size, low=1)

    def out_of_bag(self, x: Matrix) -> NDArray[np.float64]:
        """Return the scores of the training rows, each by the rounds that did not draw it.

        Parameters
        ----------
        x : matrix of shape (n, d)
            The rows that were fitted, in their order.

        Returns
        -------
        float64 array of shape (n,)
            NaN for a row that every round saw, as the labelled rows were.
        """
        learnt = self._require_fit()
        if learnt.draws is None:
            raise ModelError("out-of-bag scores are not saved with a model; ask for them where it was fitted")
        total, count = np.zeros(len(learnt.draws[0])), np.zeros(len(learnt.draws[0]))
        for member, drawn in zip(learnt.parts.values(), learnt.draws, strict=True):
            left = np.flatnonzero(~drawn)
            if len(left):
                total[left] += _vote(member, x[left])
                count[left] += 1
        mean = np.divide(total, count, out=np.full(len(total), np.nan), where=count > 0)
        return _finish(mean, learnt)

    def _learn(self, x: Matrix, s: NDArray[np.int8], rng: np.random.Generator) -> Learnt:
        pos, unl = np.flatnonzero(s == 1), np.flatnonzero(s == 0)
        size = len(pos) if self.size is None else self.size
        draws = np.zeros((self.rounds, len(s)), bool)
        parts = {}
        for number in range(self.rounds):
            rows = np.concatenate([pos, rng.choice(unl, size)])
            draws[number, rows] = True
            parts[_name(number)] = fit_base(self.base, x[rows], s[rows], rng=rng)
        return Learnt(parts, {"size": size}, draws)

    def _check(self, learnt: Learnt) -> None:
        if list(learnt.parts) != [_name(number) for number in range(len(learnt.parts))]:
            raise ModelError("the members of a bagged model must be numbered from 0")
        if len(learnt.parts) != self.rounds:
            raise ModelError(f"a bagged model of {self.rounds} rounds has as many members, got {len(learnt.parts)}")

    def _score(self, x: Matrix, learnt: Learnt) -> NDArray[np.float64]:
        total = np.zeros(x.shape[0])
        for member in learnt.parts.values():
            total += _vote(member, x)
        return _finish(total / len(learnt.parts), learnt)


def _name(number: int) -> str:
    return f"member_{number:04d}"


def _vote(member: object, x: Matrix) -> NDArray[np.float64]:
    return compute_probability(member, x) if hasattr(member, "predict_proba") else compute_log_odds(member, x)


def _finish(mean: NDArray[np.float64], learnt: Learnt) -> NDArray[np.float64]:
    first = next(iter(learnt.parts.values()))
    return to_log_odds(mean) if hasattr(first, "predict_proba") else mean
