"""The sample that the arguments of ``fit`` name."""

import shlex
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from angularpu.data.assembly import concatenate
from angularpu.data.io.arrays import ARRAY_SUFFIXES, open_arrays
from angularpu.data.io.reading import choose_columns, refuse_path
from angularpu.data.io.tables import TABLE_SUFFIXES, open_table
from angularpu.data.rows import Rows
from angularpu.data.sources import as_rows
from angularpu.errors import DataError
from angularpu.model.score_file import find_array, find_rows
from angularpu.scenario.labels import encode_labels, encode_positive, warn_reversed
from angularpu.scenario.sample import PUSample, Scenario

Columns = dict[str, NDArray[Any]]


def read_labelled(
    data: Path, *, label: str, ids: Sequence[str], scenario: Scenario, positive: str | None = None
) -> tuple[PUSample, tuple[Any, Any]]:
    """Read rows and labels from one file; return the sample and the user's own names of (unlabelled, positive)."""
    if label in ids:
        raise DataError(f"{label!r} cannot be the label and the id at once; name two columns")
    rows, columns = _read(data, besides=[label, *ids])
    try:
        s, classes = encode_labels(columns[label]) if positive is None else encode_positive(columns[label], positive)
    except DataError as error:
        raise DataError(f"label {label!r}: {error}") from error
    reversed_ = warn_reversed(s, classes) if positive is None else None
    if reversed_:
        print(f"Warning: {reversed_}: --positive {shlex.quote(str(classes[0]))}", file=sys.stderr)
    return PUSample(rows, s, scenario), (classes[0], classes[1])


def read_two_files(positives: Path, unlabelled: Path, *, ids: Sequence[str], scenario: Scenario) -> PUSample:
    """Read positives and unlabelled rows from a file each."""
    pos, unl = (_read(path, besides=ids)[0] for path in (positives, unlabelled))
    s = np.concatenate([np.ones(len(pos), np.int8), np.zeros(len(unl), np.int8)])
    return PUSample(concatenate(pos, unl), s, scenario)


def _read(path: Path, *, besides: Sequence[str]) -> tuple[Rows, Columns]:
    """Return the rows of a file, and apart from them the columns or arrays that are not learned from."""
    refuse_path(path, (*TABLE_SUFFIXES, *ARRAY_SUFFIXES))
    if path.suffix.lower() in TABLE_SUFFIXES:
        return _read_table(path, besides=besides)
    arrays = open_arrays(path)
    if not isinstance(arrays, np.ndarray):
        columns = {name: find_array(arrays, path, name=name) for name in besides}
        return as_rows(find_rows(arrays, path, besides=besides)), columns
    if besides:
        raise DataError(f"{path} is one array without names, so it has no {besides[0]!r}; pass a table or an .npz file")
    return as_rows(arrays), {}


def _read_table(path: Path, *, besides: Sequence[str]) -> tuple[Rows, Columns]:
    file = open_table(path)
    choose_columns(path, file.columns, wanted=besides)
    kept = [name for name in file.columns if name not in besides]
    if not kept:
        raise DataError(f"{path} has no column besides the label and the id, so there is nothing to learn from")
    table = file.read()
    return as_rows(table.select(kept)), {name: _read_column(table[name]) for name in besides}


def _read_column(column: pa.ChunkedArray) -> NDArray[Any]:
    if pa.types.is_dictionary(column.type):
        column = column.cast(column.type.value_type)
    values: NDArray[Any] = column.to_numpy()
    return values
