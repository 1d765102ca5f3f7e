"""What a user must know before trusting a page: labels, bounds, leaks, and where the scores come from."""

from typing import Any

from angularpu.decide.bound_words import describe_verdict
from angularpu.explore.ranking import Ranking
from angularpu.fit.label_leak import is_leak
from angularpu.methods.fitted import Fitted

Notice = dict[str, str]


def list_notices(fitted: Fitted, ranking: Ranking, *, out_of_fold: bool) -> list[Notice]:
    """Return a warning or a note for each thing to know, warnings first."""
    found = [_labels(fitted.labelling), _share(fitted), *_leaks(fitted)]
    if fitted.decision.refused:
        found.append(_notice("warning", "Rule", fitted.decision.refused))
    if ranking.seen and not out_of_fold:
        text = f"the model learned from {ranking.seen:,} of these rows, so it may have learned by heart that a hidden "
        text += "positive among them was not labelled; "
        ways = "explore --out-of-fold shows the scores of models that did not see the row"
        found.append(_notice("note", "Scores", text + ways))
    if out_of_fold:
        text = "every row has the score of a model that was not trained on it"
        found.append(_notice("note", "Scores", text))
    others = [note for note in (*fitted.notes, *fitted.decision.notes) if not is_leak(note)]
    found += [_notice("note", "Note", note) for note in others]
    return sorted(found, key=lambda each: ("warning", "good", "note").index(each["level"]))


def _labels(check: dict[str, Any] | None) -> Notice:
    if check is None or not check["power"]:
        return _notice("warning", "Labels", "nobody checked whether the labels are a random draw of the positives: too "
                       "few rows were held out; recall and precision rest on it")  # fmt: skip
    if check["warning"]:
        return _notice("warning", "Labels", check["warning"])
    return _notice(
        "good",
        "Labels",
        "nothing speaks against a random draw of the positives; the check would notice with a chance of "
        f"{check['power']:.0%} if {check['alternative']}",
    )


def _share(fitted: Fitted) -> Notice:
    decision = fitted.decision
    match decision.prior_source:
        case "audited":
            return _notice("good", "Share of positives", "rows checked by hand give it, and all figures here")
        case "given":
            return _notice("note", "Share of positives", f"you gave it: {decision.prior:.1%} of the population; "
                           "precision and F1 are as good as this number")  # fmt: skip
        case "estimated" if decision.bound is not None:
            seen = {"rise": decision.rise, "low": decision.rise_low, "high": decision.rise_high}
            level = "good" if decision.bound == "reached" else "warning"
            text = f"estimated, so precision and F1 are upper bounds; {describe_verdict(decision.bound, **seen)}"
            return _notice(level, "Share of positives", text)
    return _notice("warning", "Share of positives", "not known, so there is no precision and no F1; pass fit --prior")


def _leaks(fitted: Fitted) -> list[Notice]:
    leaks = [_notice("warning", "Leak", note) for note in fitted.notes if is_leak(note)]
    return leaks or [_notice("good", "Leaks", "no column alone gives the label away, as far as the fit could see")]


def _notice(level: str, title: str, text: str) -> Notice:
    return {"level": level, "title": title, "text": text[:1].upper() + text[1:]}
