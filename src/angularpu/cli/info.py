"""``angularpu info``: what a model directory holds, and which columns it goes by."""

from pathlib import Path
from typing import Annotated

import typer

from angularpu.cli.options import AsJson, ModelPath


def info(
    model: ModelPath,
    *,
    importance: Annotated[
        Path | None, typer.Option(metavar="DATA", help="Rank the columns by the PU-AUC on DATA lost without each.")
    ] = None,
    label: Annotated[
        str | None, typer.Option(metavar="COLUMN", help="Column of DATA that marks known positives, as in fit.")
    ] = None,
    plot: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Draw the ranking into an .svg, with a .csv beside it.")
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Tell how a model was made, and its threshold."""
    from angularpu.cli.summary import describe_model, summarise
    from angularpu.errors import SettingError
    from angularpu.model.description import read_description
    from angularpu.model.schema import DESCRIPTION
    from angularpu.progress import print_json, printable

    if importance is not None and label is not None:
        _rank_columns(model, importance, label=label, plot=plot, as_json=as_json)
        return
    if importance is not None or label is not None or plot is not None:
        raise SettingError(
            "--importance DATA goes with --label COLUMN, and --plot FILE with both; pass what is missing"
        )
    description = read_description(model)
    size = sum((model / name).stat().st_size for name in [DESCRIPTION, *description["checksums"]])
    summary = {**summarise(description), "bytes": size}
    if as_json:
        print_json(summary)
    else:
        print(printable(describe_model(summary)))


def _rank_columns(model: Path, data: Path, *, label: str, plot: Path | None, as_json: bool) -> None:
    from dataclasses import asdict

    from angularpu.errors import LONGEST_NAME, cut
    from angularpu.progress import print_json, printable, show_progress, tell

    if plot is not None:
        from angularpu.figures.picture import check_picture

        check_picture(plot)
    from angularpu.model.directory import read_model
    from angularpu.model.importance import measure_importance

    with show_progress(shown=True) as report:
        found = measure_importance(read_model(model), data, label=label, report=report)
    if as_json:
        print_json(asdict(found))
    else:
        print(f"PU-AUC {found.pu_auc:.3f}; loss when a column is shuffled, and how much that varies")
        for name, loss, sd in zip(found.names, found.loss, found.sd, strict=True):
            print(printable(f"{loss:+.4f}  {sd:.4f}  {cut(name, LONGEST_NAME)}"))
    if plot is not None:
        from angularpu.figures.importance import save_importance_figure

        save_importance_figure(plot, found)
    if found.note:
        tell(f"note: {found.note}")
