"""Tables with the class in one of their columns."""

from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from angularpu.data.columns import as_text, whole
from angularpu.data.io.reading import choose_columns
from angularpu.data.io.tables import open_table
from angularpu.errors import DataError, quote
from angularpu_bench.catalogue.dataset import Parts
from angularpu_bench.catalogue.entry import Entry, find_files
from angularpu_bench.catalogue.partition import split_rows


def read_labelled_table(directory: Path, entry: Entry) -> Parts:
    """Read a table that has no official test part, and split it 70/30 by class.

    Returns
    -------
    x_train, labels_train, x_test, labels_test
        Arrow tables of all columns except the class, and each row's class as its position in the entry's classes.
    """
    (file,) = find_files(entry, directory)
    path = directory / file.name
    table = open_table(path).read()
    (label,) = choose_columns(path, table.column_names, wanted=[entry.label or ""])
    labels = encode_classes(path, table.column(label), classes=entry.classes)
    rows, (train, test) = table.drop_columns([label]), split_rows(labels)
    return rows.take(train), labels[train], rows.take(test), labels[test]


def encode_classes(path: Path, column: pa.ChunkedArray, *, classes: tuple[str, ...]) -> NDArray[np.int64]:
    """Return the position of each value in ``classes``; refuse a value that is not among them."""
    text = as_text(whole(column))
    code = pc.index_in(text, value_set=pa.array(classes, pa.large_string()))
    if code.null_count:
        row = int(np.flatnonzero(code.is_null().to_numpy(zero_copy_only=False))[0])
        raise DataError(
            f"{path}, row {row} (the first is 0): the class is {quote(text[row].as_py())}; "
            f"known are {', '.join(classes)}"
        )
    return np.asarray(code, np.int64)
