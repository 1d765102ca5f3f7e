"""``angularpu score``: give every row of a file a score, a probability and a prediction."""

import warnings
from pathlib import Path
from typing import Annotated

import typer


def score(
    model: Annotated[Path, typer.Argument(metavar="MODEL", help="Directory that fit has made.")],
    data: Annotated[Path, typer.Argument(metavar="DATA", help="Rows to score: .csv, .parquet, .npy or .npz.")],
    *,
    out: Annotated[Path, typer.Option(metavar="FILE", help="Table to write: .csv or .parquet.")],
    ids: Annotated[
        list[str] | None,
        typer.Option("--id", metavar="COLUMN", help="Column to keep in front of the scores; may be repeated."),
    ] = None,
    safe_csv: Annotated[
        bool,
        typer.Option("--safe-csv", help="Put an apostrophe before text that a spreadsheet would take for a formula."),
    ] = False,
    force: Annotated[bool, typer.Option("--force", help="Replace an existing FILE.")] = False,
    trusted: Annotated[
        bool, typer.Option("--trusted", help="Read a classical model of an earlier version, if you know who made it.")
    ] = False,
) -> None:
    """Write score, probability and prediction of every row of DATA, in its order, whatever its size."""
    from angularpu.errors import DataError

    if out.exists() and not force:
        raise DataError(f"{out} exists already; choose another name or pass --force")
    from angularpu.model.directory import read_model
    from angularpu.model.score_file import score_file
    from angularpu.progress import show_progress, tell

    with warnings.catch_warnings(record=True, action="default") as caught:
        fitted = read_model(model, trusted=trusted)
    for warning in caught:
        tell(f"Warning: {warning.message}")
    out.parent.mkdir(parents=True, exist_ok=True)
    with show_progress(shown=True) as report:
        n = score_file(fitted, data, out=out, ids=ids or [], safe=safe_csv, report=report)
    tell(f"{n:,} rows scored into {out}")
