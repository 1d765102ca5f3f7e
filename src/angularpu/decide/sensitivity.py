"""What a decision would be with another prior, and what the one in use would be worth."""

import dataclasses
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from angularpu.decide.held_out import HeldOut
from angularpu.decide.precision import expect_precision
from angularpu.decide.rules import parse_rule
from angularpu.decide.threshold import list_thresholds

Floats = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Sensitivity:
    """A threshold for each of several priors, and its precision and recall if that prior is the true one.

    Attributes
    ----------
    prior : float64 array of shape (m,)
        The rule's prior: a share of positives in the rule's target.
    threshold, precision, recall : float64 arrays of shape (m,)
        The thresholds, and the expected precision and recall there.
    """

    prior: Floats
    threshold: Floats
    precision: Floats
    recall: Floats


def sensitivity(held: HeldOut, rule: str, priors: Sequence[float] | Floats) -> Sensitivity:
    """Find a rule's threshold, precision and recall for each of several priors.

    Parameters
    ----------
    held : HeldOut
        The scores to choose with.
    rule : str
        A rule's text, as :func:`angularpu.decide.rules.parse_rule` reads it; its prior is replaced.
    priors : floats in (0, 1)
        Shares of positives in the rule's target; in the one-sample scenario the population's is never below
        n_P/(n_P + n_U).

    Examples
    --------
    >>> score_pos, score_unl = np.array([2.2, 4.0]), np.array([1.0, 2.0, 2.5, 3.5])
    >>> held = HeldOut(score_pos, score_unl, n_pos=2, n_unl=4, scenario="two-sample", source="held out")
    >>> curve = sensitivity(held, "recall=1", [0.2, 0.4])
    >>> curve.precision, curve.recall
    (array([0.4, 0.8]), array([1., 1.]))
    """
    asked = parse_rule(rule)
    thresholds = list_thresholds(held.score_pos, held.score_unl)
    given = [dataclasses.replace(asked, prior=float(prior)) for prior in priors]
    for one in given:
        one.check(n_pos=held.n_pos, n_unl=held.n_unl, scenario=held.scenario, has_margin=held.margin is not None)
    at = [one.find(held, thresholds) for one in given]
    recall, called = (share[at] for share in held.shares_above(thresholds, target=asked.target))
    prior = np.array(priors, np.float64)
    return Sensitivity(prior, thresholds.value[at], expect_precision(recall, called, share=prior), recall)


def hold_threshold(held: HeldOut, rule: str, priors: Sequence[float] | Floats, *, threshold: float) -> Sensitivity:
    """Find the precision of a threshold that stays where it is, for each of several priors.

    Parameters
    ----------
    held : HeldOut
    rule : str
        The rule that chose it; names the target.
    priors : floats in (0, 1)
    threshold : float

    Examples
    --------
    >>> score_pos, score_unl = np.array([2.2, 4.0]), np.array([1.0, 2.0, 2.5, 3.5])
    >>> held = HeldOut(score_pos, score_unl, n_pos=2, n_unl=4, scenario="two-sample", source="held out")
    >>> curve = hold_threshold(held, "pu-f1", [0.2, 0.4], threshold=2.1)
    >>> curve.precision, curve.recall
    (array([0.4, 0.8]), array([1., 1.]))
    """
    prior = np.array(priors, np.float64)
    recall, unl = (np.full(prior.shape, np.mean(score > threshold)) for score in (held.score_pos, held.score_unl))
    called = held.share_called(recall, unl, target=parse_rule(rule).target)
    return Sensitivity(prior, np.full(prior.shape, threshold), expect_precision(recall, called, share=prior), recall)
