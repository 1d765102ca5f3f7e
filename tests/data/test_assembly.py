"""Rows made of other rows behave like copies of them."""

import numpy as np
import pyarrow as pa
import pytest
import scipy.sparse as sp

from angularpu.data.assembly import concatenate, subset
from angularpu.data.sources import as_rows
from angularpu.errors import DataError

DENSE = np.arange(20.0).reshape(10, 2)
IMAGES = np.arange(40, dtype=np.uint8).reshape(10, 1, 2, 2)
FRAME = pa.table({"a": np.arange(10), "b": [None, *"abcdefghi"]})
SOURCES = {"dense": DENSE, "sparse": sp.csr_matrix(DENSE), "image": IMAGES, "frame": FRAME}


def plain(block):
    """Return a block as a list of its rows, whatever its kind."""
    if isinstance(block, pa.Table):
        return block.to_pylist()
    return (block.toarray() if sp.issparse(block) else block).tolist()


def copy_rows(x, index):
    return as_rows(x.take(index) if isinstance(x, pa.Table) else x[index])


@pytest.mark.parametrize("kind", SOURCES)
def test_a_subset_is_like_a_copy(kind):
    index = np.array([7, 1, 1, 9, 0])
    chosen, copy = subset(as_rows(SOURCES[kind]), index), copy_rows(SOURCES[kind], index)
    assert (chosen.kind, chosen.shape, len(chosen)) == (copy.kind, copy.shape, len(copy))
    assert plain(chosen.take(np.array([3, 0]))) == plain(copy.take(np.array([3, 0])))
    assert [plain(chunk) for chunk in chosen.chunks(2)] == [plain(chunk) for chunk in copy.chunks(2)]
    assert chosen.fingerprint() == copy.fingerprint()


def test_a_subset_of_a_subset_reads_the_source_directly():
    rows = as_rows(DENSE)
    inner = subset(subset(rows, np.array([5, 6, 7])), np.array([2, 0]))
    assert inner.base is rows
    assert plain(inner.take(np.arange(2))) == DENSE[[7, 5]].tolist()


@pytest.mark.parametrize("kind", SOURCES)
def test_a_concatenation_is_like_the_whole(kind):
    x = SOURCES[kind]
    both, whole = concatenate(copy_rows(x, np.arange(4)), copy_rows(x, np.arange(4, 10))), as_rows(x)
    assert (both.kind, both.shape, len(both)) == (whole.kind, whole.shape, len(whole))
    for index in ([9, 0, 4, 3, 0], [1, 2], [5], []):
        assert plain(both.take(np.array(index, np.int64))) == plain(whole.take(np.array(index, np.int64)))
    assert [plain(chunk) for chunk in both.chunks(3)] == [plain(chunk) for chunk in whole.chunks(3)]
    assert both.fingerprint() == whole.fingerprint()


def test_a_concatenation_of_memory_maps_reads_only_what_is_taken(tmp_path):
    shape = (10**10, 10)
    huge = [np.lib.format.open_memmap(tmp_path / f"{i}.npy", mode="w+", dtype=np.float32, shape=shape) for i in (0, 1)]
    huge[1][3] = 2.0
    both = concatenate(as_rows(huge[0]), subset(as_rows(huge[1]), np.arange(100)))
    assert not both.in_memory
    assert both.take(np.array([10**10 + 3, 0]))[:, 0].tolist() == [2.0, 0.0]


def test_arrays_of_two_dtypes_meet_in_the_common_one():
    both = concatenate(as_rows(np.ones((2, 2), np.int32)), as_rows(np.full((1, 2), 0.5)))
    assert {block.dtype for block in both.chunks(1)} == {np.dtype(np.float64)}


def test_frames_are_joined_by_name_and_a_column_that_is_text_in_one_is_text_in_both():
    first = as_rows(pa.table({"n": [1, 2], "code": [7.0, 8.0], "k": [True, False]}))
    second = as_rows(pa.table({"code": ["A", None], "n": [1.5, None], "k": [None, None]}))
    assert plain(concatenate(first, second).take(np.arange(4))) == [
        {"n": 1.0, "code": "7", "k": True},
        {"n": 2.0, "code": "8", "k": False},
        {"n": 1.5, "code": "A", "k": None},
        {"n": None, "code": None, "k": None},
    ]


@pytest.mark.parametrize(
    ("first", "second", "message"),
    [
        (DENSE, FRAME, "dense rows cannot be put before frame rows"),
        (DENSE, DENSE[:, :1], r"shape \(2,\)"),
        (IMAGES, IMAGES.astype(float), "uint8 images"),
        (FRAME, FRAME.drop_columns(["b"]), "'b' came in only one"),
        (FRAME, FRAME.set_column(1, "b", [[[1]] * 10]), "differ in type"),
        (FRAME, FRAME.set_column(0, "a", [np.zeros(10, "datetime64[s]")]), "differ in type"),
    ],
)
def test_what_does_not_belong_together_is_refused(first, second, message):
    with pytest.raises(DataError, match=message):
        concatenate(as_rows(first), as_rows(second))
