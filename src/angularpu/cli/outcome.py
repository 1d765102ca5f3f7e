"""What a fit says at its end: how many rows are flagged, what to be careful about, and what to do next."""

import shlex
from pathlib import Path
from typing import TYPE_CHECKING, Any

from angularpu.decide.bound_words import is_bound
from angularpu.fit.leak_words import is_leak

if TYPE_CHECKING:
    from angularpu.model.flagged import Flagged

NEARLY_ALL = 0.9
LISTED = 100


def list_warnings(summary: dict[str, Any]) -> list[str]:
    """Return what its user must know before relying on a model."""
    check = summary["labelling"]
    return [
        *(note for note in summary["notes"] if is_leak(note)),
        *([check["warning"]] if check and check["warning"] else []),
    ]


def warn_extreme(n: int, total: int, *, rows: str) -> list[str]:
    """Return a warning if nearly all rows, or none, are flagged.

    >>> warn_extreme(30, 100, rows="rows"), warn_extreme(0, 100, rows="rows")
    ([], ['the model flags none of the rows: ...'])
    """
    another = "another threshold may serve better, for example: angularpu threshold MODEL --rule recall=0.8"
    if total and n >= NEARLY_ALL * total:
        return [f"the model flags {n / total:.1%} of the {rows}, so it tells hardly any of them apart; {another}"]
    return [f"the model flags none of the {rows}: {another}"] if total and not n else []


def describe_flagged(summary: dict[str, Any], flagged: "Flagged | None" = None) -> str:
    """Tell how many rows are called positive, by which scores."""
    unseen = f"{summary['positive_share']:.1%} of the unlabelled rows{_describe_source(summary['source'])}"
    if flagged is None:
        return unseen
    known, unlabelled = f"{flagged.known:,} of {summary['n_pos']:,}", f"{flagged.unlabelled:,} of {summary['n_unl']:,}"
    return (
        f"{flagged.known + flagged.unlabelled:,} rows, as angularpu score flags them in this data: {unlabelled} "
        f"unlabelled rows and {known} known positives\n{unseen}, on which the next lines rest"
    )


def describe_before(before: dict[str, Any]) -> str:
    """Tell what the model that was replaced said of the same figures."""
    said = [f"{before['positive_share']:.1%} of the unlabelled rows flagged", f"recall {before['recall']:.1%}"]
    if before["alpha"] is not None:
        most = "at most " if is_bound(before) else ""
        said.append(f"{most}{before['alpha']:.1%} of the unlabelled rows positive")
    return f"the model that was replaced: {', '.join(said)}"


def suggest_next(summary: dict[str, Any], *, model: Path, data: Path, label: str | None, ids: list[str]) -> list[str]:
    """Return the two commands that most people give next: a list to look at, then rows to check by hand, or scores."""
    from angularpu.scenario.split import MOST_HELD

    top = ["angularpu", "score", str(model), str(data), "--top", str(LISTED), "--out", "top.csv"]
    if data.is_dir():
        top = ["angularpu", "score", str(model), str(data), "--out", "scores"]
    elif summary["source"] == "cross-fitted" and summary["n_unl"] <= MOST_HELD:
        top.append("--out-of-fold")
    elif label is not None:
        top += ["--label", label]
    for name in ids:
        top += ["--id", name]
    if is_bound(summary) and not data.is_dir():
        second = ["angularpu", "audit", str(model), str(data), "--out", "audit.csv"]
        second += [] if label is None else ["--label", label]
    else:
        second = ["angularpu", "score", str(model), "NEW_DATA.csv", "--out", "scores.csv"]
    return [shlex.join(top), shlex.join(second)]


def _describe_source(source: str) -> str:
    match source:
        case "training":
            return ", by the model itself, which was trained on them"
        case "held out":
            return " that were held out"
    return ", by models that were not trained on them"
