"""``angularpu prior``: how many of the unlabelled rows are positive, as several estimators see it."""

from pathlib import Path
from typing import Annotated

import typer

from angularpu.cli.options import (
    AsJson,
    IdColumns,
    LabelColumn,
    LabelledRows,
    PositiveValue,
    ScenarioChoice,
    ScenarioName,
    complete_estimator,
)
from angularpu.progress import print_json, show_progress, tell, warn

FAST = "bbe,dedpul,tice,elkan_noto"  # together a second of a small file; each other one takes five or more

FIT_DIFFERS = (
    "angularpu fit states another share, read off the scores of its own model; both are upper bounds, so the lower one "
    "is the closer one, but for sampling error"
)


def prior(
    data: LabelledRows,
    *,
    label: LabelColumn,
    positive: PositiveValue = None,
    ids: IdColumns = None,
    scenario: ScenarioChoice = ScenarioName.one_sample,
    estimators: Annotated[
        str,
        typer.Option(
            metavar="NAMES",
            help="Which estimators, with commas between; all adds the four slow ones.",
            autocompletion=complete_estimator,
        ),
    ] = FAST,
    seed: Annotated[int, typer.Option(min=0, help="Equal seeds give equal estimates.")] = 0,
    plot: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Draw the estimates: .svg or .png, with a .csv beside it.")
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Estimate how many of the unlabelled rows are positive.

    Several estimators stand side by side. All of them are upper bounds, and so is the share that fit states: fit reads
    it off the scores of its own model, this command off those of a plain classifier. The lower one is the closer one.
    """
    if plot is not None:
        from angularpu.figures.picture import check_picture

        check_picture(plot, data=data)
    tell(f"scenario   {scenario.value}")  # before the imports, which take seconds
    from angularpu.cli.understanding import read_aloud
    from angularpu.fit.prior_estimation import estimate_priors
    from angularpu.priors.table import ESTIMATORS, find_estimator, warn_disagreement

    names = list(ESTIMATORS) if estimators == "all" else list(dict.fromkeys(map(str.strip, estimators.split(","))))
    for name in names:
        find_estimator(name)  # an unknown one is refused before anything is read
    sample, _, _ = read_aloud(data, label=label, positive=positive, ids=ids or [], scenario=scenario.value)
    with show_progress(shown=True) as report:
        estimates = estimate_priors(sample, names, seed=seed, report=report)
    if as_json:
        print_json({"estimates": [each.to_json() for each in estimates], "warning": warn_disagreement(estimates)})
    else:
        print("at most so many are positive:")  # an estimator reads off the largest share that the rows leave possible
        print("estimator    alpha   90 % interval   prior   label frequency, at least")
        for each in estimates:
            interval = f"{each.low:.3f} to {each.high:.3f}"
            print(f"{each.name:<12} {each.alpha:.3f}   {interval}  {each.prior:.3f}   {each.label_freq:.3f}")
    if plot is not None:
        from angularpu.figures.priors import save_prior_figure

        save_prior_figure(plot, estimates)
    for each in estimates:
        for note in each.notes:
            tell(f"note: {each.name}: {note}")
    tell(f"note: {FIT_DIFFERS}")
    warning = warn_disagreement(estimates)
    if warning:
        warn(warning)
