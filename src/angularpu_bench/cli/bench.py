"""``angularpu bench``: run experiments, show their progress, and write their tables and the report."""

import contextlib
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from angularpu.cli.options import AsJson, EngineName
from angularpu.errors import escape
from angularpu.progress import is_quiet, print_json, printable, tell

if TYPE_CHECKING:
    from angularpu_bench.run.cell_result import CellResult
    from angularpu_bench.run.experiment import Experiment, Status, Tell

FAILED = 1

bench_app = typer.Typer(help="Run experiments and report on them.", no_args_is_help=True, rich_markup_mode=None)

Specs = Annotated[list[Path], typer.Argument(metavar="SPEC...", help="TOML files, such as experiments/main.toml.")]
Runs = Annotated[Path, typer.Option(metavar="DIR", help="Directory of the runs, with a directory for every cell.")]
Results = Annotated[
    Path | None, typer.Option(metavar="DIR", help="Directory of the tables; by default results, beside the SPEC.")
]
Only = Annotated[
    list[str] | None,
    typer.Option(metavar="WORD", help="A data set, method, variant or track, or seed=0; may be repeated."),
]


@bench_app.command(epilog="Example: angularpu bench run experiments/main.toml --jobs 2")
def run(
    specs: Specs,
    *,
    only: Only = None,
    jobs: Annotated[int, typer.Option(min=1, help="Processes to run at the same time, one thread each.")] = 1,
    engine: Annotated[
        EngineName, typer.Option(help="Who runs the cells: this machine, or a Ray cluster.")
    ] = EngineName.local,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Count the cells, run none.")] = False,
    retry: Annotated[bool, typer.Option("--retry", help="Try failed cells again.")] = False,
    data: Annotated[
        Path | None, typer.Option(metavar="DIR", help="The data sets; by default the directory in ANGULARPU_DATA.")
    ] = None,
    as_json: AsJson = False,
    runs: Runs = Path("runs"),
    results: Results = None,
) -> None:
    """Run the cells that are not done yet.

    After a kill, the same command resumes.
    """
    from angularpu_bench.run.experiment import run as run_experiment

    how: dict[str, Any] = {"engine": engine.value, "jobs": jobs, "only": only or (), "retry": retry}
    standings = []
    for experiment in _open(specs, runs=runs, results=results, only=only or ()):
        if dry_run:
            standings.append(experiment.find_status(only or ()))
            if not as_json:
                _print_plan(standings[-1], retry=retry)
            continue
        with _show_progress() as show:
            standing = run_experiment(experiment, data=data, tell=show, **how)
        tell(f"{_describe(standing)}; table in {experiment.table}")
        _print_failures(standing)
        standings.append(standing)
    if as_json:
        print_json({"specs": [_count(standing) for standing in standings]})
    if not dry_run and any(standing.failed for standing in standings):
        raise typer.Exit(FAILED)


@bench_app.command(epilog="Example: angularpu bench status experiments/main.toml")
def status(
    specs: Specs,
    *,
    as_json: AsJson = False,
    runs: Runs = Path("runs"),
    results: Results = None,
) -> None:
    """Show how many cells are done, failed and left, and why."""
    standings = [experiment.find_status() for experiment in _open(specs, runs=runs, results=results)]
    if as_json:
        print_json({"specs": [_count(standing) for standing in standings]})
        return
    for standing in standings:
        print(_describe(standing))
        _print_failures(standing)


@bench_app.command(epilog="Example: angularpu bench collect experiments/main.toml")
def collect(
    specs: Specs,
    *,
    measure: Annotated[
        bool, typer.Option("--measure", help="Compute every metric again from the stored scores first.")
    ] = False,
    as_json: AsJson = False,
    runs: Runs = Path("runs"),
    results: Results = None,
) -> None:
    """Write the table of each SPEC from its finished cells.

    Rows that the table already has are kept.
    """
    tables = []
    for experiment in _open(specs, runs=runs, results=results):
        if measure:
            _measure(experiment)
        tables.append({"spec": experiment.name, "rows": experiment.collect(), "file": str(experiment.table)})
        tell(f"{experiment.name}: {tables[-1]['rows']} rows in {experiment.table}")
    if as_json:
        print_json({"tables": tables})


