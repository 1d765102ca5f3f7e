"""Paired differences between two sets of results, and the fields of a table that show them."""

import math
from collections.abc import Sequence

from angularpu_bench.report.comparison import PairedDifference, adjust_holm, compare_paired
from angularpu_bench.report.results import Results
from angularpu_bench.report.table import DIGITS, NONE, Field


def compare_results(first: Results, second: Results, *, metric: str) -> PairedDifference | None:
    """Compare two methods over the draws (data set and seed) that both have; None if there are none."""
    ours, theirs = first.by_draw(metric), second.by_draw(metric)
    shared = sorted(ours.keys() & theirs.keys())
    if not shared:
        return None
    pairs = [[values[draw] for draw in shared] for values in (ours, theirs)]
    return compare_paired(*pairs)


def show_difference(difference: PairedDifference | None, *, p_value: float = math.nan) -> Field:
    """Show a difference with its interval, and its p-value if there is one.

    >>> show_difference(PairedDifference(3, -0.0125, 0.001, -0.014, -0.011, 0.01), p_value=0.01).text
    '-0.0125 [-0.0140, -0.0110], p 0.010'
    """
    if difference is None:
        return Field(NONE)
    text = f"{difference.mean:+.{DIGITS}f}"
    if math.isfinite(difference.low):
        text += f" [{difference.low:+.{DIGITS}f}, {difference.high:+.{DIGITS}f}]"
    if math.isfinite(p_value):
        text += f", p {p_value:.3f}" if p_value >= 0.0005 else ", p < 0.001"
    return Field(text, difference.mean)


def show_differences(differences: Sequence[PairedDifference | None]) -> list[Field]:
    """Show the differences of one table, with p-values of the paired t-test after Holm's correction."""
    p_values = adjust_holm([math.nan if each is None else each.p_t for each in differences])
    return [show_difference(each, p_value=p) for each, p in zip(differences, p_values, strict=True)]
