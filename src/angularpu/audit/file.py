"""An audit on disk: a CSV that people fill in, and a JSON beside it that they leave alone.

A spreadsheet changes what it saves: quotes, line ends, separators, the digits of numbers, "yes" into "Yes". So the CSV
is for reading and answering, and whatever is calculated with stands in the JSON. The columns of the CSV are compared
with it loosely, which finds rows that were added, lost or sorted apart from their answers.
"""

import math
from pathlib import Path
from typing import Any

import pyarrow as pa

from angularpu import files
from angularpu.audit.answers import Answers, answer
from angularpu.audit.draw import Audit
from angularpu.audit.stored import dump_audit, restore_audit
from angularpu.data.io.reading import refuse_path
from angularpu.data.io.sheet import read_number, read_row, read_sheet
from angularpu.data.io.writing import open_writer
from angularpu.errors import DataError, quote

ROW, ANSWER = "row", "answer"
OWN = (ROW, ANSWER, "score", "stratum", "inclusion_probability", "seed")
CLOSE = 0.01  # a spreadsheet may show, and save, two digits


def sidecar_of(path: Path) -> Path:
    """Return where the JSON of an audit lies.

    >>> sidecar_of(Path("checks/audit.csv")).name
    'audit.json'
    """
    return path.with_suffix(".json")


def check_destination(path: Path, *, overwrite: bool) -> None:
    """Refuse to write an audit over anything, unless ``overwrite``, or under a name that is no CSV's."""
    if path.suffix.lower() != ".csv":
        raise DataError(f"an audit is written as CSV, so its file must end in .csv, got {path}; rename it")
    taken = [each for each in (path, sidecar_of(path)) if each.exists()]
    if taken and not overwrite:
        raise DataError(f"{taken[0]} exists already, and may hold answers; choose another name or pass --force")


def write_audit(audit: Audit, path: Path, *, shown: pa.Table | None = None, overwrite: bool = False) -> None:
    """Write an audit to be filled in: a row for each drawn row, in random order, with an empty column ``answer``.

    Parameters
    ----------
    audit : Audit
    path : Path
        Ends in .csv; a .json of the same name is written beside it.
    shown : pyarrow.Table, optional
        What people see of the drawn rows, in the audit's order.
    overwrite : bool
        Replace an audit that is there, with its answers.
    """
    check_destination(path, overwrite=overwrite)
    columns = _list_own(audit)
    table = pa.table({ROW: columns.pop(ROW), ANSWER: pa.array([""] * len(audit.row))})
    if shown is not None:
        for name in shown.column_names:
            table = table.append_column(f"data.{name}" if name in OWN else name, shown[name])
    for name, values in columns.items():  # last, so that whoever answers does not see the score first
        table = table.append_column(name, pa.array(values))
    files.write_json(sidecar_of(path), dump_audit(audit))
    with open_writer(path, safe=True) as writer:
        writer.write(table)


def read_audit(path: str | Path) -> Answers:
    """Read an audit with its answers, as a spreadsheet may have saved it.

    Commas, semicolons or tabs, a mark of UTF-8 in front, other line ends, decimal commas, a changed order of rows or
    columns and columns that were deleted are all right, as long as ``row`` and ``answer`` are there.

    Parameters
    ----------
    path : str or Path
        The CSV; the JSON that was written with it must lie beside it.
    """
    audit, said = read_said(path)
    return answer(audit, said)


def read_said(path: str | Path) -> tuple[Audit, list[str]]:
    """Read an audit and its answers as they were written, however few there are; see :func:`read_audit`."""
    path = Path(path)
    refuse_path(path, (".csv",))
    sidecar = sidecar_of(path)
    if not sidecar.is_file():
        raise DataError(f"{path} has no {sidecar.name} beside it, which says how its rows were drawn; bring it back")
    audit = restore_audit(sidecar)
    lines = read_sheet(path, needed=(ROW, ANSWER))
    expected = {
        name: dict(zip(audit.number.tolist(), values, strict=True)) for name, values in _list_own(audit).items()
    }
    said: dict[int, str] = {}
    for line in lines:
        row = read_row(line[ROW], path)
        if row not in expected[ROW]:
            raise DataError(
                f"row {row} of {path} was not drawn by the audit, so nobody knows what chance it had; remove it: rows "
                "that were chosen by hand cannot enter these estimates"
            )
        if row in said:
            raise DataError(f"row {row} stands twice in {path}; remove one of the two")
        for name in OWN[2:]:
            if name in line and not _agree(line[name], expected[name][row]):
                raise DataError(
                    f"row {row} of {path} has {quote(line[name])} under {name}, where {expected[name][row]:g} was "
                    "written; only the column answer may be changed: were columns sorted apart from each other?"
                )
        said[row] = line[ANSWER]
    missing = [row for row in audit.number.tolist() if row not in said]
    if missing:
        raise DataError(
            f"{path} lacks {len(missing)} of the {len(audit.row)} rows that were drawn, such as row {missing[0]}; "
            "bring them back, with a blank answer if there is none"
        )
    return audit, [said[row] for row in audit.number.tolist()]


def _list_own(audit: Audit) -> dict[str, list[Any]]:
    """Return the columns that an audit writes besides the answer, as plain values."""
    return {
        ROW: audit.number.tolist(),
        "score": audit.score.astype(float).round(6).tolist(),
        "stratum": (audit.stratum + 1).tolist(),
        "inclusion_probability": audit.probability.tolist(),
        "seed": [audit.seed] * len(audit.row),
    }


def _agree(text: str, expected: float) -> bool:
    return math.isclose(read_number(text), expected, rel_tol=CLOSE, abs_tol=CLOSE)
