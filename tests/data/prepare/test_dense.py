"""Columns without names."""

import numpy as np
import pyarrow as pa
import pytest
import scipy.sparse as sp

from angularpu.data.prepare.preparation import fit_preparation
from angularpu.data.sources import as_rows
from angularpu.errors import DataError

X = np.random.default_rng(1).normal(5, 3, (50_000, 40))  # more than one chunk when fitting, and when applying
X[::7, 3] = np.nan
X[:, 4] = 2.0


@pytest.fixture(scope="module")
def preparation():
    return fit_preparation(as_rows(X))


def test_a_long_array_is_standardised_as_numpy_would(preparation):
    kept = np.delete(X, 4, axis=1)
    expected = np.nan_to_num((kept - np.nanmean(kept, axis=0)) / np.nanstd(kept, axis=0))
    out = preparation.apply(X)
    np.testing.assert_allclose(out[:, :39], expected, rtol=1e-5, atol=1e-6)
    np.testing.assert_array_equal(out[:, 39], np.isnan(X[:, 3]))
    assert preparation.notes == ("column 4 left out: every value is the same",)


def test_a_memory_map_is_prepared_as_the_array_is(preparation, tmp_path):
    np.save(tmp_path / "x.npy", X)
    mapped = np.load(tmp_path / "x.npy", mmap_mode="r")
    assert fit_preparation(as_rows(mapped)).apply(mapped[:10]).tobytes() == preparation.apply(X[:10]).tobytes()


def test_number_columns_of_a_frame_are_taken_by_position(preparation):
    frame = pa.table({f"c{i}": pa.array(X[:9, i], from_pandas=True) for i in range(40)})
    assert preparation.apply(frame).tobytes() == preparation.apply(X[:9]).tobytes()


def test_sparse_rows_are_taken_too(preparation):
    assert preparation.apply(sp.csr_matrix(X[:9])).tobytes() == preparation.apply(X[:9]).tobytes()


def test_an_infinite_value_in_a_later_chunk_is_named_by_its_row():
    x = X.copy()
    x[40_000, 7] = np.inf
    with pytest.raises(DataError, match="column 7, row 40000"):
        fit_preparation(as_rows(x))


def test_an_infinite_value_in_scoring_is_named_by_its_row(preparation):
    x = X[:10_000].copy()
    x[9_000, 39] = -np.inf
    with pytest.raises(DataError, match="column 39, row 19000"):
        preparation.apply(x, first_row=10_000)


@pytest.mark.parametrize(
    ("block", "message"),
    [
        (X[:, :3], "fitted on 40 columns, but 3 came"),
        (np.zeros((2, 1, 4, 10)), r"rows of shape \(1, 4, 10\) came"),
        (pa.table({"a": [1.0]}), "fitted on 40 columns, but 1 came"),
        (pa.table({f"c{i}": ["x"] for i in range(40)}), "column 'c0' holds values of type string"),
    ],
)
def test_other_rows_are_refused(preparation, block, message):
    with pytest.raises(DataError, match=message):
        preparation.apply(block)
