"""The table of a spec: one row for every cell, from the runs at hand and from the table that is there already."""

import csv
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from angularpu import files
from angularpu.errors import DataError
from angularpu_bench.run.store import Store
from angularpu_bench.spec.columns import COLUMNS, IDENTITY
from angularpu_bench.spec.grid import Cell

OK = "ok"
Row = dict[str, str]


def collect(cells: Sequence[Cell], *, store: Store, path: Path, search: Path | None = None) -> list[Row]:
    """Write the rows of all cells that have ended, sorted, in one step that either happens or does not.

    A row of the present table stays when its cell is not in the store, so that results outlive the machine they were
    made on; it goes when the spec no longer asks for such a cell, or asks for it with another hash.

    Parameters
    ----------
    cells : sequence of Cell
        All cells of the spec.
    store : Store
    path : Path
        The table, ``experiments/results/<spec>.csv``.
    search : Path, optional
        The table of the search that chose the cells' settings: what it has run need not be run again.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    with files.lock_of(path):
        present = _read_rows(cells, path, search)
        rows = []
        for cell in cells:
            kept = present.get(_identify(cell))
            # A failure here does not undo what was finished elsewhere.
            row = kept if _is_done(kept) and not store.is_finished(cell) else _make_row(cell, store) or kept
            if row:
                rows.append(row)
        rows.sort(key=_order)
        if rows != list(read_table(path).values()):  # a table of an earlier version keeps its columns till it changes
            write_table(path, rows)
    return rows


def list_done(cells: Sequence[Cell], *, store: Store, path: Path, search: Path | None = None) -> set[tuple[Any, ...]]:
    """Return the keys of the cells that are finished, in the store, in the table or in that of the search."""
    present = _read_rows(cells, path, search)
    return {cell.key for cell in cells if store.is_finished(cell) or _is_done(present.get(_identify(cell)))}


def read_table(path: Path) -> dict[tuple[str, ...], Row]:
    """Return the rows of a table by what tells them apart; none when there is no table."""
    if not path.exists():
        return {}
    with path.open(newline="", encoding="utf-8") as file:
        reader = csv.DictReader(file)
        missing = [name for name in (*IDENTITY, "status") if name not in (reader.fieldnames or ())]
        if missing:
            raise DataError(f"{path} lacks the column {missing[0]}; it is no table of results: move it away")
        return {tuple(row[name] for name in IDENTITY[1:]): row for row in reader}


def write_table(path: Path, rows: Sequence[Mapping[str, str]]) -> None:
    """Replace a table."""
    with files.atomic_file(path) as temporary, temporary.open("w", newline="", encoding="utf-8") as file:
        writer = csv.DictWriter(file, COLUMNS, restval="", extrasaction="ignore", lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)


def _read_rows(cells: Sequence[Cell], path: Path, search: Path | None) -> dict[tuple[str, ...], Row]:
    """Return the rows of a table; a cell that has none gets the row that the search has of the same fit."""
    present = read_table(path)
    if search is None:
        return present
    searched = {(*key[:3], *key[4:]): row for key, row in read_table(search).items() if _is_done(row)}
    for cell in cells:
        key = _identify(cell)
        row = searched.get((*key[:3], *key[4:]))  # the same but for the name of its variant
        if row is not None and not _is_done(present.get(key)):
            present[key] = {**row, "spec": cell.spec, "variant": cell.variant}
    return present


def _is_done(row: Row | None) -> bool:
    return row is not None and row["status"] == OK


def _make_row(cell: Cell, store: Store) -> Row | None:
    """Return the row of a cell in the store, finished or failed."""
    identity = dict(zip(IDENTITY, (cell.spec, *_identify(cell)), strict=True))
    if store.is_finished(cell):
        metrics = store.read(cell)["metrics"]
        return {**identity, **{name: _write(name, value) for name, value in metrics.items()}, "status": OK}
    reason = store.failure(cell)
    return None if reason is None else {**identity, "status": " ".join(reason.split())}


def _identify(cell: Cell) -> tuple[str, ...]:
    return tuple(map(str, cell.key))


def _order(row: Mapping[str, str]) -> tuple[Any, ...]:
    return (row["track"], row["dataset"], row["method"], row["variant"], int(row["seed"]))


def _write(name: str, value: Any) -> str:
    if value is None:
        return ""
    if name in {"seconds", "memory_mb"}:
        return f"{value:.1f}"
    return f"{value:.6g}" if isinstance(value, float) else str(value)
