"""The sample that the arguments of ``fit`` name."""

from collections.abc import Collection
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from angularpu.data.archive import find_array, find_rows
from angularpu.data.arrays import ARRAY_SUFFIXES, open_arrays
from angularpu.data.assembly import concatenate
from angularpu.data.reading import refuse_path
from angularpu.data.rows import Rows
from angularpu.data.sources import as_rows
from angularpu.data.tables import TABLE_SUFFIXES, open_table
from angularpu.errors import DataError
from angularpu.scenario.labels import encode_labels
from angularpu.scenario.sample import PUSample, Scenario

SUFFIXES = (*TABLE_SUFFIXES, *ARRAY_SUFFIXES)


def read_labelled(
    data: Path, *, label: str, id_column: str | None, scenario: Scenario
) -> tuple[PUSample, tuple[Any, Any]]:
    """Read rows and labels from one file; return the sample and the user's own names of (unlabelled, positive)."""
    refuse_path(data, SUFFIXES)
    if label == id_column:
        raise DataError(f"{label!r} cannot be the label and the id at once; name two columns")
    if data.suffix.lower() in TABLE_SUFFIXES:
        table = open_table(data).read()
        _refuse_absent(data, table, [label] if id_column is None else [label, id_column])
        labels, rows = _read_column(table[label]), _keep_columns(data, table, without=[label, id_column])
    else:
        arrays = open_arrays(data)
        if isinstance(arrays, np.ndarray):
            raise DataError(f"{data} holds one array and no labels; pass an .npz file, or --positives and --unlabelled")
        labels = find_array(arrays, data, name=label)
        rows = as_rows(find_rows(arrays, data, besides=[name for name in (label, id_column) if name]))
    s, classes = encode_labels(labels)
    return PUSample(rows, s, scenario), (classes[0], classes[1])


def read_two_files(positives: Path, unlabelled: Path, *, id_column: str | None, scenario: Scenario) -> PUSample:
    """Read positives and unlabelled rows from a file each."""
    pos, unl = (_read_rows(path, id_column=id_column) for path in (positives, unlabelled))
    s = np.concatenate([np.ones(len(pos), np.int8), np.zeros(len(unl), np.int8)])
    return PUSample(concatenate(pos, unl), s, scenario)


def _read_rows(path: Path, *, id_column: str | None) -> Rows:
    refuse_path(path, SUFFIXES)
    if path.suffix.lower() in TABLE_SUFFIXES:
        table = open_table(path).read()
        _refuse_absent(path, table, [] if id_column is None else [id_column])
        return _keep_columns(path, table, without=[id_column])
    arrays = open_arrays(path)
    if isinstance(arrays, np.ndarray):
        if id_column is not None:
            raise DataError(f"{path} is one array without named columns, so it has no id column {id_column!r}")
        return as_rows(arrays)
    return as_rows(find_rows(arrays, path, besides=[id_column] if id_column else []))


def _refuse_absent(path: Path, table: pa.Table, names: Collection[str]) -> None:
    absent = [name for name in names if name not in table.column_names]
    if absent:
        known = ", ".join(map(repr, table.column_names))
        raise DataError(f"{path} has no column {', '.join(map(repr, absent))}; it has {known}")


def _keep_columns(path: Path, table: pa.Table, *, without: Collection[str | None]) -> Rows:
    kept = [name for name in table.column_names if name not in without]
    if not kept:
        raise DataError(f"{path} has no column besides the label and the id, so there is nothing to learn from")
    return as_rows(table.select(kept))


def _read_column(column: pa.ChunkedArray) -> NDArray[Any]:
    if pa.types.is_dictionary(column.type):
        column = column.cast(column.type.value_type)
    values: NDArray[Any] = column.to_numpy()
    return values
