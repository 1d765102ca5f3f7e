"""Which rows of a file are marked as known positives, in the words that the model was fitted with."""

from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from angularpu.scenario.labels import spell


def mark_known(column: Any, positive: Any) -> NDArray[np.bool_]:
    """Return True where a label is the model's word for known positives, however the file writes it.

    Parameters
    ----------
    column : pyarrow array
        Labels; of a CSV file they are text.
    positive : bool, int, float or str
        The model's word.

    Examples
    --------
    >>> mark_known(pa.chunked_array([["1", "0", None]]), 1)
    array([ True, False, False])
    """
    whole = column.combine_chunks() if isinstance(column, pa.ChunkedArray) else column
    coded = whole if isinstance(whole, pa.DictionaryArray) else pc.dictionary_encode(whole)
    ways = spell(positive)
    meant = [
        code for code, value in enumerate(coded.dictionary.to_pylist()) if value is not None and spell(value) & ways
    ]
    found: NDArray[np.bool_] = np.isin(coded.indices.fill_null(-1).to_numpy(zero_copy_only=False), meant)
    return found
