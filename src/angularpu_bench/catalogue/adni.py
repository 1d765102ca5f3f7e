"""ADNI from the user's own files: a table of features, or arrays of images."""

from collections.abc import Collection
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from angularpu.data.columns import as_text, whole
from angularpu.data.io.arrays import open_archive
from angularpu.data.io.reading import choose_columns, refuse_path
from angularpu.data.io.tables import TABLE_SUFFIXES, open_table
from angularpu.errors import DataError, list_names, quote
from angularpu_bench.catalogue.dataset import Dataset
from angularpu_bench.catalogue.images import order_channels
from angularpu_bench.catalogue.partition import split_groups, split_rows

Columns = dict[str, NDArray[np.str_]]


def load_adni(
    path: Path,
    *,
    label: str,
    positives: Collection[str],
    features: Collection[str] | None = None,
    subject: str | None = None,
) -> Dataset:
    r"""Load scans of ADNI from your own file, whose columns may have any names.

    Parameters
    ----------
    path : Path
        A table (.csv, .parquet) with a row for each scan, or arrays (.npz): uint8 images (n, height, width), or with 1
        or 3 channels, or features (n, columns); and the other columns as arrays of n values.
    label : str
        The column with the diagnosis. Rows without one are left out, and a warning says how many.
    positives : collection of str
        The diagnoses that count as positive, e.g. ``["CN"]``.
    features : collection of str, optional
        The columns to learn from, or the one array of an .npz file; by default all except label and subject. Name them,
        because a table of ADNI also holds scores that the diagnosis was made from.
    subject : str, optional
        The column that identifies people, so that all scans of one person are in the same part. Without it, rows are
        split 70/30 by diagnosis, and the test result is too good if people were scanned more than once.

    Returns
    -------
    Dataset
        Classes are numbered in the alphabetical order of the diagnoses.

    Examples
    --------
    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = Path(folder) / "scans.csv"
    ...     rows = [f"{i // 2},{i},{'AD' if i % 4 < 2 else 'CN'}" for i in range(40)]
    ...     _ = path.write_text("\n".join(["person,volume,dx", *rows]))
    ...     dataset = load_adni(path, label="dx", positives=["CN"], features=["volume"], subject="person")
    >>> dataset.x_train.column_names, len(dataset.y_train), len(dataset.y_test)
    (['volume'], 28, 12)
    """
    path = Path(path)
    refuse_path(path, (*TABLE_SUFFIXES, ".npz"))
    read = _read_table if path.suffix.lower() in TABLE_SUFFIXES else _read_arrays
    rows, columns = read(path, [label] if subject is None else [label, subject], features)
    kept = np.flatnonzero(columns[label] != "")
    classes, labels = np.unique(columns[label][kept], return_inverse=True)
    unknown = sorted(set(positives).difference(classes.tolist()))
    if unknown or not positives:
        raise DataError(
            f"{path}, column {quote(label)}: {list_names(unknown) or 'nothing'} cannot be the positives; "
            f"the diagnoses are {list_names(classes.tolist())}"
        )
    train, test = split_rows(labels) if subject is None else split_groups(columns[subject][kept])
    return Dataset(
        "adni",
        "image" if isinstance(rows, np.ndarray) and rows.ndim == 4 else "table",
        _take(rows, kept[train]),
        labels[train],
        _take(rows, kept[test]),
        labels[test],
        frozenset(np.flatnonzero(np.isin(classes, list(positives))).tolist()),
        _warn(len(columns[label]) - len(kept), subject=subject),
    )


def _read_table(path: Path, not_features: list[str], features: Collection[str] | None) -> tuple[pa.Table, Columns]:
    table = open_table(path).read()
    choose_columns(path, table.column_names, wanted=not_features)
    others = [name for name in table.column_names if name not in not_features]
    rows = table.select(choose_columns(path, others, wanted=None if features is None else list(features)))
    columns = {name: as_text(whole(table.column(name))).fill_null("") for name in not_features}
    return rows, {name: np.array(column.to_pylist(), np.str_) for name, column in columns.items()}


def _read_arrays(path: Path, not_features: list[str], features: Collection[str] | None) -> tuple[NDArray[Any], Columns]:
    arrays = open_archive(path)
    names = list(arrays)
    choose_columns(path, names, wanted=not_features)
    others = [name for name in names if name not in not_features]
    chosen = choose_columns(path, others, wanted=None if features is None else list(features))
    if len(chosen) != 1:
        raise DataError(f"{path}: name the one array to learn from as features=[...]; there are {list_names(others)}")
    rows = arrays[chosen[0]]
    columns = {name: arrays[name].astype(np.str_) for name in not_features}
    for name, column in columns.items():
        if column.shape != (len(rows),):
            raise DataError(f"{path}: {quote(name)} of shape {column.shape} does not match {len(rows)} rows")
    if rows.ndim == 2:
        return rows, columns
    if rows.dtype != np.uint8:
        raise DataError(f"{path}: images must be uint8, got {rows.dtype}; scale all images alike to 0 .. 255")
    return order_channels(rows), columns


def _take(rows: Any, index: NDArray[np.int64]) -> Any:
    return rows.take(index) if isinstance(rows, pa.Table) else rows[index]


def _warn(left_out: int, *, subject: str | None) -> tuple[str, ...]:
    said = ["adni: the user's own files, which no checksum covers"]
    if left_out:
        said.append(f"adni: {left_out} rows without a diagnosis left out")
    if subject is None:
        said.append("adni: no column tells people apart, so scans of one person may be in both parts")
    return tuple(said)
