"""``angularpu explore``: write a page in which people look at rows and mark what they know."""

from pathlib import Path
from typing import Annotated

import typer

from angularpu.cli.options import AsJson, ModelPath


def explore(
    model: ModelPath,
    data: Annotated[Path, typer.Argument(metavar="DATA", help="Rows to look at: .csv, .parquet, .npy or .npz.")],
    *,
    out: Annotated[Path, typer.Option("--out", "-o", metavar="FILE", help="Page to write: .html.")],
    label: Annotated[
        str | None,
        typer.Option(metavar="COLUMN", help="Column of DATA with the known positives; else those MODEL remembers."),
    ] = None,
    out_of_fold: Annotated[
        bool,
        typer.Option("--out-of-fold", help="DATA is the training data: score rows by models not trained on them."),
    ] = False,
    audit: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Open on the rows that angularpu audit drew, to answer them."),
    ] = None,
    force: Annotated[bool, typer.Option("--force", help="Replace an existing FILE.")] = False,
    as_json: AsJson = False,
) -> None:
    """Write a page to look at rows and mark what you know.

    One file, without server or network: ranked rows, a threshold to move, a map of the sphere.
    """
    from angularpu.errors import DataError

    if out.exists() and not force:
        raise DataError(f"{out} exists already; choose another name or pass --force")
    from angularpu.explore import write_page
    from angularpu.model.directory import read_model
    from angularpu.model.scored_pieces import refuse_same
    from angularpu.progress import print_json, show_progress, tell

    fitted = read_model(model)
    refuse_same(data, out)
    out.parent.mkdir(parents=True, exist_ok=True)
    with show_progress(shown=True) as report:
        found = write_page(fitted, data, out=out, label=label, out_of_fold=out_of_fold, audit=audit, report=report)
    shown = "" if found.shown == found.n else f", {found.shown:,} of them shown: the best half, a sample of the others"
    tell(f"{found.n:,} rows, {found.known:,} of them known positives{shown}")
    if not found.known and label is None:
        tell("All rows count as unlabelled: --label names the column that marks known positives")
    tell(f"{found.size / 1e6:.1f} MB into {out}; open it in a browser")
    if as_json:
        print_json({"page": str(out), "rows": found.n, "shown": found.shown, "known": found.known, "bytes": found.size})
