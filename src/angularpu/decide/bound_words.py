"""What to say of figures that rest on an estimated share of positives: the words of every command, note and error."""

from collections.abc import Mapping
from typing import Any

from angularpu.decide.decision import Bound

WAYS_OUT = "give the share of positives (prior=), or check some rows by hand (angularpu audit, docs/audits.md)"
NO_BETTER_THAN_CHANCE = "not stated: the scores tell known positives from unlabelled rows no better than chance"
ACCEPT = "bound=accept"


def is_bound(decision: Mapping[str, Any]) -> bool:
    """Tell whether a decision's precision, prior and probabilities are upper bounds, by its JSON.

    >>> is_bound({"prior_source": "estimated"}), is_bound({"prior_source": "given"}), is_bound({})
    (True, False, False)
    """
    return decision.get("prior_source") == "estimated"


def describe_verdict(bound: Bound, *, rise: float | None, low: float | None, high: float | None) -> str:
    """Say in one line whether the bound is likely reached, and why.

    >>> describe_verdict("not reached", rise=1.9, low=1.4, high=2.5)
    'the bound is likely not reached: the true share lies below it, since unlabelled rows still become rarer ...'
    """
    if bound == "chance":
        return "the scores tell known positives from unlabelled rows no better than chance, so no precision is stated"
    if rise is None:
        return "nobody can say whether the bound is reached: equal scores leave no two slices to compare"
    seen = f"by the factor {rise:.2f} (90 % interval {low:.2f} to {high:.2f}) from the next 30 % of the positives to "
    seen += "the best fifth"
    match bound:
        case "reached":
            return (
                "the bound is likely reached, so the true share is near it: unlabelled rows hardly become rarer "
                f"towards the highest scores, {seen}"
            )
        case "not reached":
            return (
                "the bound is likely not reached: the true share lies below it, since unlabelled rows still become "
                f"rarer towards the highest scores, {seen}"
            )
    few = "so few positives, or such scores, do not show whether the true share is near the bound or below it"
    return f"{few}: unlabelled rows become rarer towards the highest scores {seen}"


def note_bound(bound: Bound, *, rise: float | None, low: float | None, high: float | None) -> tuple[str, ...]:
    """Return what to know of a decision whose share of positives was estimated, a sentence each."""
    verdict = describe_verdict(bound, rise=rise, low=low, high=high)
    if bound == "reached":
        return ("the prior, the precision and the probabilities of predict_proba are upper bounds", verdict)
    figures = "the prior and" if bound == "chance" else "the prior, the precision and"
    return (
        f"{figures} the probabilities of predict_proba are upper bounds: many near 1 do not mean that so many rows are "
        f"positive; {WAYS_OUT}",
        verdict,
    )


def refuse_precision(asked: str, *, precision: float, bound: Bound, verdict: str) -> str:
    """Say why ``precision=`` does not choose, and the ways out."""
    accept = f", or write {asked},{ACCEPT} for the threshold where the bound is {precision:g}"
    return (
        f"a precision of {precision:g} cannot be promised: {verdict}; {WAYS_OUT}{'' if bound == 'chance' else accept}"
    )


def explain_refusal(reason: str, *, rule: str) -> str:
    """Say that a fit took another rule than the one asked for."""
    return f"{reason}. The model takes the rule {rule} instead; nothing was lost: angularpu threshold changes the rule"


def describe_precision(decision: Mapping[str, Any]) -> str:
    """Say what precision to expect, by a decision's JSON.

    >>> describe_precision({"precision": 0.9, "precision_low": 0.2, "precision_high": 0.95, "bound": "not reached",
    ...     "prior_source": "estimated"})
    'at most 90.0% (95.0% with sampling error), and at least 20.0%: the known positives alone'
    >>> describe_precision({"precision": 0.9, "precision_low": 0.8, "precision_high": 0.95, "prior_source": "given"})
    '90.0% estimated, 90 % interval 80.0% to 95.0%'
    """
    value, low, high = (decision[f"precision{end}"] for end in ("", "_low", "_high"))
    if not is_bound(decision):
        return f"{value:.1%} estimated, 90 % interval {low:.1%} to {high:.1%}"
    said = f"at most {value:.1%} ({high:.1%} with sampling error)"
    if decision.get("bound") in ("reached", None):
        return f"{said}, and likely at least {low:.1%}"
    return f"{said}, and at least {low:.1%}: the known positives alone" if low else f"{said}; no lower end is known"


def describe_prior(decision: Mapping[str, Any]) -> str:
    """Say how many rows are positive, by a decision's JSON.

    >>> describe_prior({"alpha": 0.3, "prior": 0.4, "prior_source": "given"})
    '30.0% of the unlabelled rows and 40.0% of the population are positive'
    """
    alpha, prior = (f"{decision[name]:.1%}" for name in ("alpha", "prior"))
    if is_bound(decision):
        low, high = decision.get("alpha_low"), decision.get("alpha_high")
        sampling = "" if low is None else f" ({low:.1%} to {high:.1%} with sampling error)"
        alpha, prior = f"at most {alpha}{sampling}", f"at most {prior}"
    return f"{alpha} of the unlabelled rows and {prior} of the population are positive"
