"""``angularpu prior``: how many of the unlabelled rows are positive, as several estimators see it."""

from pathlib import Path
from typing import Annotated

import typer

from angularpu.cli.fit import IdColumns, LabelColumn, LabelledRows, PositiveValue, ScenarioChoice, ScenarioName
from angularpu.progress import print_json, show_progress, tell

FAST = "bbe,dedpul,tice,elkan_noto"  # together a second of a small file; each other one takes five or more


def prior(
    data: LabelledRows,
    *,
    label: LabelColumn,
    positive: PositiveValue = None,
    ids: IdColumns = None,
    scenario: ScenarioChoice = ScenarioName.one_sample,
    estimators: Annotated[
        str,
        typer.Option(metavar="NAMES", help="Which estimators, with commas between; all adds the four slow ones."),
    ] = FAST,
    seed: Annotated[int, typer.Option(min=0, help="Equal seeds give equal estimates.")] = 0,
    picture: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Draw the estimates: .svg or .png, with a .csv beside it.")
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print a list of estimates as JSON.")] = False,
) -> None:
    """Estimate the share of positives by several estimators, side by side."""
    if picture is not None:
        from angularpu.figures.picture import check_picture

        check_picture(picture, data=data)
    tell(f"scenario   {scenario.value}")  # before the imports, which take seconds
    from angularpu.cli.summary import describe_rows
    from angularpu.fit.prior_estimation import estimate_priors
    from angularpu.priors.table import ESTIMATORS, find_estimator, warn_disagreement
    from angularpu.scenario.sample_file import read_sample

    names = list(ESTIMATORS) if estimators == "all" else list(dict.fromkeys(map(str.strip, estimators.split(","))))
    for name in names:
        find_estimator(name)  # an unknown one is refused before anything is read
    sample, classes = read_sample(data, label=label, positive=positive, ids=ids or [], scenario=scenario.value)
    tell(describe_rows(sample.n_pos, sample.n_unl, classes=classes))
    with show_progress(shown=True) as report:
        estimates = estimate_priors(sample, names, seed=seed, report=report)
    if as_json:
        print_json([each.to_json() for each in estimates])
    else:
        print("at most:")  # an estimator reads off the largest share that the rows leave possible
        print("estimator    alpha   90 % interval   prior   label frequency, at least")
        for each in estimates:
            interval = f"{each.low:.3f} to {each.high:.3f}"
            print(f"{each.name:<12} {each.alpha:.3f}   {interval}  {each.prior:.3f}   {each.label_freq:.3f}")
    if picture is not None:
        from angularpu.figures.priors import save_prior_figure

        save_prior_figure(picture, estimates)
    for each in estimates:
        for note in each.notes:
            tell(f"note: {each.name}: {note}")
    warning = warn_disagreement(estimates)
    if warning:
        tell(f"Warning: {warning}")
