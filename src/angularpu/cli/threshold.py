"""``angularpu threshold``: change where a model cuts, without fitting it again."""

from pathlib import Path
from typing import Annotated

import typer


def threshold(
    model: Annotated[Path, typer.Argument(metavar="MODEL", help="Directory that fit has made.")],
    *,
    rule: Annotated[
        str | None,
        typer.Option(metavar="RULE", help="Where MODEL cuts from now on: pu-f1, recall=0.95, precision=0.9 ..."),
    ] = None,
    sensitivity: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Draw precision and recall over the prior: .svg or .png, a .csv beside it."),
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print the decision as JSON.")] = False,
) -> None:
    """Change where a model cuts, by the scores it has kept; without --rule, tell where it cuts now."""
    from angularpu.cli.summary import describe_decision, summarise
    from angularpu.figures.picture import check_picture
    from angularpu.model.description import read_description
    from angularpu.progress import print_json, tell

    if sensitivity is not None:
        check_picture(sensitivity)
    if rule is not None:
        from angularpu.model.redecide import redecide

        before = read_description(model)["decision"]
        redecide(model, rule)
        tell(f"{model} cut at {before['threshold']:.6g} by the rule {before['rule']}, and now at")
    description = read_description(model)
    notes = [f"note: {note}" for note in description["decision"]["notes"]]
    tell("\n".join([describe_decision(summarise(description)), *notes]))
    if sensitivity is not None:
        from angularpu.figures.sensitivity import save_sensitivity_figure
        from angularpu.model.redecide import vary_prior

        curve, prior = vary_prior(model)
        save_sensitivity_figure(sensitivity, curve, prior=prior)
    if as_json:
        print_json(description["decision"])
