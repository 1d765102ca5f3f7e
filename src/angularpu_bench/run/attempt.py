"""One cell run to its end, well or not: what every process does with a cell."""

import traceback

from angularpu.errors import AngularPUError
from angularpu_bench.run.cell_result import CellResult
from angularpu_bench.run.execution import run_cell
from angularpu_bench.run.rows import Places
from angularpu_bench.spec.grid import Cell


def try_cell(cell: Cell, places: Places) -> CellResult:
    """Run a cell; a fault of it is its result, and must not end the others."""
    try:
        return CellResult(cell, run_cell(cell, places))
    except AngularPUError as error:
        return CellResult(cell, {}, str(error), traceback.format_exc())
    except Exception as error:
        return CellResult(cell, {}, f"{type(error).__name__}: {error}", traceback.format_exc())
