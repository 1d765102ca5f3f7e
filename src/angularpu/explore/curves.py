"""Recall, precision, F1 and flagged rows along all thresholds of a page, and where the named rules cut."""

import dataclasses
from typing import Any

import numpy as np
from numpy.typing import NDArray

from angularpu.audit.answers import Answers
from angularpu.audit.choice import trace_audited
from angularpu.decide.bound_words import is_bound
from angularpu.decide.decision import Decision
from angularpu.decide.threshold import list_thresholds
from angularpu.decide.trace import trace_figures
from angularpu.errors import AngularPUError
from angularpu.methods.fitted import Fitted

RULES = ("pu-f1", "recall=0.8", "recall=0.9", "recall=0.95", "precision=0.9", "lee-liu", "margin")
BY_RANK, BY_SCORE = 120, 80  # thresholds evenly spaced among the rows, and along the scores
BINS = 60
FIGURES = ("recall", "precision", "f1")

Floats = NDArray[np.float64]


def choose_cuts(value: Floats) -> Floats:
    """Return about 200 of many thresholds: some evenly spaced by their number, some by their value.

    >>> choose_cuts(np.arange(5.0)).tolist()
    [0.0, 1.0, 2.0, 3.0, 4.0]
    """
    by_rank = np.linspace(0, len(value) - 1, min(len(value), BY_RANK)).round().astype(np.int64)
    even = np.linspace(value[0], value[-1], BY_SCORE)
    by_score = np.clip(np.searchsorted(value, even), 0, len(value) - 1)
    chosen: Floats = value[np.unique(np.concatenate([by_rank, by_score]))]
    return chosen


def list_rules(fitted: Fitted, answers: Answers | None) -> list[dict[str, Any]]:
    """Decide by every named rule that can: what ``angularpu threshold --rule`` would say of each."""
    rules = [{"rule": "this model", "own": True, **_tell(fitted.decision, fitted.audit)}]
    for text in RULES:
        if text == "margin" and fitted.held.margin is None:
            continue
        try:
            again = fitted.decide(text, answers)
        except AngularPUError as error:
            rules.append({"rule": text, "own": False, "refused": str(error)})
        else:
            rules.append({"rule": text, "own": False, **_tell(again.decision, again.audit)})
    return rules


def _tell(decision: Decision, audit: dict[str, Any] | None) -> dict[str, Any]:
    f1 = None
    if audit is not None:
        f1 = [audit["found"]["f1"][end] for end in ("value", "low", "high")]
    precision = decision.precision
    return {
        "threshold": decision.threshold,
        "recall": [decision.recall, decision.recall_low, decision.recall_high],
        "precision": None if precision is None else [precision, decision.precision_low, decision.precision_high],
        "f1": f1,
    }


def trace_page(fitted: Fitted, answers: Answers | None, *, rules: list[dict[str, Any]]) -> dict[str, Any]:
    """Return the figures of about 200 thresholds, those of the rules among them, as JSON.

    At a rule's threshold they are the rule's own figures, which allow for its optimism.

    Parameters
    ----------
    fitted : Fitted
    answers : Answers or None
        Of an audit; then all figures rest on them.
    rules : list of dict
        As :func:`list_rules` returns them.
    """
    held, decision = fitted.held, fitted.decision
    # Where several rules cut at one place, the first speaks: the model's own.
    named = {rule["threshold"]: rule for rule in reversed(rules) if "threshold" in rule}
    found: list[dict[str, Any]]
    if answers is not None:
        audit_cut = answers.audit.cut
        chosen = np.flatnonzero(np.isin(audit_cut, np.append(choose_cuts(audit_cut), list(named))))
        found = [
            {"threshold": float(audit_cut[cut]), **{name: _spell(getattr(each, name)) for name in FIGURES}}
            for cut, each in zip(chosen, trace_audited(fitted.threshold, held, answers, cuts=chosen), strict=True)
        ]
    else:
        value = list_thresholds(held.score_pos, held.score_unl).value
        cuts = np.unique(np.concatenate([choose_cuts(value), list(named)]))
        audited = decision.prior_source == "audited" and decision.prior is not None
        prior, alpha = (decision.prior, decision.alpha) if audited else (fitted.prior, fitted.alpha)
        assert prior is not None
        found = [
            dataclasses.asdict(each) for each in trace_figures(_spoken(fitted), held, cuts, prior=prior, alpha=alpha)
        ]
    for each in found:
        rule = named.get(each["threshold"])
        if rule is not None:
            each |= {name: rule[name] for name in FIGURES if rule[name] is not None}
            rule |= {"f1": each["f1"]}
    return {
        "threshold": [each["threshold"] for each in found],
        **{name: [each[name] and [round(share, 5) for share in each[name]] for each in found] for name in FIGURES},
        "bound": is_bound(decision.to_json()) and answers is None,
        "audited": answers is not None or decision.prior_source == "audited",
    }


def _spoken(fitted: Fitted) -> str:
    """Return the model's rule as it was asked for, or the one that it fell back to."""
    return fitted.threshold if fitted.decision.refused is None else "auto"


def _spell(estimate: Any) -> list[float] | None:
    return None if estimate is None else [estimate.value, estimate.low, estimate.high]


def count_bins(score: NDArray[np.float32], score_pos: NDArray[np.float32]) -> dict[str, Any]:
    """Count unlabelled rows and held-out positives in bins of score that are the same for both.

    >>> count_bins(np.array([0, 1], np.float32), np.array([1], np.float32))["positive"][-1]
    1
    """
    both = np.concatenate([score, score_pos])
    low, high = float(both.min()), float(both.max())
    edges = np.linspace(low, high if high > low else low + 1, BINS + 1)
    return {
        "edges": edges.tolist(),
        "unlabelled": np.histogram(score, edges)[0].tolist(),
        "positive": np.histogram(score_pos, edges)[0].tolist(),
    }
