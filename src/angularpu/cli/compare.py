"""``angularpu compare``: which method ranks these rows best, and which differences are more than chance."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from angularpu.cli.options import (
    AsJson,
    IdColumns,
    LabelColumn,
    LabelledRows,
    PositiveValue,
    ScenarioChoice,
    ScenarioName,
)
from angularpu.progress import print_json, printable, show_progress, tell

if TYPE_CHECKING:
    from angularpu.fit.comparison import ComparedMethod, Comparison

HEADING = "PU-AUC  90 % interval   AUC    less than the best, interval    CPU s  alpha at most  F1"


def compare(
    data: LabelledRows,
    *,
    label: LabelColumn,
    positive: PositiveValue = None,
    ids: IdColumns = None,
    methods: Annotated[
        str | None,
        typer.Option(
            metavar="NAME,NAME",
            help="Methods or presets; ensemble is the weighted sum of the others. By default those that an ensemble "
            "takes for such rows, that ensemble, and naive.",
        ),
    ] = None,
    scenario: ScenarioChoice = ScenarioName.one_sample,
    prior: Annotated[
        str,
        typer.Option(
            metavar="SHARE",
            help="Share of positives in the population, or the estimator that finds it for methods trained with one.",
        ),
    ] = "bbe",
    seed: Annotated[int, typer.Option(min=0, help="Equal seeds give equal results, but for the seconds.")] = 0,
    plot: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Draw the differences: .svg or .png, with a .csv beside it.")
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Tell which method ranks these rows best.

    Several methods are fitted in the same folds, and it is said which differences are more than chance. No model is
    saved.
    """
    if plot is not None:
        from angularpu.figures.picture import check_picture

        check_picture(plot, data=data)
    tell(f"scenario   {scenario.value}")  # before the imports, which take seconds
    from angularpu.cli.settings import parse_prior
    from angularpu.cli.understanding import read_aloud
    from angularpu.fit.comparing import compare_methods

    names = None if methods is None else [name.strip() for name in methods.split(",")]
    sample, _, _ = read_aloud(data, label=label, positive=positive, ids=ids or [], scenario=scenario.value)
    with show_progress(shown=True) as report:
        comparison = compare_methods(sample, names, prior=parse_prior(prior), seed=seed, report=report)
    if as_json:
        print_json(comparison.to_json())
    else:
        print(printable(_tabulate(comparison)))
    if plot is not None:
        from angularpu.figures.comparison import save_comparison_figure

        save_comparison_figure(plot, comparison)
    for name, reason in comparison.left_out.items():
        tell(f"left out   {name}: {reason}")
    for note in comparison.notes:
        tell(f"note: {note}")


def _tabulate(comparison: "Comparison") -> str:
    """Return the table, and in words which differences are real."""
    width = max(len(each.name) for each in comparison.methods)
    rows = [f"{each.name:<{width}}  {_describe(each)}" for each in comparison.methods]
    return "\n".join([f"{'method':<{width}}  {HEADING}", *rows, "", *_conclude(comparison)])


def _describe(each: "ComparedMethod") -> str:
    interval = f"{each.pu_auc_low:.3f} to {each.pu_auc_high:.3f}"
    real = " real" if each.worse else ""
    difference = f"{each.difference:+.3f} ({each.difference_low:+.3f} to {each.difference_high:+.3f}){real}"
    f1 = None if each.decision is None else each.decision.f1
    return (
        f"{each.pu_auc:.3f}   {interval}  {_round(each.auc)}  {difference if each.difference else '':<30}  "
        f"{each.seconds:5.1f}  {_round(each.alpha):<13}  {_round(f1)}"
    )


def _round(value: float | None) -> str:
    return "-    " if value is None else f"{value:.3f}"


def _conclude(comparison: "Comparison") -> list[str]:
    best, *others = comparison.methods
    near = ", ".join(each.name for each in others if not each.worse)
    lines = [f"best       {best.name}" + (f"; not really better than {near}" if near else "")]
    for better in dict.fromkeys(better for better, _ in comparison.real):
        worse = ", ".join(each for winner, each in comparison.real if winner == better)
        lines.append(f"real       {better} ranks better than {worse}")
    if not comparison.real:
        lines.append("real       no difference: all of them may be chance")
    return lines
