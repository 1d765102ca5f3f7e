"""Equal rows, equal fingerprint; other rows, another one."""

import datetime
import decimal
import itertools

import numpy as np
import pyarrow as pa
import pytest
import scipy.sparse as sp
from hypothesis import given
from hypothesis import strategies as st

from angularpu.data.fingerprints import fingerprint_rows
from angularpu.data.sources import as_rows
from angularpu.errors import DataError

FRAME = pa.table(
    {
        "i": pa.array([1, None, 3, 4]),
        "f": pa.array([1.5, float("nan"), None, 0.0]),
        "b": pa.array([True, None, False, True]),
        "t": ["x", None, "", "long text"],
        "d": [datetime.date(2020, 1, i) for i in range(1, 5)],
        "w": [datetime.datetime(2020, 1, i) for i in range(1, 5)],
        "m": [decimal.Decimal("1.50"), None, decimal.Decimal("2.25"), decimal.Decimal("3.00")],
        "n": pa.nulls(4),
    }
)


class Cut:
    """Rows whose chunks end where they please, whatever is asked for."""

    def __init__(self, rows, ends):
        self.rows, self.ends = rows, ends
        self.kind, self.shape, self.in_memory = rows.kind, rows.shape, True

    def __len__(self):
        return len(self.rows)

    def chunks(self, n):
        for start, stop in itertools.pairwise([0, *self.ends, len(self)]):
            yield self.rows.take(np.arange(start, stop))


@given(st.sampled_from(["dense", "sparse", "image", "frame"]), st.lists(st.integers(0, 4)).map(sorted))
def test_the_cuts_between_chunks_leave_no_trace(kind, ends):
    x = {
        "dense": np.arange(12.0).reshape(4, 3),
        "sparse": sp.csr_matrix([[0, 1], [0, 0], [2, 3], [4, 0]]),
        "image": np.arange(48, dtype=np.uint8).reshape(4, 3, 2, 2),
        "frame": FRAME,
    }[kind]
    assert fingerprint_rows(Cut(as_rows(x), ends)) == as_rows(x).fingerprint()


def test_where_an_array_lies_leaves_no_trace(tmp_path):
    x = np.arange(12.0).reshape(4, 3)
    np.save(tmp_path / "x.npy", x)
    same = [np.asfortranarray(x), np.repeat(x, 2, axis=0)[::2], np.load(tmp_path / "x.npy", mmap_mode="r")]
    assert {as_rows(y).fingerprint() for y in same} == {as_rows(x).fingerprint()}


def test_how_a_sparse_matrix_is_stored_leaves_no_trace():
    tidy = sp.csr_matrix(np.array([[0.0, 3.0, 1.0], [0.0, 0.0, 2.0]]))
    untidy = sp.csr_matrix((np.array([1.0, 1.0, 2.0, 0.0, 2.0]), [2, 1, 1, 0, 2], [0, 3, 5]), shape=(2, 3))
    assert as_rows(untidy).fingerprint() == as_rows(tidy).fingerprint()
    assert untidy.nnz == 5  # the user's matrix is left as it was


def test_how_text_is_stored_leaves_no_trace():
    texts = ["a", None, "b", "a"]
    stored = [
        pa.array(texts),
        pa.array(texts, pa.large_string()),
        pa.array(texts).dictionary_encode(),
        pa.array(["z", *texts]).slice(1),
        pa.DictionaryArray.from_arrays(pa.array([1, None, 0, 1]), pa.array(["b", "a", "never"])),
    ]
    assert len({as_rows(pa.table({"t": column})).fingerprint() for column in stored}) == 1


@pytest.mark.parametrize("name", FRAME.column_names)
def test_a_change_in_any_column_shows(name):
    swapped = FRAME[name].take(pa.array([2, 1, 0, 3])) if name != "n" else [[1, 2, 3, 4]]
    changed = FRAME.set_column(FRAME.column_names.index(name), name, swapped)
    assert as_rows(changed).fingerprint() != as_rows(FRAME).fingerprint()


def test_text_that_moves_from_one_cell_to_the_next_shows():
    pairs = [["ab", "c"], ["a", "bc"], ["abc", ""], ["abc", None]]
    assert len({as_rows(pa.table({"t": pair})).fingerprint() for pair in pairs}) == 4


def test_dtype_shape_and_names_show():
    x = np.zeros((4, 6))
    others = [x, x.astype(np.float32), x.reshape(6, 4), x.reshape(4, 1, 2, 3), sp.csr_matrix(x), np.zeros((8, 3))]
    assert len({as_rows(y).fingerprint() for y in others}) == len(others)
    assert as_rows(FRAME.rename_columns(list("abcdefgh"))).fingerprint() != as_rows(FRAME).fingerprint()


def test_a_column_of_lists_has_no_fingerprint():
    with pytest.raises(DataError, match="column 'l' holds values of type list"):
        as_rows(pa.table({"l": [[1], [2]]})).fingerprint()
