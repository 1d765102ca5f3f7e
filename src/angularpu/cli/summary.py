"""What there is to say about a fitted model, for programs and for people."""

import math
from collections import Counter
from typing import TYPE_CHECKING, Any

from angularpu.cli.outcome import describe_flagged, list_warnings, warn_extreme
from angularpu.cli.understanding import describe_rows
from angularpu.cli.understanding import line as _line
from angularpu.decide.bound_words import NO_BETTER_THAN_CHANCE, describe_precision, describe_prior, is_bound
from angularpu.decide.decision import Decision
from angularpu.errors import LONGEST_NAME, cut, escape, quote
from angularpu.fit.leak_words import is_leak
from angularpu.methods.table import find_method

if TYPE_CHECKING:
    from angularpu.model.flagged import Flagged

DECISION = (
    *("threshold", "recall", "recall_low", "recall_high", "precision", "precision_low", "precision_high"),
    *("alpha", "prior", "prior_source", "alpha_low", "alpha_high", "bound", "rise", "rise_low", "rise_high"),
    *("positive_share", "refused"),
)
MEMBER = ("name", "weight", "pu_auc", "auc")
SHOWN = 10  # columns
WIDE = 0.2  # a range of precision that calls for a reason


def summarise(description: dict[str, Any]) -> dict[str, Any]:
    """Pick from a model's JSON what its user wants to know.

    Parameters
    ----------
    description : dict
        As :func:`angularpu.model.description.read_description` returns it.

    Returns
    -------
    dict
        Of JSON types.
    """
    held, decision, preparation = description["held"], description["decision"], description["preparation"]
    return {
        "method": description["method"],
        "preset": description["preset"],
        "options": description["options"],
        "encoder": description["encoder"],
        "settings": description["settings"],
        "seed": description["seed"],
        "columns": preparation.get("shape", description["columns"]),
        "classes": description["classes"],
        "scenario": held["scenario"],
        "n_pos": held["n_pos"],
        "n_unl": held["n_unl"],
        "source": held["source"],
        "epochs": dict(Counter(entry["stage"] for entry in description["history"])),
        "best_epoch": description["best_epoch"],
        "rule": name_rule(description),
        **{name: decision.get(name) for name in DECISION},
        "unlabelled_precision": Decision.from_json(decision).unlabelled_precision,
        "members": _list_members(description),
        "labelling": description.get("labelling"),
        "audit": description.get("audit"),
        "notes": [*description["notes"], *decision["notes"]],
        "angularpu": description["angularpu"],
    }


def _list_members(description: dict[str, Any]) -> list[dict[str, Any]]:
    """Return what there is to say about the members of an ensemble; nothing for other models."""
    if find_method(description["method"]).kind != "ensemble":
        return []
    members = sorted(description["parts"].items(), key=lambda item: int(item[0]))
    return [{name: member[name] for name in MEMBER} for _, member in members]


def name_rule(description: dict[str, Any]) -> str:
    """Return the rule that was asked for, in one spelling, without what was filled in, such as the prior of the fit.

    >>> name_rule({"threshold": "recall = .90", "decision": {"rule": "recall=0.9,prior=bbe"}})
    'recall=0.9'
    """
    # By their texts, since reading a rule takes NumPy.
    first, *others = description["decision"]["rule"].split(",")
    asked = {part.partition("=")[0].strip() for part in description.get("threshold", "").split(",")}
    return ",".join([first, *(part for part in others if part.partition("=")[0] in asked)])


def describe_fit(summary: dict[str, Any], flagged: "Flagged | None" = None) -> str:
    """Tell how a fit went and, at the end, what to act on: the threshold and what to expect of it."""
    lines = []
    if summary["members"]:
        lines.append(_line("members", "; ".join(map(_describe_member, summary["members"]))))
    elif summary["epochs"]:
        lines.append(_line("epochs", _describe_epochs(summary["epochs"], kept=summary["best_epoch"])))
    notes = [f"note: {escape(note)}" for note in summary["notes"] if not is_leak(note)]
    labelling, audit = _describe_labelling(summary["labelling"]), describe_audit(summary["audit"])
    return "\n".join([*lines, *labelling, *notes, describe_decision(summary, flagged), *audit])


