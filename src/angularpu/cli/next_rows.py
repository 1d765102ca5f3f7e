"""``angularpu next``: which rows to review next."""

import shlex
from collections import Counter
from pathlib import Path
from typing import Annotated

import typer

from angularpu.cli.options import AsJson, KnownColumn, KnownValue, ModelPath


def next_(
    model: ModelPath,
    data: Annotated[Path, typer.Argument(metavar="DATA", help="Rows to choose from: .csv, .parquet, .npy or .npz.")],
    *,
    out: Annotated[Path, typer.Option(metavar="FILE", help="Table to fill in: .csv.")],
    n: Annotated[int, typer.Option("--n", metavar="N", help="How many rows to review.")] = 50,
    label: KnownColumn = None,
    positive: KnownValue = None,
    reviews: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Reviews so far; rows with an answer are left out.")
    ] = None,
    force: Annotated[bool, typer.Option("--force", help="Replace an existing FILE, with its answers.")] = False,
    as_json: AsJson = False,
) -> None:
    """Propose rows to review; fit --reviews learns from the answers.

    Half are the likeliest, a quarter are uncertain, a quarter are unlike the others.
    """
    from angularpu.model.directory import read_model
    from angularpu.model.heap_file import list_others
    from angularpu.model.next_rows import write_proposal
    from angularpu.progress import print_json, tell

    fitted = read_model(model)
    proposal = write_proposal(
        fitted, data, out=out, n=n, label=label, positive=positive, reviews=reviews, overwrite=force
    )
    reasons = Counter(proposal.why)
    counts = ", ".join(f"{count} {why}" for why, count in reasons.items())
    tell(f"{len(proposal.row)} rows to review ({counts}), into {out}")
    tell("Write positive, negative or unsure into its column answer; then")
    ids = "".join(f" --id {shlex.quote(name)}" for name in list_others(fitted, data, label=label))
    marked = shlex.quote(label) if label else "COLUMN"
    tell(f"angularpu fit {shlex.quote(str(data))} --label {marked}{ids} --reviews {out} --out NEW_MODEL")
    if as_json:
        print_json({"rows": len(proposal.row), "why": dict(reasons), "file": str(out)})
