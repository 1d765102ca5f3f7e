"""``angularpu data``: list the data sets, check their files, and download them."""

import contextlib
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from angularpu.cli.options import AsJson
from angularpu.progress import is_quiet, print_json, printable, show_progress, tell

if TYPE_CHECKING:
    from angularpu_bench.catalogue.entry import Entry
    from angularpu_bench.catalogue.fetch import ReportBytes

LISTED_COLUMNS = ("name", "data set", "kind", "train / test", "positives", "prior", "licence", "source")
Directory = Annotated[
    Path | None,
    typer.Option("--data", metavar="DIR", help="Directory of the data sets; by default the one in ANGULARPU_DATA."),
]

data_app = typer.Typer(rich_markup_mode=None, help="List, check and fetch the data sets of the experiments.")


@data_app.command("list", epilog="Example: angularpu data list")
def list_datasets(*, as_json: AsJson = False) -> None:
    """Print the catalogue: sizes, positive classes, licences, sources."""
    from angularpu_bench.catalogue.datasets import CATALOGUE

    if as_json:
        print_json({"datasets": [_describe(entry) for entry in CATALOGUE.values()]})
    else:
        for row in (LISTED_COLUMNS, ["---"] * len(LISTED_COLUMNS), *map(_row, CATALOGUE.values())):
            print(f"| {' | '.join(row)} |")


@data_app.command("check", epilog="Example: angularpu data check spam --data ~/datasets")
def check(
    names: Annotated[list[str] | None, typer.Argument(metavar="[NAME]...", help="Data sets; by default all.")] = None,
    *,
    data: Directory = None,
    as_json: AsJson = False,
) -> None:
    """Compare files with their official checksums.

    The exit code is 1 if a file is not the official one, or if a data set named here is missing.
    """
    from angularpu_bench.catalogue.checksums import STATUS_MEANING, check_files
    from angularpu_bench.catalogue.datasets import CATALOGUE, find_directory, find_entry

    directory, found = find_directory(data), []
    everything = [name for name, entry in CATALOGUE.items() if entry.files]
    for entry in map(find_entry, names or everything):
        for each in check_files(entry, directory):
            found.append({"dataset": entry.name, "file": each.file.name, "status": each.status})
            if not as_json:
                print(f"{entry.name:<16} {each.file.name}: {STATUS_MEANING[each.status]}", flush=True)
    if as_json:
        print_json({"files": found})
    wrong = {"different", "unknown", "missing"} if names else {"different", "unknown"}
    if any(each["status"] in wrong for each in found):
        raise typer.Exit(1)


@data_app.command("fetch", epilog="Example: angularpu data fetch spam --data ~/datasets")
def fetch(
    name: Annotated[str, typer.Argument(metavar="NAME", help="A data set of angularpu data list.")],
    *,
    data: Directory = None,
    as_json: AsJson = False,
) -> None:
    """Download the official files that are missing.

    The same command resumes a stopped download. An archive that you put into the directory is unpacked and kept.
    """
    from angularpu_bench.catalogue.checksums import STATUS_MEANING
    from angularpu_bench.catalogue.datasets import find_directory, find_entry
    from angularpu_bench.catalogue.fetch import fetch_dataset

    entry, directory = find_entry(name), find_directory(data)
    tell(f"licence    {entry.licence}\nsource     {entry.source}")
    with _show_download() as report:
        checks = fetch_dataset(entry, directory, report=report)
    if as_json:
        print_json({"files": [{"file": str(directory / each.file.name), "status": each.status} for each in checks]})
        return
    for each in checks:
        print(printable(f"{directory / each.file.name}: {STATUS_MEANING[each.status]}"))


def _row(entry: "Entry") -> list[str]:
    sizes = "your file" if entry.n_train is None else f"{entry.n_train:,} / {entry.n_test:,}"
    prior = "from the file" if entry.prior is None else f"{entry.prior:.3f}"
    positives = entry.positive_names or "you name them"
    return [f"`{entry.name}`", entry.title, entry.kind, sizes, positives, prior, entry.licence, entry.source]


def _describe(entry: "Entry") -> dict[str, Any]:
    packed = () if entry.archive is None else (entry.archive,)
    return {
        **{name: getattr(entry, name) for name in ("name", "title", "kind", "source", "licence", "n_train", "n_test")},
        "positives": sorted(entry.positives),
        "classes": list(entry.classes),
        "prior": entry.prior,
        "notes": entry.notes,
        "files": [
            {"name": file.name, "checksum": file.checksum, "content": file.content, "url": file.url}
            for file in (*packed, *entry.files, *entry.otherwise)
        ],
    }


@contextlib.contextmanager
def _show_download() -> Iterator["ReportBytes | None"]:
    """Give a function that moves a progress bar for each file; without a terminal a line comes now and then."""
    if is_quiet() or not sys.stderr.isatty():
        with show_progress(shown=True) as tell_steps:
            yield tell_steps and (lambda name, done, total: tell_steps(done, total or 0, f"{name}, bytes"))
        return
    from rich.console import Console
    from rich.progress import BarColumn, DownloadColumn, Progress, TextColumn, TransferSpeedColumn

    columns = (TextColumn("{task.description}"), BarColumn(), DownloadColumn(), TransferSpeedColumn())
    with Progress(*columns, console=Console(stderr=True), transient=True) as progress:
        bars: dict[str, Any] = {}

        def report(name: str, done: int, total: int | None) -> None:
            if name not in bars:
                bars[name] = progress.add_task(name)
            progress.update(bars[name], completed=done, total=total)

        yield report