def describe_decision(summary: dict[str, Any], flagged: "Flagged | None" = None) -> str:
    """Tell the threshold of a model, its rule, and what to expect of it."""
    lines = {
        "threshold": f"{summary['threshold']:.6g} by the rule {summary['rule']}",
        "flagged": describe_flagged(summary, flagged),
        "recall": _describe_share(summary, "recall"),
    }
    if summary["bound"] == "chance":
        lines |= dict.fromkeys(("precision", "prior"), NO_BETTER_THAN_CHANCE)
        return _join(lines)
    if summary["precision"] is not None:
        lines["precision"] = describe_precision(summary)
        among_unlabelled = summary["unlabelled_precision"]
        if among_unlabelled is not None and not math.isclose(among_unlabelled, summary["precision"]):
            most = "at most " if is_bound(summary) else ""
            lines["precision"] += f", of all flagged rows; {most}{among_unlabelled:.1%} of the flagged unlabelled rows"
        if summary["precision_high"] - (summary["precision_low"] or 0) > WIDE:
            lines["precision"] += f"\n{_explain_width(summary)}"
    if summary["alpha"] is not None:
        lines["prior"] = describe_prior(summary)
    return _join(lines)


def describe_audit(audit: dict[str, Any] | None) -> list[str]:
    """Tell what rows checked by hand have shown, how far P and U alone were off, and what it means for the labels."""
    if audit is None:
        return []
    found, before = audit["found"], audit["before"]
    counts = ", ".join(f"{audit[kind]} {kind}" for kind in ("yes", "no", "unsure", "blank") if audit[kind])
    lines = [
        _line("audit", f"{audit['n']} rows checked by hand ({counts}); recall, precision and prior above rest on them"),
        _line("", f"alpha {_describe_estimate(found['alpha'])}; F1 {_describe_estimate(found['f1'])}"),
    ]
    if audit["unsure"]:
        lines.append(_line("", f"if all unsure answers fell one way: {_describe_extremes(found)}"))
    compared = [] if before is None else [_compare(name, before) for name in ("alpha", "precision", "recall", "f1")]
    lines += [_line("P and U", text) for text in compared if text]
    return [*lines, _line("", _describe_answers(audit["labelling"]))]


def _compare(name: str, before: dict[str, Any]) -> str:
    """Tell what P and U alone said of a figure beside what the answers say; nothing where either said nothing."""
    said, seen = before["said"][name], before["found"][name]
    if said is None or seen is None:
        return ""
    bound = bool(before.get("bound")) and name != "recall"
    off = "" if seen["low"] <= said <= seen["high"] else ", refuted"
    if bound and said > seen["high"]:  # true as it stands, and far from reached
        off = ", the bound is not reached"
    return f"{name} {'at most ' if bound else ''}{said:.1%}; audited there {_describe_estimate(seen)}{off}"


def describe_model(summary: dict[str, Any]) -> str:
    """Tell all there is to know of a model: how it was made, then how the fit went."""
    columns = summary["columns"]
    lines = {
        "method": f"{summary['method']}, preset {summary['preset']}",
        "options": _list(summary["options"]) or "as the method has them",
        **({"encoder": _list(summary["encoder"])} if summary["encoder"] else {}),
        "training": _list(summary["settings"] | {"seed": summary["seed"]}),
        "columns": _list_columns(columns) if isinstance(columns, list) else str(columns),
        "classes": "{} unlabelled, {} positive".format(*map(quote, summary["classes"])),
        "scenario": summary["scenario"],
        "size": _describe_size(summary),
        "version": summary["angularpu"],
    }
    rows = describe_rows(summary["n_pos"], summary["n_unl"], classes=summary["classes"])
    warnings = [f"Warning: {escape(warning)}" for warning in list_all_warnings(summary)]
    return "\n".join([_join(lines), rows, describe_fit(summary), *warnings])


def list_all_warnings(summary: dict[str, Any]) -> list[str]:
    """Return what its user must know before relying on a saved model."""
    return [
        *list_warnings(summary),
        *warn_extreme(round(1000 * summary["positive_share"]), 1000, rows="unlabelled rows"),
        *([summary["refused"]] if summary["refused"] else []),
    ]


