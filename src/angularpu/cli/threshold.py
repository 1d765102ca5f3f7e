"""``angularpu threshold``: change the threshold of a model, without fitting it again."""

from pathlib import Path
from typing import Annotated

import typer

from angularpu.cli.options import AsJson, ModelPath


def threshold(
    model: ModelPath,
    *,
    rule: Annotated[
        str | None,
        typer.Option(metavar="RULE", help="Rule that chooses the threshold: pu-f1, recall=0.95, precision=0.9 ..."),
    ] = None,
    audit: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Answers about rows that angularpu audit drew; all figures rest on them."),
    ] = None,
    sensitivity: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Draw precision and recall over the prior: .svg or .png, a .csv beside it."),
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Change the threshold of a model, without fitting it again.

    It uses the scores that the model has kept. Without --rule or --audit it tells what the threshold is now.
    """
    from angularpu.cli.summary import describe_audit, describe_decision, list_all_warnings, summarise
    from angularpu.cli.understanding import line
    from angularpu.figures.picture import check_picture
    from angularpu.model.description import read_description
    from angularpu.progress import print_json, tell, warn

    if sensitivity is not None:
        check_picture(sensitivity)
    if rule is not None or audit is not None:
        from angularpu.audit.file import read_audit
        from angularpu.model.redecide import redecide

        description = read_description(model)
        before = summarise(description)
        asked = rule or description.get("threshold", before["rule"])
        redecide(model, asked, None if audit is None else read_audit(audit))
        if audit is None and description.get("audit"):
            warn("P and U alone decide again; pass --audit with the answers to keep what they said")
        tell(line("before", f"{before['threshold']:.6g} by the rule {before['rule']}"))
    description = read_description(model)
    notes = [f"note: {note}" for note in description["decision"]["notes"]]
    summary = summarise(description)
    tell("\n".join([describe_decision(summary), *describe_audit(summary["audit"]), *notes]))
    for warning in list_all_warnings(summary):
        warn(warning)
    if sensitivity is not None:
        from angularpu.figures.sensitivity import save_sensitivity_figure
        from angularpu.model.redecide import vary_prior

        curve, prior = vary_prior(model)
        save_sensitivity_figure(sensitivity, curve, prior=prior)
    if as_json:
        print_json(description["decision"] | ({"audit": summary["audit"]} if summary["audit"] else {}))
