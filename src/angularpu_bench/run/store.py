"""Where cells are kept: one directory each, which appears under its name when it is complete."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from angularpu import files
from angularpu.errors import DataError
from angularpu_bench.spec.grid import Cell

RECORD = "cell.json"
HISTORY = "history.json"
SCORES = "scores.npz"


@dataclass(frozen=True)
class Store:
    """The directory of runs: ``<track>/<data set>/<method>[-<variant>]/<seed>-<hash>/``.

    Each cell's directory has ``cell.json`` (the cell, versions, what was measured), ``history.json`` (every epoch) and
    ``scores.npz`` (the scores themselves, so that any metric can be computed again without training).

    Attributes
    ----------
    runs : Path
    """

    runs: Path

    def path(self, cell: Cell) -> Path:
        """Return where a finished cell lies."""
        row = f"{cell.method}-{cell.variant}" if cell.variant else cell.method
        return self.runs / cell.track / cell.dataset / row / f"{cell.seed}-{cell.hash}"

    def part(self, cell: Cell) -> Path:
        """Return where the checkpoints of an unfinished cell lie."""
        path = self.path(cell)
        return path.with_name(f"{path.name}.part")

    def is_finished(self, cell: Cell) -> bool:
        """Tell whether a cell has been run to its end."""
        return self.path(cell).is_dir()

    def write(
        self,
        cell: Cell,
        record: Mapping[str, Any],
        *,
        history: list[dict[str, Any]],
        scores: Mapping[str, NDArray[Any]],
    ) -> None:
        """Keep a finished cell, and forget its earlier failure and its checkpoints."""
        path = self.path(cell)
        path.parent.mkdir(parents=True, exist_ok=True)
        with files.atomic_directory(path) as temporary:
            files.write_json(temporary / RECORD, {"cell": cell.to_json(), "hash": cell.hash, **record})
            files.write_json(temporary / HISTORY, history)
            np.savez_compressed(temporary / SCORES, **scores)  # type: ignore[arg-type]
        self._failure(cell).unlink(missing_ok=True)
        self.forget(cell)

    def read(self, cell: Cell) -> dict[str, Any]:
        """Return the record of a finished cell."""
        record = _read_json(self.path(cell) / RECORD)
        if "figures" in record:  # what metrics were called in earlier runs
            record["metrics"] = record.pop("figures")
        if not isinstance(record.get("metrics"), dict):
            raise _refuse_damaged(self.path(cell) / RECORD, "it has no metrics")
        return record

    def read_scores(self, cell: Cell) -> dict[str, NDArray[Any]]:
        """Return the stored scores of a finished cell, by name."""
        with np.load(self.path(cell) / SCORES) as archive:
            return {name: archive[name] for name in archive.files}

    def rewrite(self, cell: Cell, record: Mapping[str, Any]) -> None:
        """Replace the record of a finished cell, the scores staying as they are."""
        files.write_json(self.path(cell) / RECORD, record)

    def forget(self, cell: Cell) -> None:
        """Throw away what an unfinished run of a cell left."""
        files.sweep(self.part(cell))
        files.remove(self.part(cell))

    def fail(self, cell: Cell, reason: str, *, details: str) -> None:
        """Keep why a cell failed."""
        path = self._failure(cell)
        path.parent.mkdir(parents=True, exist_ok=True)
        files.write_json(path, {"cell": cell.to_json(), "reason": reason, "details": details.splitlines()})

    def failure(self, cell: Cell) -> str | None:
        """Return why a cell failed, if it did and has not been finished since."""
        path = self._failure(cell)
        if self.is_finished(cell) or not path.exists():
            return None
        return str(_read_json(path).get("reason", "for a reason that was not kept"))

    def _failure(self, cell: Cell) -> Path:
        path = self.path(cell)
        return path.with_name(f"{path.name}.failed.json")


def _read_json(path: Path) -> dict[str, Any]:
    try:
        content = files.read_json(path)
    except ValueError as error:
        raise _refuse_damaged(path, str(error)) from error
    if not isinstance(content, dict):
        raise _refuse_damaged(path, "it is no object")
    return content


def _refuse_damaged(path: Path, reason: str) -> DataError:
    return DataError(f"{path} is damaged: {reason}; remove its directory, and run the cell again")
