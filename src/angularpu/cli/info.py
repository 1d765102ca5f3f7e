"""``angularpu info``: what a model directory holds."""

import json
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

    summary = summarise(read_description(model))
    print(json.dumps(summary, indent=1, ensure_ascii=False) if as_json else describe_model(summary))
