"""What a search chose: of the values that a spec sweeps, the one whose held-out rows rank best by their labels."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from angularpu.errors import SettingError
from angularpu_bench.run.collect import OK, read_table
from angularpu_bench.spec.grid import Cell, Place, expand
from angularpu_bench.spec.spec_file import read_spec

JUDGE = "pu_auc"


@dataclass(frozen=True)
class Search:
    """What a search has come to.

    Attributes
    ----------
    chosen : mapping of (track, data set, method) to mapping
        The option that won, with its value.
    waiting : frozenset of (track, data set, method)
        Where some values have not run yet.
    """

    chosen: Mapping[Place, Mapping[str, Any]] = field(default_factory=dict)
    waiting: frozenset[Place] = frozenset()


def find_place(cell: Cell) -> Place:
    """Return where a cell stands: every place has its own choice."""
    return cell.track, cell.dataset, cell.method


def read_search(name: str, *, beside: Path, results: Path) -> Search:
    """Read what a spec's table chooses; without a name there is no search.

    Parameters
    ----------
    name : str
        The spec's name.
    beside : Path
        The spec that asks, in whose directory it stands.
    results : Path
        Directory of the tables.
    """
    if not name:
        return Search()
    path = beside.with_name(f"{name}.toml")
    if not path.is_file():
        raise SettingError(f"{beside}: chosen_by names {name!r}, but there is no {path}; write it, or leave it out")
    return choose_settings(expand(read_spec(path)), results / f"{name}.csv")


def choose_settings(cells: Iterable[Cell], table: Path) -> Search:
    """Choose the value with the highest PU-AUC for every data set and method, the first of equals.

    Parameters
    ----------
    cells : iterable of Cell
        Of a spec with one seed, every one a value of a sweep.
    table : Path
        Their results, as far as there are any.
    """
    rows = read_table(table)
    found: dict[Place, dict[str, float]] = {}
    values: dict[Place, dict[str, Mapping[str, Any]]] = {}
    for cell in cells:
        option = cell.variant.partition("=")[0]
        if option not in cell.options:
            raise SettingError(f"{cell} is no value of a sweep; a spec that chooses has sweeps alone")
        place = find_place(cell)
        values.setdefault(place, {})[cell.variant] = {option: cell.options[option]}
        row = rows.get(tuple(map(str, cell.key)))
        if row is not None and row["status"] == OK and row.get(JUDGE):
            found.setdefault(place, {})[cell.variant] = float(row[JUDGE])
    complete = {place for place, each in values.items() if len(found.get(place, {})) == len(each)}
    chosen = {
        place: each[max(each, key=lambda variant: found[place][variant])]
        for place, each in values.items()
        if place in complete
    }
    return Search(chosen, frozenset(values.keys() - complete))
