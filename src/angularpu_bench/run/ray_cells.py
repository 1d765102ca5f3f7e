"""Cells as tasks of a Ray cluster."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from angularpu.engines.ray_cluster import join_cluster
from angularpu.engines.ray_tasks import run_on_ray
from angularpu.files import lock, unfinished
from angularpu_bench.run.cell_result import CellResult
from angularpu_bench.run.rows import Places
from angularpu_bench.run.store import Store
from angularpu_bench.spec.grid import Cell


@dataclass(frozen=True)
class CellRunner:
    """Runs one cell in whatever process it is called, unless it has been run.

    Attributes
    ----------
    places : Places
        On a disk that all machines share, under one path.
    """

    places: Places

    def __call__(self, cell: Cell) -> CellResult:
        """Run a cell and return how it ended."""
        from angularpu_bench.run.attempt import try_cell
        from angularpu_bench.run.execution import warm_up

        store = Store(self.places.runs)
        # A process of a lost machine may still be at work on the cell: wait for its end.
        with lock(unfinished(store.part(cell).with_suffix(".ray"))):
            if store.is_finished(cell):
                return CellResult(cell, store.read(cell)["metrics"])
            warm_up()
            return try_cell(cell, self.places)


def run_cells_on_ray(cells: Sequence[Cell], *, places: Places) -> Iterator[CellResult]:
    """Run cells, each on one core of a Ray cluster, and yield how each ended, as they end."""
    data = None if places.data is None else places.data.absolute()
    runner = CellRunner(Places(data, places.runs.absolute()))
    with join_cluster() as ray:
        yield from run_on_ray(
            ray, runner, cells, doing="run a cell", lost=lambda cell, reason: CellResult(cell, {}, reason)
        )
