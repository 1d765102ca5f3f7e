"""``angularpu score``: give every row of a file a score, a probability and a prediction, or list the best ones."""

import warnings
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from angularpu.cli.options import AsJson, EngineName, ModelPath

if TYPE_CHECKING:
    from angularpu.methods.fitted import Fitted


def score(
    model: ModelPath,
    data: Annotated[
        Path,
        typer.Argument(
            metavar="DATA", help="Rows to score: .csv, .parquet, .npy or .npz, or a directory of .parquet files."
        ),
    ],
    *,
    out: Annotated[
        Path, typer.Option(metavar="FILE", help="Table to write: .csv or .parquet; for a directory, a directory.")
    ],
    ids: Annotated[
        list[str] | None,
        typer.Option("--id", metavar="COLUMN", help="Column to keep in front of the scores; may be repeated."),
    ] = None,
    top: Annotated[
        int | None, typer.Option(min=1, metavar="N", help="Write the N most likely hidden positives only, best first.")
    ] = None,
    sort: Annotated[bool, typer.Option("--sort", help="Write the highest scores first; all are held.")] = False,
    label: Annotated[
        str | None,
        typer.Option(metavar="COLUMN", help="Column of DATA with labels: --top and --sort leave known positives out."),
    ] = None,
    out_of_fold: Annotated[
        bool,
        typer.Option("--out-of-fold", help="DATA is the training data: score rows by models not trained on them."),
    ] = False,
    explain: Annotated[
        int, typer.Option(min=0, metavar="K", help="Name the K columns that moved each score most, tables only.")
    ] = 0,
    safe_csv: Annotated[
        bool,
        typer.Option("--safe-csv", help="Put an apostrophe before text that a spreadsheet would take for a formula."),
    ] = False,
    force: Annotated[bool, typer.Option("--force", help="Replace an existing FILE.")] = False,
    trusted: Annotated[
        bool, typer.Option("--trusted", help="Read a classical model of an earlier version, if you know who made it.")
    ] = False,
    engine: Annotated[
        EngineName, typer.Option(help="Who scores the files of a directory: this machine, or a Ray cluster.")
    ] = EngineName.local,
    jobs: Annotated[
        int, typer.Option(min=1, metavar="N", help="Processes that score the files of a directory here.")
    ] = 1,
    as_json: AsJson = False,
) -> None:
    """Give every row a score, a probability and a prediction.

    The rows keep their order; DATA may be larger than memory. With --top or --sort the best rows come first. Of a
    directory, only files that have no scores yet are scored.
    """
    if data.is_dir():
        alone = {"--top": top, "--sort": sort, "--label": label, "--out-of-fold": out_of_fold}
        _refuse_for_directory(data, alone | {"--explain": explain, "--safe-csv": safe_csv})
        options = {"out": out, "ids": ids or [], "engine": engine.value, "jobs": jobs}
        _score_directory(model, data, {**options, "overwrite": force, "trusted": trusted}, as_json=as_json)
        return
    from angularpu.cli.outcome import warn_extreme
    from angularpu.errors import DataError, SettingError, quote

    if out.exists() and not force:
        raise DataError(f"{out} exists already; choose another name or pass --force")
    if engine is not EngineName.local or jobs != 1:
        raise SettingError(f"--engine and --jobs are for the files of a directory, but {data} is none; leave them out")
    listed = sort or top is not None
    if label is not None and not listed:
        raise SettingError("--label leaves known positives out of a list; pass --top N or --sort with it")
    from angularpu.model.directory import read_model
    from angularpu.progress import print_json, show_progress, tell, warn

    with warnings.catch_warnings(record=True, action="default") as caught:
        fitted = read_model(model, trusted=trusted)
    for warning in caught:
        warn(str(warning.message))
    out.parent.mkdir(parents=True, exist_ok=True)
    with show_progress(shown=True) as report:
        common: dict[str, Any] = {
            **{"out": out, "ids": ids or [], "out_of_fold": out_of_fold},
            **{"explain": explain, "safe": safe_csv, "report": report},
        }
        found = _list(fitted, data, top=top, label=label, common=common) if listed else _score(fitted, data, common)
    tell(f"{found.pop('said')} into {out}, {found['flagged']:,} of them flagged as {quote(fitted.classes[1])}")
    too_many = [] if listed else warn_extreme(found["flagged"], found["rows"], rows="rows")
    for each in too_many:
        warn(each)
    if as_json:
        print_json({"out": str(out), **found, "warnings": too_many})


def _refuse_for_directory(data: Path, options: dict[str, Any]) -> None:
    from angularpu.errors import SettingError

    given = [name for name, value in options.items() if value]
    if given:
        raise SettingError(f"{', '.join(given)}: not for a directory such as {data}; score its files one by one")


def _score_directory(model: Path, data: Path, options: dict[str, Any], *, as_json: bool) -> None:
    from angularpu.engines.directory import score_directory
    from angularpu.progress import print_json, show_progress, tell

    with show_progress(shown=True) as report:
        found = score_directory(model, data, report=report, **options)
    before = f"; {found.before:,} of them were done before" if found.before else ""
    tell(f"{found.files:,} files with {found.rows:,} rows scored into {options['out']}{before}")
    if as_json:
        print_json({"out": str(options["out"]), "files": found.files, "rows": found.rows, "before": found.before})


def _score(fitted: "Fitted", data: Path, common: dict[str, Any]) -> dict[str, Any]:
    from angularpu.model.score_file import score_file

    found = score_file(fitted, data, **common)
    return {"said": f"{found.n:,} rows scored", "rows": found.n, "flagged": found.flagged}


def _list(
    fitted: "Fitted", data: Path, *, top: int | None, label: str | None, common: dict[str, Any]
) -> dict[str, Any]:
    from angularpu.model.review_list import write_review_list

    found = write_review_list(fitted, data, top=top, label=label, **common)
    told = label is not None or common["out_of_fold"]
    known = f"{found.known:,} known positives left out" if told else "known positives among them, if any: --label tells"
    said = f"{found.n:,} of {found.read:,} rows listed ({known})"
    return {"said": said, "rows": found.read, "listed": found.n, "known": found.known, "flagged": found.flagged}