@bench_app.command(epilog="Example: angularpu bench points experiments/main.toml --only seed=0")
def points(
    specs: Specs, *, only: Only = None, as_json: AsJson = False, runs: Runs = Path("runs"), results: Results = None
) -> None:
    """Write the points of two figures from finished cells.

    They are scores.csv and embeddings.csv.
    """
    from angularpu_bench.run.points import write_points
    from angularpu_bench.spec.grid import choose

    experiments = _open(specs, runs=runs, results=results)
    cells = choose([cell for experiment in experiments for cell in experiment.cells], only or ())
    folder = experiments[0].table.parent
    scores, embeddings = write_points(cells, store=experiments[0].store, folder=folder)
    tell(f"{scores} scores and {embeddings} embeddings in {folder}")
    if as_json:
        print_json({"scores": scores, "embeddings": embeddings, "directory": str(folder)})


@bench_app.command(epilog="Example: angularpu bench report")
def report(
    *,
    results: Annotated[Path, typer.Option(metavar="DIR", help="The tables of all specs.")] = Path(
        "experiments/results"
    ),
    published: Annotated[Path, typer.Option(metavar="FILE", help="The published numbers.")] = Path(
        "experiments/published.csv"
    ),
    out: Annotated[Path, typer.Option(metavar="DIR", help="Directory for the pages and pictures.")] = Path("docs"),
    as_json: AsJson = False,
) -> None:
    """Write every table and figure, from the tables of results.

    They come as Markdown and as one HTML page.
    """
    from angularpu_bench.paper.page import write_report

    paths = [str(path) for path in write_report(results, out, published=published)]
    if as_json:
        print_json({"files": paths})
    else:
        print(printable("\n".join(paths)))


def _open(specs: Sequence[Path], *, runs: Path, results: Path | None, only: Sequence[str] = ()) -> "list[Experiment]":
    """Open all specs before the first is run, and check that the words of ``only`` select cells of each."""
    from angularpu.errors import SettingError
    from angularpu_bench.run.experiment import Experiment
    from angularpu_bench.spec.grid import choose

    experiments = [Experiment.open(path, runs=runs, results=results) for path in specs]
    for path, experiment in zip(specs, experiments, strict=True):
        try:
            choose(experiment.cells, only)
        except SettingError as error:
            raise SettingError(f"{path}: {error}") from error
    return experiments


def _measure(experiment: "Experiment") -> None:
    from angularpu_bench.run.measure import measure_again

    for cell in experiment.cells:
        if experiment.store.is_finished(cell):
            measure_again(cell, experiment.store)


@contextlib.contextmanager
def _show_progress() -> "Iterator[Tell]":
    """Give a function that prints one line when a cell has ended and, on a terminal, also moves a progress bar."""
    if is_quiet() or not sys.stderr.isatty():
        yield lambda number, total, outcome: tell(f"{number}/{total} {_describe_outcome(outcome)}")
        return
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TimeRemainingColumn

    with Progress(BarColumn(), MofNCompleteColumn(), TimeRemainingColumn(), console=Console(stderr=True)) as progress:
        bar = progress.add_task("cells", total=None)

        def show(number: int, total: int, outcome: "CellResult") -> None:
            progress.console.print(escape(_describe_outcome(outcome)), markup=False, highlight=False)
            progress.update(bar, completed=number, total=total)

        yield show


def _describe_outcome(outcome: "CellResult") -> str:
    if outcome.reason:
        return f"{outcome.cell}: failed: {outcome.reason}"
    return f"{outcome.cell}: AUC {outcome.metrics['auc']:.4f}, {outcome.metrics['seconds']:.0f} s"


def _print_plan(standing: "Status", *, retry: bool) -> None:
    left = {cell.key for cell in standing.left} | {cell.key for cell, _ in standing.failed if retry}
    by_dataset = Counter((cell.track, cell.dataset) for cell in standing.cells)
    left_by_dataset = Counter((cell.track, cell.dataset) for cell in standing.cells if cell.key in left)
    for place, n in by_dataset.items():
        print(f"{standing.name:<12} {' '.join(place):<28} {n:>5} cells, {left_by_dataset[place]:>5} to run")
    print(f"{standing.name:<12} {'all':<28} {len(standing.cells):>5} cells, {len(left):>5} to run")


def _print_failures(standing: "Status") -> None:
    for cell, reason in standing.failed:
        tell(f"failed     {cell}: {reason}")
    if standing.failed:
        tell("           pass --retry to bench run to try them again")


def _describe(standing: "Status") -> str:
    count = _count(standing)
    waiting = f", {count['waiting']} more wait for a search" if count["waiting"] else ""
    return (
        f"{count['spec']}: {count['cells']} cells, {count['done']} done, {count['failed']} failed, {count['left']} left"
        f"{waiting}"
    )


def _count(standing: "Status") -> dict[str, str | int]:
    return {
        "spec": standing.name,
        "cells": len(standing.cells),
        "done": len(standing.done),
        "failed": len(standing.failed),
        "left": len(standing.left),
        "waiting": standing.waiting,
    }
