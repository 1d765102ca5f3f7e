"""``angularpu prior``: how many of the unlabelled rows are positive, as every estimator sees it."""

import json
import sys
from pathlib import Path
from typing import Annotated

import typer

from angularpu.cli.fit import IdColumns, PositiveValue, ScenarioName


def prior(
    data: Annotated[Path, typer.Argument(metavar="DATA", help="Rows with their labels: .csv, .parquet or .npz.")],
    *,
    label: Annotated[
        str, typer.Option(metavar="COLUMN", help="Column with two values: the greater one marks known positives.")
    ],
    positive: PositiveValue = None,
    ids: IdColumns = None,
    scenario: Annotated[
        ScenarioName,
        typer.Option(
            help="one-sample: some positives of one population got labelled; two-sample: they were collected apart."
        ),
    ] = ScenarioName.one_sample,
    seed: Annotated[int, typer.Option(min=0, help="Equal seeds give equal estimates.")] = 0,
    picture: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Draw the estimates into an .svg, with a .csv beside it.")
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print a list of estimates as JSON.")] = False,
) -> None:
    """Estimate the share of positives by every estimator, side by side."""
    if picture is not None:
        from angularpu.figures.picture import check_picture

        check_picture(picture)
    print(f"scenario   {scenario.value}", file=sys.stderr)  # before the imports, which take seconds
    from angularpu.cli.sample import read_labelled
    from angularpu.cli.summary import describe_rows
    from angularpu.fit.prior_estimation import estimate_priors
    from angularpu.priors.table import warn_disagreement
    from angularpu.progress import show_progress

    sample, classes = read_labelled(data, label=label, positive=positive, ids=ids or [], scenario=scenario.value)
    print(describe_rows(sample.n_pos, sample.n_unl, classes=classes), file=sys.stderr)
    with show_progress(shown=True) as report:
        estimates = estimate_priors(sample, seed=seed, report=report)
    if as_json:
        print(json.dumps([each.to_json() for each in estimates], indent=1))
    else:
        print("estimator    alpha   90 % interval   prior   label frequency")
        for each in estimates:
            interval = f"{each.low:.3f} to {each.high:.3f}"
            print(f"{each.name:<12} {each.alpha:.3f}   {interval}  {each.prior:.3f}   {each.label_freq:.3f}")
    if picture is not None:
        from angularpu.figures.priors import save_prior_figure

        save_prior_figure(picture, estimates)
    for each in estimates:
        for note in each.notes:
            print(f"note: {each.name}: {note}", file=sys.stderr)
    warning = warn_disagreement(estimates)
    if warning:
        print(f"Warning: {warning}", file=sys.stderr)
