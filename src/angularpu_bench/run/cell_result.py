"""How a cell ended, wherever it was run."""

from dataclasses import dataclass
from typing import Any

from angularpu_bench.spec.grid import Cell


@dataclass(frozen=True)
class CellResult:
    """How a cell ended.

    Attributes
    ----------
    cell : Cell
    metrics : dict
        What was measured; empty after a failure.
    reason : str
        Why it failed, in one sentence; empty when it did not.
    details : str
        The traceback.
    """

    cell: Cell
    metrics: dict[str, Any]
    reason: str = ""
    details: str = ""
