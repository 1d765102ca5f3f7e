"""A sample read from a file or a directory with labels, or from positives and unlabelled rows apart."""

from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from angularpu.data.assembly import concatenate
from angularpu.data.io.arrays import ARRAY_SUFFIXES, find_array, find_rows, open_arrays
from angularpu.data.io.numpy_file import StoredArray
from angularpu.data.io.parquet_directory import SUFFIX, open_part, open_parts
from angularpu.data.io.reading import choose_columns, refuse_path
from angularpu.data.io.tables import TABLE_SUFFIXES, open_table
from angularpu.data.rows import Rows
from angularpu.data.sources import as_rows
from angularpu.data.stored_frame import StoredFrame
from angularpu.errors import DataError, SettingError, quote
from angularpu.scenario.label_column import Levels, read_levels, read_values
from angularpu.scenario.labels import encode_positive, encode_unmistakable
from angularpu.scenario.sample import PUSample, Scenario

WHOLE_BYTES = 128 * 2**20  # a table that takes no more is read whole, which is faster
NO_LABELS: NDArray[Any] = np.empty(0, np.int8)


def read_sample(
    path: str | Path,
    *,
    scenario: Scenario,
    label: str | None = None,
    positive: bool | int | float | str | None = None,
    unlabelled: str | Path | None = None,
    ids: Sequence[str] = (),
) -> tuple[PUSample, tuple[Any, Any]]:
    r"""Read a sample from a file: rows with their labels, or, with ``unlabelled``, positives and unlabelled rows apart.

    Parameters
    ----------
    path : str or Path
        A table (.csv, .parquet), a directory of .parquet files with the same columns, or arrays (.npz, .npy) whose rows
        are the only other array or the one called X, x or data. A .npy file has no names, so it holds no labels. Rows
        of .npy files, and of .parquet files that would take more than 128 MiB, stay on disk.
    scenario : {"one-sample", "two-sample"}
        How the labels came about; see :class:`angularpu.PUSample`.
    label : str, optional
        The column or array that tells known positives from unlabelled rows.
    positive : bool, int, float or str, optional
        The value of ``label`` that marks known positives; all others, and missing ones, mean unlabelled. By default the
        greater of two numbers, True, or the only value beside missing ones; two words ask for it.
    unlabelled : str or Path, optional
        The file of the unlabelled rows; then ``path`` holds the known positives, and there is no label.
    ids : sequence of str
        Columns or arrays that are not learned from.

    Returns
    -------
    sample : PUSample
        Every column besides the label and the ids, and who is labelled.
    classes : tuple
        What the file calls (unlabelled, positive); (0, 1) for two files.

    Examples
    --------
    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = Path(folder) / "people.csv"
    ...     _ = path.write_text("age,state\n31,sick\n45,\n52,\n")
    ...     sample, classes = read_sample(path, label="state", scenario="one-sample")
    >>> sample.n_pos, sample.n_unl, classes
    (1, 2, ('', 'sick'))
    """
    if (label is None) == (unlabelled is None) or (positive is not None and label is None):
        raise SettingError(
            "a sample comes from one file with label=, the column of labels, and perhaps positive=, or from a file of "
            "positives with unlabelled=, the file of the other rows; pass one or the other"
        )
    if unlabelled is not None:
        pos, unl = (_read(Path(each), label=None, ids=ids)[0] for each in (path, unlabelled))
        s = np.concatenate([np.ones(len(pos), np.int8), np.zeros(len(unl), np.int8)])
        return PUSample(concatenate(pos, unl), s, scenario), (0, 1)
    return _read_labelled(Path(path), label=str(label), positive=positive, ids=ids, scenario=scenario)


def _read_labelled(
    path: Path, *, label: str, positive: bool | int | float | str | None, ids: Sequence[str], scenario: Scenario
) -> tuple[PUSample, tuple[Any, Any]]:
    if label in ids:
        raise DataError(f"{quote(label)} cannot be the label and the id at once; name two columns")
    rows, values = _read(path, label=label, ids=ids)
    encode = encode_unmistakable if positive is None else partial(encode_positive, positive=str(positive))
    try:
        s, classes = values.encode(encode) if isinstance(values, Levels) else encode(values)
    except DataError as error:
        raise DataError(f"label {quote(label)}: {error}") from error
    return PUSample(rows, s, scenario), classes


def _read(path: Path, *, label: str | None, ids: Sequence[str]) -> tuple[Rows, NDArray[Any] | Levels]:
    """Return the rows of a file without the ids, and apart from them the labels; of a file without labels none."""
    labels = [] if label is None else [label]
    besides = [*labels, *ids]
    if path.is_dir() or (path.suffix.lower() == SUFFIX and path.is_file()):
        return _read_parquet(path, labels=labels, besides=besides)
    refuse_path(path, (*TABLE_SUFFIXES, *ARRAY_SUFFIXES))
    if path.suffix.lower() in TABLE_SUFFIXES:
        return _read_table(path, labels=labels, besides=besides)
    arrays = open_arrays(path)
    if not isinstance(arrays, StoredArray):
        found = [find_array(arrays, path, name=name) for name in besides]
        return as_rows(find_rows(arrays, path, besides=besides)), found[0] if labels else NO_LABELS
    if besides:
        raise DataError(
            f"{path} is one array without names, so it has no {quote(besides[0])}; pass a table or an .npz file"
        )
    return as_rows(arrays), NO_LABELS


def _read_parquet(path: Path, *, labels: Sequence[str], besides: Sequence[str]) -> tuple[Rows, NDArray[Any] | Levels]:
    parts = open_parts(path) if path.is_dir() else [open_part(path)]
    kept = _choose(path, parts[0].schema.names, besides=besides)
    rows = StoredFrame(parts, kept)
    read = as_rows(rows.read()) if rows.count_bytes() <= WHOLE_BYTES else rows
    if not labels:
        return read, NO_LABELS
    return read, read_levels(StoredFrame(parts, labels, categories="values"), name=labels[0])


def _read_table(path: Path, *, labels: Sequence[str], besides: Sequence[str]) -> tuple[Rows, NDArray[Any]]:
    file = open_table(path)
    kept = _choose(path, file.columns, besides=besides)
    table = file.read([*kept, *labels])
    return as_rows(table.select(kept)), read_values(table[labels[0]], name=labels[0]) if labels else NO_LABELS


def _choose(path: Path, columns: Sequence[str], *, besides: Sequence[str]) -> list[str]:
    """Return the columns to learn from."""
    choose_columns(path, columns, wanted=besides)
    kept = [name for name in columns if name not in besides]
    if not kept:
        raise DataError(f"{path} has no column besides the label and the id, so there is nothing to learn from")
    return kept
