"""``angularpu fit``: learn a model from known positives and unlabelled rows."""

from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from angularpu.progress import print_json, show_progress, tell

if TYPE_CHECKING:
    from angularpu.audit.answers import Answers
    from angularpu.methods.fitted import Fitted
    from angularpu.scenario.sample import PUSample


class ScenarioName(StrEnum):
    """How the labels came about, as typer wants a choice to be written."""

    one_sample = "one-sample"
    two_sample = "two-sample"


LabelledRows = Annotated[Path, typer.Argument(metavar="DATA", help="Rows with their labels: .csv, .parquet or .npz.")]
LabelColumn = Annotated[
    str, typer.Option(metavar="COLUMN", help="Column of DATA: 1 and 0, two other numbers, or one value and blanks.")
]
ScenarioChoice = Annotated[
    ScenarioName,
    typer.Option(
        help="one-sample: some positives of one population got labelled; two-sample: they were collected apart."
    ),
]
PositiveValue = Annotated[
    str | None,
    typer.Option(
        metavar="VALUE",
        help="Value of --label that marks known positives, needed for two words; all others are unlabelled.",
    ),
]
IdColumns = Annotated[
    list[str] | None,
    typer.Option("--id", metavar="COLUMN", help="Column that is not learned from; may be repeated."),
]


def fit(
    data: Annotated[
        Path | None, typer.Argument(metavar="DATA", help="Rows with their labels: .csv, .parquet or .npz.")
    ] = None,
    *,
    out: Annotated[Path, typer.Option(metavar="MODEL", help="Directory to write the model to.")],
    label: Annotated[
        str | None,
        typer.Option(
            metavar="COLUMN",
            help="Column of DATA: the greater of two numbers, or one value beside blanks, marks known positives.",
        ),
    ] = None,
    positive: PositiveValue = None,
    positives: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Known positives, instead of DATA: also .npy.")
    ] = None,
    unlabelled: Annotated[Path | None, typer.Option(metavar="FILE", help="Unlabelled rows, with --positives.")] = None,
    ids: IdColumns = None,
    scenario: ScenarioChoice = ScenarioName.one_sample,
    threshold: Annotated[
        str,
        typer.Option(
            metavar="RULE",
            help="Where to cut: pu-f1, recall=0.95, precision=0.9, prior=0.3, lee-liu ...; auto is pu-f1, and lee-liu "
            "when fewer than ten positives are labelled.",
        ),
    ] = "auto",
    prior: Annotated[
        str,
        typer.Option(metavar="SHARE", help="Share of positives in the population, or the estimator that finds it."),
    ] = "bbe",
    method: Annotated[
        str | None, typer.Option(metavar="NAME", help="Method to fit, see angularpu methods; an ensemble by default.")
    ] = None,
    algorithm: Annotated[str | None, typer.Option(metavar="NAME", hidden=True, help="Old name of --method.")] = None,
    preset: Annotated[
        str, typer.Option(metavar="NAME", help="default, paper, or a row of the paper's ablation.")
    ] = "default",
    settings: Annotated[
        list[str] | None,
        typer.Option("--set", metavar="OPTION=VALUE", help="Any option of the method; may be repeated."),
    ] = None,
    audit: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Answers about rows of DATA that angularpu audit drew with another model."),
    ] = None,
    seed: Annotated[int, typer.Option(min=0, help="Equal seeds give equal models.")] = 0,
    force: Annotated[bool, typer.Option("--force", help="Replace an existing MODEL.")] = False,
    restart: Annotated[bool, typer.Option("--restart", help="Delete an unfinished run for MODEL first.")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print a summary as JSON.")] = False,
) -> None:
    """Learn a model; a run that was killed is resumed when the same command is given again."""
    tell(f"scenario   {scenario.value}")  # before the imports, which take seconds
    from angularpu.cli.settings import parse_prior, parse_settings
    from angularpu.cli.summary import describe_fit, summarise
    from angularpu.errors import BoundError
    from angularpu.methods.configure import choose_default, choose_preset, configure
    from angularpu.methods.table import find_method
    from angularpu.model.description import read_description
    from angularpu.model.resumable import fit_into

    name = choose_default(_choose_name(method, algorithm), preset)
    options = parse_settings(settings or [], method=choose_preset(preset, name).method)
    configured = configure(preset, method=name, threshold=threshold, prior=parse_prior(prior), options=options)
    if find_method(configured.name).oracle:
        tell(f"Warning: {configured.name} treats every unlabelled row as a true negative")
    with show_progress(shown=True) as report:
        sample, classes = _read_sample(
            data,
            label=label,
            positive=positive,
            positives=positives,
            unlabelled=unlabelled,
            ids=ids or [],
            scenario=scenario,
        )
        answers = None if audit is None else _read_answers(audit, sample)
        fitted = fit_into(
            configured,
            sample,
            directory=out,
            seed=seed,
            classes=classes,
            overwrite=force,
            restart=restart,
            report=report,
        )
    if answers is not None:
        _decide_audited(out, threshold, fitted, sample=sample, answers=answers)
    summary = summarise(read_description(out))
    tell(f"{describe_fit(summary)}\nmodel      {out}")
    if as_json:
        print_json({"model": str(out), **summary})
    if summary["refused"]:
        raise BoundError(summary["refused"])


def _read_answers(audit: Path, sample: "PUSample") -> "Answers":
    """Read the answers before anything is trained."""
    from angularpu.audit.file import read_audit
    from angularpu.model.audit_file import check_heap

    answers = read_audit(audit)
    check_heap(answers.audit, sample)
    return answers


def _decide_audited(out: Path, rule: str, fitted: "Fitted", *, sample: "PUSample", answers: "Answers") -> None:
    from angularpu.model.audit_file import carry_answers
    from angularpu.model.redecide import redecide

    redecide(out, rule, carry_answers(answers, fitted, sample))


def _choose_name(method: str | None, algorithm: str | None) -> str | None:
    from angularpu.errors import SettingError

    if algorithm is None:
        return method
    if method is not None:
        raise SettingError("--method and --algorithm, its old name, are both given; leave --algorithm out")
    tell(f"Warning: --algorithm is now called --method; write --method {algorithm}")
    return algorithm


def _read_sample(
    data: Path | None,
    *,
    label: str | None,
    positive: str | None,
    positives: Path | None,
    unlabelled: Path | None,
    ids: list[str],
    scenario: ScenarioName,
) -> tuple["PUSample", tuple[Any, Any]]:
    from angularpu.errors import SettingError
    from angularpu.scenario.sample_file import read_sample

    match data, label, positives, unlabelled:
        case Path(), str(), None, None:
            return read_sample(data, label=label, positive=positive, ids=ids, scenario=scenario.value)
        case None, None, Path(), Path() if positive is None:
            return read_sample(positives, unlabelled=unlabelled, ids=ids, scenario=scenario.value)
    raise SettingError("fit takes either DATA with --label, or --positives with --unlabelled; see angularpu fit --help")
