"""Equal values are prepared to equal bytes, whatever dtype, order of memory or container they come in."""

import numpy as np
import pyarrow as pa
import pyarrow.csv as pacsv
import pyarrow.parquet as pq
import pytest

from angularpu.data.assembly import concatenate
from angularpu.data.io.arrays import open_arrays
from angularpu.data.io.tables import open_table
from angularpu.data.prepare.preparation import fit_preparation
from angularpu.data.sources import as_rows

N = 70_000  # more than one piece when fitting, for arrays and frames
RNG = np.random.default_rng(0)
SINGLE = (RNG.normal(size=(N, 20)) * np.logspace(-3, 3, 20) + np.logspace(4, -2, 20)).astype(np.float32)
SINGLE[::9, 3] = np.nan
DOUBLE = SINGLE.astype(np.float64)
NAMES = [f"c{i}" for i in range(20)]


def as_table(x):
    return pa.table({name: pa.array(x[:, i], from_pandas=True) for i, name in enumerate(NAMES)})


@pytest.fixture(scope="module")
def files(tmp_path_factory):
    folder = tmp_path_factory.mktemp("same")
    np.save(folder / "single.npy", SINGLE)
    np.save(folder / "columns.npy", np.asfortranarray(DOUBLE))
    pq.write_table(as_table(SINGLE), folder / "single.parquet")
    pq.write_table(as_table(DOUBLE), folder / "double.parquet")
    pacsv.write_csv(as_table(DOUBLE), folder / "double.csv")
    return folder


SOURCES = {
    "float32 array": lambda _: SINGLE,
    "float64 array": lambda _: DOUBLE,
    "float32 array by columns": lambda _: np.asfortranarray(SINGLE),
    "every other row": lambda _: np.repeat(SINGLE, 2, axis=0)[::2],
    "float32 and float64 arrays": lambda _: concatenate(as_rows(SINGLE[:30_000]), as_rows(DOUBLE[30_000:])),
    "float32 file": lambda files: open_arrays(files / "single.npy"),
    "float64 file by columns": lambda files: open_arrays(files / "columns.npy"),
    "float32 frame": lambda _: as_table(SINGLE),
    "float64 frame": lambda _: as_table(DOUBLE),
    "float32 Parquet": lambda files: open_table(files / "single.parquet").read(),
    "float64 Parquet": lambda files: open_table(files / "double.parquet").read(),
    "CSV": lambda files: open_table(files / "double.csv").read(),
}


@pytest.fixture(scope="module")
def reference():
    preparation = fit_preparation(as_rows(DOUBLE))
    return preparation, preparation.apply(DOUBLE)


@pytest.mark.parametrize("source", SOURCES)
def test_equal_values_fit_and_apply_alike_in_every_container(source, files, reference):
    preparation, prepared = reference
    rows = as_rows(SOURCES[source](files))
    fitted = fit_preparation(rows)
    found, expected = fitted.state()[0], preparation.state()[0]
    assert {name: array.tobytes() for name, array in found.items()} == {n: a.tobytes() for n, a in expected.items()}
    block = rows.take(np.arange(0, N, 7))
    for model in (fitted, preparation):
        assert model.apply(block).tobytes() == prepared[::7].tobytes()


@pytest.mark.parametrize("dtype", [np.float16, np.int16, np.int32, np.uint16])
def test_whole_numbers_of_any_dtype_are_one_value(dtype):
    x = RNG.integers(0, 2000, (500, 3))
    preparation = fit_preparation(as_rows(x))
    assert fit_preparation(as_rows(x.astype(dtype))).apply(x.astype(dtype)).tobytes() == preparation.apply(x).tobytes()


def test_images_of_float32_and_float64_are_one_image():
    x = RNG.random((300, 3, 8, 8)).astype(np.float32)
    single, double = fit_preparation(as_rows(x)), fit_preparation(as_rows(x.astype(np.float64)))
    expected = double.apply(x.astype(np.float64)).tobytes()
    assert {single.apply(x).tobytes(), double.apply(x).tobytes()} == {expected}


def test_a_number_is_one_level_whatever_its_precision():
    values = np.array([0.1, 2.5, 0.1, 3.0], np.float32)
    double = pa.array(values.astype(np.float64)).dictionary_encode()
    preparation = fit_preparation(as_rows(pa.table({"level": double})))
    assert preparation.apply(pa.table({"level": values})).tolist() == [[1, 0, 0], [0, 1, 0], [1, 0, 0], [0, 0, 1]]
