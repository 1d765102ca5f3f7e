"""Whatever a user holds becomes Rows, or one sentence says why not."""

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
import scipy.sparse as sp
import torch

from angularpu.data.sources import as_rows
from angularpu.errors import DataError

X = np.arange(12.0).reshape(6, 2)
INDEX = np.array([4, 0, 4])


@pytest.mark.parametrize(
    "x",
    [
        X,
        X.astype(np.float16),
        X.astype(">f8"),
        X > 3,
        X.astype(np.int8),
        np.asfortranarray(X),
        X.astype(object),
        X.tolist(),
    ],
    ids=["float64", "float16", "big-endian", "bool", "int8", "fortran", "object", "list"],
)
def test_arrays_of_any_number_dtype_are_dense_rows(x):
    rows = as_rows(x)
    assert (rows.kind, rows.shape, len(rows), rows.in_memory) == ("dense", (2,), 6, True)
    np.testing.assert_array_equal(rows.take(INDEX), np.asarray(x, np.asarray(x).dtype)[INDEX])
    np.testing.assert_array_equal(np.concatenate(list(rows.chunks(4))), x)


def test_an_array_keeps_its_dtype_and_is_not_copied():
    x = X.astype(np.float32)
    rows = as_rows(x)
    assert rows.take(INDEX).dtype == np.float32
    assert np.shares_memory(next(iter(rows.chunks(3))), x)


def test_none_in_an_object_array_is_missing():
    np.testing.assert_array_equal(as_rows(np.array([[1, None], [2.5, True]], object)).array, [[1, np.nan], [2.5, 1]])


def test_masked_cells_are_missing():
    x = np.ma.array(np.arange(4).reshape(2, 2), mask=[[0, 1], [0, 0]])
    np.testing.assert_array_equal(as_rows(x).array, [[0, np.nan], [2, 3]])


def test_a_tensor_that_requires_grad_is_read():
    rows = as_rows(torch.tensor(X, requires_grad=True))
    np.testing.assert_array_equal(rows.take(INDEX), X[INDEX])


def test_a_tensor_numpy_cannot_hold_is_refused_with_a_remedy():
    with pytest.raises(DataError, match=r"x\.float\(\)"):
        as_rows(torch.ones(2, 2, dtype=torch.bfloat16))


@pytest.mark.parametrize("form", [sp.csr_matrix, sp.csc_matrix, sp.coo_array, sp.lil_matrix, sp.csr_array])
def test_every_sparse_form_becomes_csr(form):
    rows = as_rows(form(X))
    assert (rows.kind, rows.shape, len(rows)) == ("sparse", (2,), 6)
    taken = rows.take(INDEX)
    assert sp.isspmatrix_csr(taken)
    np.testing.assert_array_equal(taken.toarray(), X[INDEX])
    np.testing.assert_array_equal(sp.vstack(list(rows.chunks(4))).toarray(), X)


@pytest.mark.parametrize("dtype", [np.uint8, np.float32, np.float64])
def test_images_have_four_dimensions(dtype):
    x = np.arange(2 * 3 * 4 * 5).reshape(2, 3, 4, 5).astype(dtype)
    rows = as_rows(x)
    assert (rows.kind, rows.shape, len(rows)) == ("image", (3, 4, 5), 2)
    np.testing.assert_array_equal(rows.take(np.array([1])), x[[1]])


COLUMNS = {"a": [1, 2, None], "b": ["x", None, "y"]}


@pytest.mark.parametrize(
    "x",
    [
        pd.DataFrame({"a": pd.array([1, 2, None], "Int64"), "b": ["x", None, "y"]}, index=[7, 8, 9]),
        pl.DataFrame(COLUMNS),
        pa.table(COLUMNS),
        pa.RecordBatch.from_pydict(COLUMNS),
        pa.RecordBatchReader.from_batches(pa.table(COLUMNS).schema, pa.table(COLUMNS).to_batches()),
    ],
    ids=["pandas", "polars", "arrow", "batch", "reader"],
)
def test_frames_of_every_library_become_the_same_rows(x):
    rows = as_rows(x)
    assert (rows.kind, rows.shape, len(rows)) == ("frame", (2,), 3)
    assert rows.take(np.array([2, 0])).to_pydict() == {"a": [None, 1], "b": ["y", "x"]}
    assert [chunk.to_pydict()["b"] for chunk in rows.chunks(2)] == [["x", None], ["y"]]
    assert rows.fingerprint() == as_rows(pa.table(COLUMNS)).fingerprint()


