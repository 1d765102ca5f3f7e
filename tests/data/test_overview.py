import numpy as np
import pyarrow as pa
import scipy.sparse as sp

from angularpu.data import overview
from angularpu.data.overview import look_over
from angularpu.data.sources import as_rows


def test_missing_values_are_counted_by_column_whatever_the_rows_are(monkeypatch):
    monkeypatch.setattr(overview, "CELLS", 4)  # several pieces
    x = np.ones((6, 3))
    x[[0, 5], 1] = np.nan
    for rows in (x, sp.csr_matrix(x)):
        seen = look_over(as_rows(rows))
        assert (seen.n, seen.columns, seen.missing) == (6, {"number": 3}, {"1": 2})
    images = np.ones((6, 2, 2, 2), np.float32)
    images[3, 1, 0, 0] = np.nan
    assert look_over(as_rows(images)).missing == {"1": 1}
    assert look_over(as_rows(np.ones((6, 2, 2, 2), np.uint8))).missing == {}


def test_columns_of_a_table_are_counted_by_kind():
    table = pa.table(
        {
            "n": pa.array([1.0, float("nan"), None]),
            "d": pa.array([1, None, 3], pa.date32()),
            "t": ["a", None, "b"],
            "l": [[1], [2], [3]],
        }
    )
    seen = look_over(as_rows(table))
    assert seen.columns == {"number": 1, "date": 1, "text": 1, "other": 1}
    assert seen.missing == {"n": 2, "d": 1, "t": 1}
