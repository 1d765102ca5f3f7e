"""What holds for the preparation of every kind of rows."""

import json
import tracemalloc

import numpy as np
import pyarrow as pa
import pytest
import scipy.sparse as sp

from angularpu.data.prepare.preparation import fit_preparation, restore_preparation
from angularpu.data.sources import as_rows
from angularpu.errors import DataError, ModelError

RNG = np.random.default_rng(0)
HOLES = np.where(RNG.random((200, 5)) < 0.2, np.nan, RNG.normal(3, 2, (200, 5)))
SOURCES = {
    "dense": HOLES,
    "sparse": sp.random(200, 30, 0.1, format="csr", rng=RNG),
    "image": RNG.integers(0, 256, (200, 3, 4, 5)).astype(np.uint8),
    "float image": RNG.normal(size=(200, 2, 3, 3)),
    "frame": pa.table(
        {
            "n": pa.array(HOLES[:, 0], from_pandas=True),
            "i": RNG.integers(0, 9, 200),
            "c": [None if i % 7 == 0 else f"level {i % 90}" for i in range(200)],
            "flag": RNG.random(200) < 0.5,
            "when": pa.array(RNG.integers(0, 10**9, 200), pa.timestamp("s")),
        }
    ),
}


@pytest.fixture(params=SOURCES)
def rows(request):
    return as_rows(SOURCES[request.param])


def test_prepared_rows_are_finite_contiguous_float32_of_the_stated_shape(rows):
    preparation = fit_preparation(rows)
    out = preparation.apply(rows.take(np.arange(len(rows))))
    assert (out.dtype, out.shape, out.flags.c_contiguous) == (np.float32, (200, *preparation.out_shape), True)
    assert np.isfinite(out).all()


def test_a_row_becomes_the_same_bytes_alone_or_in_a_block(rows):
    preparation = fit_preparation(rows)
    together = preparation.apply(rows.take(np.arange(200)))
    alone = np.concatenate([preparation.apply(rows.take(np.array([i]))) for i in range(200)])
    assert alone.tobytes() == together.tobytes()


def test_what_is_restored_prepares_the_same_bytes(rows):
    preparation = fit_preparation(rows)
    tensors, content = preparation.state()
    stored = {name: np.frombuffer(array.tobytes(), array.dtype).reshape(array.shape) for name, array in tensors.items()}
    restored = restore_preparation(stored, json.loads(json.dumps(content, sort_keys=True)))
    block = rows.take(np.arange(200))
    assert restored.apply(block).tobytes() == preparation.apply(block).tobytes()
    assert (restored.out_shape, restored.notes) == (preparation.out_shape, preparation.notes)


def test_fitting_twice_gives_the_same_state(rows):
    (first, content), (second, again) = fit_preparation(rows).state(), fit_preparation(rows).state()
    assert content == again
    assert {name: array.tobytes() for name, array in first.items()} == {n: a.tobytes() for n, a in second.items()}


def test_a_block_without_rows_gives_none(rows):
    preparation = fit_preparation(rows)
    assert preparation.apply(rows.take(np.empty(0, np.int64))).shape == (0, *preparation.out_shape)


@pytest.mark.parametrize("missing", ["kind", "notes"])
def test_an_incomplete_state_is_refused(rows, missing):
    tensors, content = fit_preparation(rows).state()
    del content[missing]
    with pytest.raises(ModelError, match=f"incomplete: '{missing}'"):
        restore_preparation(tensors, content)


@pytest.mark.parametrize(
    "x",
    [
        np.ones((5, 2)),
        np.full((5, 2), np.nan),
        sp.csr_matrix((5, 2)),
        np.full((5, 1, 2, 2), 7, np.uint8),
        pa.table({"a": [1] * 30, "id": [str(i) for i in range(30)]}),
    ],
    ids=["dense", "empty", "sparse", "image", "frame"],
)
def test_rows_that_carry_nothing_are_refused(x):
    with pytest.raises(DataError, match="nothing is left to learn from"):
        fit_preparation(as_rows(x))


@pytest.mark.parametrize("dtype", [np.float32, np.uint8, np.float64])
def test_a_large_array_is_prepared_with_no_copy_beside_the_result(dtype):
    x = RNG.integers(0, 200, (4000, 500)).astype(dtype)
    preparation = fit_preparation(as_rows(x))
    tracemalloc.start()
    out = preparation.apply(x)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 1.5 * out.nbytes
