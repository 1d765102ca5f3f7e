"""A file of rows to choose from by hand: what the model reads of them, and what people see."""

from pathlib import Path

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from angularpu.data.columns import value_kind
from angularpu.data.io.arrays import ARRAY_SUFFIXES, find_rows, open_arrays
from angularpu.data.io.numpy_file import StoredArray
from angularpu.data.io.reading import refuse_path
from angularpu.data.io.tables import TABLE_SUFFIXES, open_table
from angularpu.data.prepare.frame import FramePreparation
from angularpu.data.rows import Rows
from angularpu.data.sources import as_rows
from angularpu.errors import SettingError
from angularpu.methods.fitted import Fitted
from angularpu.scenario.sample_file import read_sample


def read_heap(
    fitted: Fitted, data: Path, *, label: str | None, positive: str | None
) -> tuple[Rows, NDArray[np.int8] | None]:
    """Return the columns of a file that the model was fitted on, and who is a known positive."""
    refuse_path(data, (*TABLE_SUFFIXES, *ARRAY_SUFFIXES))
    is_table = data.suffix.lower() in TABLE_SUFFIXES
    text = fitted.preparation.text_columns if isinstance(fitted.preparation, FramePreparation) else ()
    others = list_others(fitted, data, label=label)
    if label is not None:
        sample, _ = read_sample(data, label=label, positive=positive, ids=others, scenario=fitted.held.scenario)
        return sample.rows, sample.s
    if positive is not None:
        raise SettingError("--positive is a value of the column that --label names; name the column too")
    if is_table:
        file = open_table(data, text=text)
        return as_rows(file.read([name for name in file.columns if name not in others])), None
    arrays = open_arrays(data)
    return as_rows(arrays if isinstance(arrays, StoredArray) else find_rows(arrays, data)), None


def list_others(fitted: Fitted, data: Path, *, label: str | None) -> list[str]:
    """Return the columns of a table that the model was not fitted on, but for the label."""
    if data.suffix.lower() not in TABLE_SUFFIXES or not isinstance(fitted.columns, tuple):
        return []
    return [name for name in open_table(data).columns if name not in (*fitted.columns, label)]


def show_rows(data: Path, index: NDArray[np.int64]) -> pa.Table | None:
    """Return some rows of a table with all columns that CSV can hold; of arrays nothing."""
    if data.suffix.lower() not in TABLE_SUFFIXES:
        return None
    file = open_table(data)
    # As text where a column is text, so that 007 stays 007 in the file, whatever a spreadsheet makes of it.
    table = open_table(data, text=file.columns).read().take(pa.array(index))
    return table.select([field.name for field in table.schema if value_kind(field.type) is not None])
