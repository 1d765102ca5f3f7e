"""``angularpu info``: what a model directory holds."""

from pathlib import Path
from typing import Annotated

import typer


def info(
    model: Annotated[Path, typer.Argument(metavar="MODEL", help="Directory that fit has made.")],
    *,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
) -> None:
    """Tell how a model was made, and where and why it cuts."""
    from angularpu.cli.summary import describe_model, summarise
    from angularpu.model.description import read_description
    from angularpu.progress import print_json, printable

    summary = summarise(read_description(model))
    if as_json:
        print_json(summary)
    else:
        print(printable(describe_model(summary)))