def test_a_frame_may_have_columns_named_like_methods():
    frame = pd.DataFrame({"fingerprint": [1.0, 2.0], "take": [3.0, 4.0], "chunks": [1, 2], "detach": [0, 1]})
    assert as_rows(frame).shape == (4,)


def test_rows_stay_rows():
    rows = as_rows(X)
    assert as_rows(rows) is rows


def test_a_table_in_pieces_is_put_together():
    pieces = pa.concat_tables([pa.table({"a": [i]}) for i in range(9)])
    assert as_rows(pieces).table["a"].num_chunks == 1


def test_a_memory_map_is_read_only_where_rows_are_taken(tmp_path):
    # Eight hundred gigabytes of holes: whoever reads them all does not return.
    path = tmp_path / "huge.npy"
    huge = np.lib.format.open_memmap(path, mode="w+", dtype=np.float64, shape=(10**10, 10))
    huge[10**10 - 1] = 7.0
    rows = as_rows(huge)
    assert (len(rows), rows.shape, rows.in_memory) == (10**10, (10,), False)
    np.testing.assert_array_equal(rows.take(np.array([10**10 - 1, 5])), [[7.0] * 10, [0.0] * 10])
    assert next(rows.chunks(3)).tolist() == [[0.0] * 10] * 3
    assert not as_rows(huge[5:]).in_memory


@pytest.mark.parametrize(
    ("x", "message"),
    [
        (np.arange(3.0), r"Reshape your data either using array\.reshape\(-1, 1\)"),
        (np.float64(3), "Reshape your data"),
        (pd.Series([1.0]), "Reshape your data"),
        (pl.Series([1.0]), "Reshape your data"),
        (np.zeros((2, 3, 4)), "grey images need a channel axis"),
        (np.zeros((2, 3, 4, 5, 6)), "5-D"),
        (np.zeros((2, 2), complex), "Complex data not supported"),
        (np.zeros((2, 1, 2, 2), complex), "Complex data not supported"),
        (sp.csr_matrix(np.ones((2, 2), complex)), "Complex data not supported"),
        (np.zeros((0, 3)), r"0 sample\(s\)"),
        (np.zeros((3, 0)), r"0 feature\(s\) \(shape=\(3, 0\)\) while a minimum of 1 is required\."),
        (np.zeros((3, 0, 2, 2), np.uint8), r"0 feature\(s\)"),
        (sp.csr_matrix((0, 3)), r"0 sample\(s\)"),
        (pa.table({}), r"0 sample\(s\)"),
        (pd.DataFrame({"a": []}), r"0 sample\(s\)"),
        (np.array([["a", "b"]]), "pandas, polars or Arrow frame"),
        (np.array([[1, "2"]], object), "holds text"),
        (np.array([[{}, 2]], object), "not numbers"),
        (np.zeros((2, 2), "datetime64[s]"), "must hold numbers"),
        (np.zeros((2, 1, 2, 2), np.int64), "uint8 or floats"),
        ([[1, 2], [3]], "same length"),
        (pd.DataFrame([[1, 2]], columns=["a", "a"]), "Duplicate column names"),
        (pa.table([[1], [2]], names=["a", "a"]), "'a' came more than once"),
        (pd.DataFrame({"a": [1, "x"]}), "column a"),
        (pl.DataFrame({"a": [1]}).lazy(), "collect"),
    ],
)
def test_what_cannot_be_used_is_refused_in_one_sentence(x, message):
    with pytest.raises(DataError, match=message):
        as_rows(x)