def _describe_size(summary: dict[str, Any]) -> str:
    """Tell how large a model is on disk, and of how many models it is made."""
    size = f"{summary['bytes'] / 1e6:.1f} MB on disk"
    if summary["members"]:
        return f"{size}; every row is scored by the models of all folds of {len(summary['members'])} members"
    folds = [stage for stage in summary["epochs"] if stage.startswith("fold ")]
    if not folds or "all rows" in summary["epochs"]:
        return size
    return f"{size}; every row is scored by the models of all {len(folds)} folds, and refit=True makes one of them"


def _describe_member(member: dict[str, Any]) -> str:
    ranked = f"PU-AUC {member['pu_auc']:.3f}"
    if member["auc"] is not None:
        ranked += f", AUC {member['auc']:.3f} estimated"
    return f"{member['name']} {member['weight']:.0%} ({ranked})"


def _describe_epochs(epochs: dict[str, int], *, kept: int) -> str:
    """Tell how long was trained, and which epoch scores rows; folds that score by their mean kept one each.

    >>> _describe_epochs({"fold 1 of 2": 9, "fold 2 of 2": 7}, kept=5)
    'at most 9 in each of 2 folds, whose mean scores; epoch 5 was kept in the middle one'
    """
    folds = [n for stage, n in epochs.items() if stage.startswith("fold ")]
    if not folds:
        return f"{_list(epochs)}; epoch {kept} was kept"
    trained = f"at most {max(folds)} in each of {len(folds)} folds"
    if "all rows" in epochs:
        return f"{trained}, then {epochs['all rows']} on all rows; epoch {kept} was kept"
    return f"{trained}, whose mean scores; epoch {kept} was kept in the middle one"


def _describe_labelling(check: dict[str, Any] | None) -> list[str]:
    if check is None:
        return [_line("labels", "not checked: no rows were held out, or too few")]
    notes = [f"note: {escape(note)}" for note in check["notes"]]
    if check["warning"]:  # which is told as a warning
        return notes
    holds = (
        "nothing speaks against a random draw of the positives; the check would notice with a chance of "
        f"{check['power']:.0%} if {check['alternative']}"
    )
    if not check["power"]:
        holds = "not checked: too few rows to tell whether they are a random draw of the positives"
    return [_line("labels", holds), *notes]


def _describe_answers(check: dict[str, Any]) -> str:
    if not check["power"]:
        return "too few confirmed positives to tell whether labels fell at random"
    verdict = "refute" if check["warning"] else "do not refute"
    power = f"a bias would show with a chance of {check['power']:.0%} if {check['alternative']}"
    return f"the answers {verdict} that labels fell at random: {check['finding']}; {power}"


def _describe_estimate(estimate: dict[str, float]) -> str:
    return f"{estimate['value']:.1%} ({estimate['low']:.1%} to {estimate['high']:.1%})"


def _describe_extremes(found: dict[str, Any]) -> str:
    return ", ".join(
        f"{name} {each['at_least']:.1%} to {each['at_most']:.1%}" for name, each in found.items() if each is not None
    )


def _describe_share(summary: dict[str, Any], name: str) -> str:
    low, high = summary[f"{name}_low"], summary[f"{name}_high"]
    return f"{summary[name]:.1%} estimated, 90 % interval {low:.1%} to {high:.1%}"


def _list_columns(columns: list[Any]) -> str:
    more = len(columns) - SHOWN
    names = ", ".join(cut(str(name), LONGEST_NAME) for name in columns[:SHOWN])
    return f"{names} and {more} more; --json has them all" if more > 0 else names


def _explain_width(summary: dict[str, Any]) -> str:
    """Say why the range of the precision is wide, and what narrows it."""
    if is_bound(summary) and summary["bound"] not in ("reached", None):
        return (
            "so wide because known positives alone do not show how many flagged unlabelled rows are right; some rows "
            "checked by hand narrow it: angularpu audit"
        )
    if summary["prior_source"] == "audited":
        return "so wide because few rows were checked by hand; more narrow it: angularpu audit --n"
    return f"so wide because only {summary['n_pos']:,} positives are known"


def _join(lines: dict[str, str]) -> str:
    """Return the lines, each under its name; what follows a line break stands below, without a name."""
    parts = ((name, *text.split("\n")) for name, text in lines.items())
    return "\n".join(_line("" if place else name, text) for name, *texts in parts for place, text in enumerate(texts))


def _list(values: dict[str, Any]) -> str:
    return ", ".join(f"{name} {value}" for name, value in values.items())
