"""``angularpu audit``: draw rows to be checked by hand."""

from pathlib import Path
from typing import Annotated

import typer

from angularpu.cli.options import AsJson, KnownColumn, KnownValue, ModelPath


def audit(
    model: ModelPath,
    data: Annotated[Path, typer.Argument(metavar="DATA", help="Rows to draw from: .csv, .parquet, .npy or .npz.")],
    *,
    out: Annotated[Path, typer.Option(metavar="FILE", help="Table to fill in: .csv; a .json is written beside it.")],
    n: Annotated[int, typer.Option("--n", metavar="N", help="How many rows to check.")] = 50,
    label: KnownColumn = None,
    positive: KnownValue = None,
    seed: Annotated[int, typer.Option(min=0, help="Equal seeds draw equal rows.")] = 0,
    force: Annotated[bool, typer.Option("--force", help="Replace an existing FILE, with its answers.")] = False,
    as_json: AsJson = False,
) -> None:
    """Draw rows to be checked by hand.

    threshold --audit and fit --audit use the answers.
    """
    from angularpu.audit.file import check_destination, sidecar_of
    from angularpu.progress import print_json, tell

    check_destination(out, overwrite=force)
    from angularpu.model.audit_file import audit_file
    from angularpu.model.directory import read_model

    drawn = audit_file(
        read_model(model), data, out=out, n=n, seed=seed, label=label, positive=positive, overwrite=force
    )
    left_out = f", {drawn.n_known:,} known positives left out" if drawn.n_known else ""
    tell(f"{len(drawn.row)} of {len(drawn.member):,} rows drawn from {len(drawn.size)} strata{left_out}, into {out}")
    tell(f"Write yes, no or unsure into its column answer, and keep {sidecar_of(out).name} beside it; then")
    tell(f"angularpu threshold {model} --audit {out}")
    if as_json:
        print_json(
            {
                "audit": str(out),
                "drawn": len(drawn.row),
                "rows": len(drawn.member),
                "strata": len(drawn.size),
                "known": drawn.n_known,
            }
        )
