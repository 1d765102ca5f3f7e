"""``angularpu threshold``: change where a model cuts, without fitting it again."""

import json
import sys
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
        typer.Option(metavar="FILE", help="Draw precision and recall over the prior into an .svg, a .csv beside it."),
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print the decision as JSON.")] = False,
) -> None:
    """Change where a model cuts, by the scores it has kept; without --rule, tell where it cuts now."""
    from angularpu.cli.summary import describe_decision, summarise
    from angularpu.figures.picture import check_picture
    from angularpu.model.description import read_description

    if sensitivity is not None:
        check_picture(sensitivity)
    if rule is not None:
        from angularpu.model.redecide import redecide

        before = read_description(model)["decision"]
        redecide(model, rule)
        print(f"{model} cut at {before['threshold']:.6g} by the rule {before['rule']}, and now at", file=sys.stderr)
    description = read_description(model)
    notes = [f"note: {note}" for note in description["decision"]["notes"]]
    print("\n".join([describe_decision(summarise(description)), *notes]), file=sys.stderr)
    if sensitivity is not None:
        from angularpu.figures.sensitivity import save_sensitivity_figure
        from angularpu.model.redecide import vary_prior

        curve, prior = vary_prior(model)
        save_sensitivity_figure(sensitivity, curve, prior=prior)
    if as_json:
        print(json.dumps(description["decision"], indent=1, ensure_ascii=False))
