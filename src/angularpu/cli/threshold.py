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
        str,
        typer.Option(metavar="RULE", help="Where to cut: pu-f1, recall=0.95, precision=0.9, lee-liu ..."),
    ],
    as_json: Annotated[bool, typer.Option("--json", help="Print the new decision as JSON.")] = False,
) -> None:
    """Choose the threshold anew from the scores the model has kept; its probabilities follow the rule's prior."""
    from angularpu.cli.summary import describe_decision, summarise
    from angularpu.redecision import redecide

    description = redecide(model, rule)
    print(describe_decision(summarise(description)), file=sys.stderr)
    if as_json:
        print(json.dumps(description["decision"], indent=1, ensure_ascii=False))
