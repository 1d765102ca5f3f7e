"""What a command understood of its data, said before anything is computed."""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from angularpu.errors import LONGEST_NAME, cut, escape, quote

if TYPE_CHECKING:
    from angularpu.data.overview import Overview
    from angularpu.scenario.sample import PUSample, Scenario

SHOWN = 3  # columns with missing values
KINDS = {"number": "numbers", "date": "dates", "duration": "durations", "text": "text", "other": "other values"}


def describe_rows(n_pos: int, n_unl: int, *, classes: Sequence[Any]) -> str:
    """Tell how many rows there are of each kind, and what the user calls them.

    >>> print(describe_rows(50, 950, classes=(0, 1)))
    rows       1,000: 50 labelled positive (1), 950 unlabelled (0)
    """
    known, rest = f"{n_pos:,} labelled positive ({quote(classes[1])})", f"{n_unl:,} unlabelled ({quote(classes[0])})"
    return line("rows", f"{n_pos + n_unl:,}: {known}, {rest}")


def describe_data(sample: "PUSample", seen: "Overview", *, classes: Sequence[Any], ids: Sequence[str] = ()) -> str:
    """Tell what was understood: rows, columns by kind, columns left out, missing values."""
    left_out = f"; not learned from: {', '.join(map(quote, ids))}" if ids else ""
    return "\n".join(
        [
            describe_rows(sample.n_pos, sample.n_unl, classes=classes),
            line("columns", _describe_columns(seen) + left_out),
            line("missing", _describe_missing(seen)),
        ]
    )


def read_aloud(
    path: Path,
    *,
    scenario: "Scenario",
    label: str | None = None,
    positive: str | None = None,
    unlabelled: Path | None = None,
    ids: Sequence[str] = (),
) -> tuple["PUSample", tuple[Any, Any], "Overview"]:
    """Read a sample as :func:`~angularpu.scenario.sample_file.read_sample` does, and tell what was understood of it."""
    from angularpu.data.overview import look_over
    from angularpu.progress import tell
    from angularpu.scenario.sample_file import read_sample

    sample, classes = read_sample(
        path, scenario=scenario, label=label, positive=positive, unlabelled=unlabelled, ids=ids
    )
    seen = look_over(sample.rows)
    tell(describe_data(sample, seen, classes=classes, ids=ids))
    return sample, classes, seen


def line(name: str, text: str) -> str:
    """Return a line as all commands write them: a word, then what there is to say."""
    return f"{name:<10} {escape(text)}"


def _describe_columns(seen: "Overview") -> str:
    match seen.kind:
        case "image":
            return f"none: images of {' x '.join(map(str, seen.shape))} (channels, height, width)"
        case "sparse":
            return f"{seen.shape[0]:,} of numbers, most of them 0"
    kinds = ", ".join(f"{count:,} of {KINDS[kind]}" for kind, count in seen.columns.items())
    return f"{seen.shape[0]:,} to learn from: {kinds}"


def _describe_missing(seen: "Overview") -> str:
    if not seen.missing:
        return "none"
    most = sorted(seen.missing.items(), key=lambda item: -item[1])
    named = ", ".join(f"{quote(cut(name, LONGEST_NAME))} {count:,}" for name, count in most[:SHOWN])
    more = f" and {len(most) - SHOWN:,} more" if len(most) > SHOWN else ""
    total = sum(seen.missing.values())
    places = "channels" if seen.kind == "image" else "columns"
    return f"{total:,} value{'s' * (total > 1)} in {len(most):,} of {seen.shape[0]:,} {places}: {named}{more}"
