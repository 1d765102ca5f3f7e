"""Running the cells of a spec that are not done yet, and keeping count of them."""

import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from angularpu import files
from angularpu.errors import SettingError
from angularpu_bench.run.cell_result import CellResult
from angularpu_bench.run.chosen import find_place, read_search
from angularpu_bench.run.collect import collect, list_done
from angularpu_bench.run.rows import Places
from angularpu_bench.run.store import Store
from angularpu_bench.run.workers import run_cells
from angularpu_bench.spec.grid import Cell, choose, expand
from angularpu_bench.spec.spec_file import read_spec
from angularpu_bench.spec.synthetic import SYNTHETIC

if TYPE_CHECKING:
    from angularpu.engines.directory import Engine

Tell = Callable[[int, int, CellResult], None]
LOCK = ".lock"
WRITE_EVERY = 60.0  # seconds between two writings of the table, so that a machine that is lost takes little with it


@dataclass(frozen=True)
class Status:
    """How far a spec has come.

    Attributes
    ----------
    name : str
    cells : list of Cell
        Those asked for.
    done : list of Cell
    failed : list of (Cell, str)
        With the reason.
    left : list of Cell
        Neither done nor failed.
    waiting : int
        How many cells of the whole spec wait for the search that chooses their settings.
    """

    name: str
    cells: list[Cell]
    done: list[Cell]
    failed: list[tuple[Cell, str]]
    left: list[Cell]
    waiting: int = 0


@dataclass(frozen=True)
class Experiment:
    """A spec with its cells, its runs and its table.

    Attributes
    ----------
    name : str
    cells : list of Cell
        All of them that can be run.
    store : Store
    table : Path
    search : Path or None
        The table of the search that chooses the cells' settings; what it has run is not run again.
    waiting : int
        How many further cells wait for that search.
    """

    name: str
    cells: list[Cell]
    store: Store
    table: Path
    search: Path | None = None
    waiting: int = 0

    @classmethod
    def open(cls, path: Path, *, runs: Path, results: Path | None) -> "Experiment":
        """Read a spec; its results stand in ``results`` beside it unless another directory is given."""
        spec = read_spec(path)
        folder = path.parent / "results" if results is None else results
        search = read_search(spec.chosen_by, beside=path, results=folder)
        every = expand(spec, search.chosen)
        cells = [cell for cell in every if find_place(cell) not in search.waiting]
        return cls(
            spec.name,
            cells,
            Store(runs),
            folder / f"{spec.name}.csv",
            search=folder / f"{spec.chosen_by}.csv" if spec.chosen_by else None,
            waiting=len(every) - len(cells),
        )

    def find_status(self, only: Sequence[str] = ()) -> Status:
        """Tell which cells are done, failed and left."""
        done = list_done(self.cells, store=self.store, path=self.table, search=self.search)
        asked = choose(self.cells, only)
        failed = [(cell, why) for cell in asked if cell.key not in done and (why := self.store.failure(cell))]
        ended = done | {cell.key for cell, _ in failed}
        return Status(
            self.name,
            asked,
            done=[cell for cell in asked if cell.key in done],
            failed=failed,
            left=[cell for cell in asked if cell.key not in ended],
            waiting=self.waiting,
        )

    def collect(self) -> int:
        """Write the table and return how many rows it has."""
        return len(collect(self.cells, store=self.store, path=self.table, search=self.search))


def run(
    experiment: Experiment,
    *,
    data: Path | None,
    engine: "Engine" = "local",
    jobs: int = 1,
    only: Sequence[str] = (),
    retry: bool = False,
    tell: Tell | None = None,
) -> Status:
    """Run what is left of an experiment and write its table, once a minute; kill it at will and call it again.

    Parameters
    ----------
    experiment : Experiment
    data : Path or None
        The data directory; by default that of the environment.
    engine : {"local", "ray"}
        Processes of this machine, or the Ray cluster that the variable RAY_ADDRESS names or that runs on this machine;
        there, data and runs lie on a disk that all machines share, under one path.
    jobs : int
        Processes of this machine side by side; with Ray, its machines decide.
    only : sequence of str
        Words that choose among the cells, see :func:`angularpu_bench.spec.grid.choose`.
    retry : bool
        Try failed cells again.
    tell : callable, optional
        Called after every cell with (cells done, cells to do, how it ended).
    """
    if jobs < 1:
        raise SettingError(f"jobs must be at least 1, got {jobs}")
    if engine == "ray" and jobs != 1:
        raise SettingError("jobs are processes of this machine; with engine='ray' its machines decide, so leave it out")
    status = experiment.find_status(only)
    todo = status.left + ([cell for cell, _ in status.failed] if retry else [])
    if todo:
        places = Places(_find_data(todo, data), experiment.store.runs)
        with files.lock(places.runs / LOCK, busy=f"another run is at work in {places.runs}"):
            check_options(todo, places)
            written = time.monotonic()
            for number, result in enumerate(_run_cells(todo, places=places, engine=engine, jobs=jobs), start=1):
                if result.reason:
                    experiment.store.fail(result.cell, result.reason, details=result.details)
                    experiment.store.forget(result.cell)
                if time.monotonic() - written >= WRITE_EVERY:
                    experiment.collect()
                    written = time.monotonic()
                if tell:
                    tell(number, len(todo), result)
    experiment.collect()
    return experiment.find_status(only)


def _run_cells(cells: Sequence[Cell], *, places: Places, engine: "Engine", jobs: int) -> Iterator[CellResult]:
    if engine == "local":
        return run_cells(cells, places=places, jobs=jobs)
    from angularpu_bench.run.ray_cells import run_cells_on_ray

    return run_cells_on_ray(cells, places=places)


def check_options(cells: Sequence[Cell], places: Places) -> None:
    """Refuse a spec whose methods lack an option that it sets, before any cell is run."""
    from angularpu_bench.run.trial import make_method

    for cell in cells:
        try:
            make_method(cell, prior="bbe", data=places.data)
        except SettingError as error:
            raise SettingError(f"{cell}: {error}") from error


def _find_data(cells: Sequence[Cell], given: Path | None) -> Path | None:
    if all(cell.dataset in SYNTHETIC for cell in cells):
        return given
    from angularpu_bench.catalogue.datasets import find_directory

    return find_directory(given)
