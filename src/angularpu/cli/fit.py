"""``angularpu fit``: learn a model from known positives and unlabelled rows."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from angularpu.cli.launch import follows, launched
from angularpu.cli.options import (
    LABELLED_ROWS,
    AsJson,
    EngineName,
    IdColumns,
    PositiveValue,
    ScenarioChoice,
    ScenarioName,
    complete_method,
)
from angularpu.progress import print_json, show_progress, tell, warn

if TYPE_CHECKING:
    from angularpu.audit.answers import Answers
    from angularpu.data.overview import Overview
    from angularpu.methods.fitted import Fitted
    from angularpu.methods.protocol import Method
    from angularpu.model.flagged import Flagged
    from angularpu.scenario.sample import PUSample


@launched()
def fit(
    data: Annotated[Path | None, typer.Argument(metavar="DATA", help=LABELLED_ROWS)] = None,
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
            help="How to choose the threshold: pu-f1, recall=0.95, precision=0.9, prior=0.3, lee-liu ...; auto is "
            "pu-f1, and lee-liu when fewer than ten positives are labelled.",
        ),
    ] = "auto",
    prior: Annotated[
        str,
        typer.Option(metavar="SHARE", help="Share of positives in the population, or the estimator that finds it."),
    ] = "bbe",
    method: Annotated[
        str | None,
        typer.Option(
            metavar="NAME",
            help="Method to fit, see angularpu methods; an ensemble by default.",
            autocompletion=complete_method,
        ),
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
    reviews: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE", help="Rows of DATA that a person found positive or negative: CSV, row and answer."
        ),
    ] = None,
    seed: Annotated[int, typer.Option(min=0, help="Equal seeds give equal models.")] = 0,
    threads: Annotated[
        int | None,
        typer.Option(min=1, metavar="N", help="Threads to compute with; by default all, and one for a small network."),
    ] = None,
    force: Annotated[bool, typer.Option("--force", help="Replace an existing MODEL.")] = False,
    restart: Annotated[bool, typer.Option("--restart", help="Delete an unfinished run for MODEL first.")] = False,
    engine: Annotated[EngineName, typer.Option(help="Who trains: this machine, or a Ray cluster.")] = EngineName.local,
    as_json: AsJson = False,
) -> None:
    """Learn a model from known positives and unlabelled rows.

    Rows in .npy and .parquet files may be larger than memory. A run that was killed is resumed when the same command is
    given again.
    """
    tell(f"scenario   {scenario.value}")  # before the imports, which take seconds
    from angularpu.cli.settings import parse_prior, parse_settings
    from angularpu.methods.configure import choose_default, choose_preset, configure
    from angularpu.methods.table import find_method
    from angularpu.model.flagged import count_flagged
    from angularpu.model.following import follow, meet
    from angularpu.train.threads import use_given_threads

    name = choose_default(_choose_name(method, algorithm), preset)
    options = parse_settings(settings or [], method=choose_preset(preset, name).method)
    configured = configure(preset, method=name, threshold=threshold, prior=parse_prior(prior), options=options)
    if find_method(configured.name).oracle:
        warn(f"{configured.name} treats every unlabelled row as a true negative")
    with use_given_threads(threads), show_progress(shown=True) as report:
        sample, classes, seen = _read_sample(
            data,
            label=label,
            positive=positive,
            positives=positives,
            unlabelled=unlabelled,
            ids=ids or [],
            scenario=scenario,
        )
        answers = None if audit is None else _read_answers(audit, sample)
        if reviews is not None:
            sample = _read_reviews(reviews, sample, from_one_file=data is not None)
        meet(configured, sample, seed=seed, given={"out": out, "audit": audit, "force": force, "restart": restart})
        if follows():
            follow(configured, sample, seed=seed)
            return
        before = _summarise_replaced(out) if force else None
        how = {"seed": seed, "classes": classes, "overwrite": force, "restart": restart, "report": report}
        fitted = _fit(configured, sample, out, engine, how)
        if answers is not None:
            fitted = _decide_audited(out, threshold, fitted, sample=sample, answers=answers)
        flagged = count_flagged(fitted, sample)
    source = data or unlabelled or out
    _tell_outcome(out, flagged, before=before, seen=seen, data=source, label=label, ids=ids or [], as_json=as_json)


def _summarise_replaced(model: Path) -> dict[str, Any] | None:
    """Return what the model that is about to be replaced says of itself; None where none can be read."""
    from angularpu.cli.summary import summarise
    from angularpu.errors import AngularPUError
    from angularpu.model.description import read_description

    try:
        return summarise(read_description(model))
    except AngularPUError:
        return None


def _fit(method: "Method", sample: "PUSample", out: Path, engine: EngineName, how: dict[str, Any]) -> "Fitted":
    from angularpu.engines.fitting import fit_on_ray
    from angularpu.model.resumable import fit_into

    return (fit_on_ray if engine is EngineName.ray else fit_into)(method, sample, directory=out, **how)


def _tell_outcome(
    model: Path,
    flagged: "Flagged",
    *,
    before: dict[str, Any] | None,
    seen: "Overview",
    data: Path,
    label: str | None,
    ids: list[str],
    as_json: bool,
) -> None:
    from dataclasses import asdict

    from angularpu.cli.outcome import describe_before, list_warnings, suggest_next, warn_extreme
    from angularpu.cli.summary import describe_fit, summarise
    from angularpu.cli.understanding import line
    from angularpu.errors import BoundError
    from angularpu.model.description import read_description

    summary = summarise(read_description(model))
    warnings = [
        *list_warnings(summary),
        *warn_extreme(flagged.unlabelled, summary["n_unl"], rows="unlabelled rows"),
    ]
    commands = suggest_next(summary, model=model, data=data, label=label, ids=ids)
    tell(describe_fit(summary, flagged))
    if before is not None:
        tell(line("before", describe_before(before)))
    for each in warnings:
        warn(each)
    tell(f"model      {model}")
    for name, command in zip(("next", ""), commands, strict=True):
        tell(f"{name:<10} {command}")
    if as_json:
        more = {"data": asdict(seen), "flagged": asdict(flagged), "warnings": warnings, "next": commands}
        print_json({"model": str(model), **summary, **more, "before": before})
    if summary["refused"]:
        raise BoundError(summary["refused"])


def _read_answers(audit: Path, sample: "PUSample") -> "Answers":
    """Read the answers before anything is trained."""
    from angularpu.audit.file import read_audit
    from angularpu.model.audit_file import check_heap

    answers = read_audit(audit)
    check_heap(answers.audit, sample)
    return answers


def _read_reviews(path: Path, sample: "PUSample", *, from_one_file: bool) -> "PUSample":
    from angularpu.errors import SettingError
    from angularpu.scenario.review_file import read_reviews

    if not from_one_file:
        raise SettingError("--reviews counts the rows of one file; put positives and unlabelled rows into one DATA")
    return read_reviews(path, sample)


def _decide_audited(out: Path, rule: str, fitted: "Fitted", *, sample: "PUSample", answers: "Answers") -> "Fitted":
    from angularpu.model.audit_file import carry_answers
    from angularpu.model.directory import read_model
    from angularpu.model.redecide import redecide

    redecide(out, rule, carry_answers(answers, fitted, sample))
    return read_model(out)


def _choose_name(method: str | None, algorithm: str | None) -> str | None:
    from angularpu.errors import SettingError

    if algorithm is None:
        return method
    if method is not None:
        raise SettingError("--method and --algorithm, its old name, are both given; leave --algorithm out")
    warn(f"--algorithm is now called --method; write --method {algorithm}")
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
) -> tuple["PUSample", tuple[Any, Any], "Overview"]:
    from angularpu.cli.understanding import read_aloud
    from angularpu.errors import SettingError

    match data, label, positives, unlabelled:
        case Path(), str(), None, None:
            return read_aloud(data, label=label, positive=positive, ids=ids, scenario=scenario.value)
        case None, None, Path(), Path() if positive is None:
            return read_aloud(positives, unlabelled=unlabelled, ids=ids, scenario=scenario.value)
    raise SettingError("fit takes either DATA with --label, or --positives with --unlabelled; see angularpu fit --help")
