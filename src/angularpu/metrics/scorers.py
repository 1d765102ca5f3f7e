"""Scorers for cross-validation on positives and unlabelled rows."""

from dataclasses import dataclass
from typing import Any, Literal, get_args

import numpy as np
from numpy.typing import ArrayLike

from angularpu.checks import check_choice, check_share
from angularpu.metrics.cuts import Score
from angularpu.metrics.pu import pu_auc
from angularpu.metrics.pu_evaluation import evaluate_pu
from angularpu.scenario.labels import encode_labels
from angularpu.scenario.proportions import Proportions, Target, check_target
from angularpu.scenario.sample import Scenario, check_scenario

Metric = Literal["accuracy", "ap", "auc", "f1", "precision", "proxy_accuracy", "recall"]


def pu_auc_scorer(estimator: Any, X: Any, y: ArrayLike) -> float:
    """Score a fitted classifier by the PU-AUC of held-out rows; pass it as ``scoring=`` to scikit-learn.

    Parameters
    ----------
    estimator : object
        Anything with a decision_function, or else a predict_proba.
    X : rows
    y : array-like of shape (n,)
        The label indicator s of these rows.

    Examples
    --------
    >>> class Sum:
    ...     def decision_function(self, X):
    ...         return X.sum(axis=1)
    >>> pu_auc_scorer(Sum(), np.array([[3.0], [1.0], [2.0]]), [1, 0, 0])
    1.0
    """
    s, _ = encode_labels(y)
    score, _ = _score_rows(estimator, X)
    return pu_auc(score[s == 1], score[s == 0])


def make_pu_scorer(metric: Metric, *, prior: float, scenario: Scenario, target: Target = "population") -> "PUScorer":
    """Make a scorer that estimates a metric from held-out labels s; pass it as ``scoring=`` to scikit-learn.

    Parameters
    ----------
    metric : {"accuracy", "ap", "auc", "f1", "precision", "proxy_accuracy", "recall"}
        What to estimate; see :func:`angularpu.metrics.pu_evaluation.evaluate_pu`.
    prior : float in (0, 1)
        pi, the share of positives in the population, whatever the target. alpha follows from it and from the number
        of labels in each fold, so the folds should be stratified on s.
    scenario : {"one-sample", "two-sample"}
        How the labels came about.
    target : {"population", "unlabelled"}, default "population"
        The rows whose metric is wanted.

    Examples
    --------
    >>> from sklearn.linear_model import LogisticRegression
    >>> from sklearn.model_selection import cross_val_score
    >>> rng = np.random.default_rng(0)
    >>> X = np.append(rng.normal(3, 1, 200), rng.normal(0, 1, 200))[:, None]
    >>> s = np.arange(400) < 100
    >>> scorer = make_pu_scorer("auc", prior=0.5, scenario="one-sample")
    >>> cross_val_score(LogisticRegression(), X, s, scoring=scorer, cv=2).mean() > 0.95
    np.True_
    """
    check_choice("metric", metric, get_args(Metric))
    check_share("prior", prior, advice="it is the share of positives in the population")
    check_scenario(scenario)
    check_target(target)
    return PUScorer(metric, prior, scenario, target)


@dataclass(frozen=True)
class PUScorer:
    """A scorer that takes a fitted classifier, rows and their labels s; :func:`make_pu_scorer` makes it."""

    metric: Metric
    prior: float
    scenario: Scenario
    target: Target

    def __call__(self, estimator: Any, X: Any, y: ArrayLike) -> float:
        """Estimate the metric on held-out rows ``X`` with label indicator ``y``."""
        s, _ = encode_labels(y)
        score, threshold = _score_rows(estimator, X)
        score_pos, score_unl = score[s == 1], score[s == 0]
        shares = Proportions.from_prior(self.prior, n_pos=len(score_pos), n_unl=len(score_unl), scenario=self.scenario)
        metrics = evaluate_pu(score_pos, score_unl, threshold=threshold, shares=shares, target=self.target)
        return metrics[self.metric]


def _score_rows(estimator: Any, X: Any) -> tuple[Score, float]:
    """Return scores and the threshold at which the classifier itself cuts them."""
    if hasattr(estimator, "decision_function"):
        return np.asarray(estimator.decision_function(X)), 0.0
    return np.asarray(estimator.predict_proba(X))[:, 1], 0.5
