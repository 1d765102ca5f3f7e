import gzip
import os
import struct
from pathlib import Path

import numpy as np
import pytest

from angularpu.errors import DataError
from angularpu_bench.catalogue.datasets import load_dataset
from angularpu_bench.catalogue.mnist import load_fashion_mnist, read_idx

CODES = {"u1": 8, "i1": 9, "i2": 11, "i4": 12, "f4": 13, "f8": 14}


def write_idx(path: Path, array: np.ndarray) -> None:
    code = CODES[array.dtype.str[1:]]
    content = (
        struct.pack(f">HBB{array.ndim}I", 0, code, array.ndim, *array.shape)
        + array.astype(array.dtype.newbyteorder(">")).tobytes()
    )
    path.write_bytes(gzip.compress(content) if path.suffix == ".gz" else content)


@pytest.mark.parametrize("dtype", CODES)
@pytest.mark.parametrize("name", ["x-idx3", "x-idx3.gz"])
def test_arrays_of_every_dtype_are_read_in_native_order(tmp_path, dtype, name):
    array = np.arange(-5, 25).reshape(2, 3, 5).astype(dtype)
    write_idx(tmp_path / name, array)
    found = read_idx(tmp_path / name)
    np.testing.assert_array_equal(found, array)
    assert found.dtype == array.dtype


def write_mnist(folder: Path, suffix: str) -> None:
    rng = np.random.default_rng(0)
    for part, n in (("train", 6), ("t10k", 3)):
        write_idx(folder / f"{part}-images-idx3-ubyte{suffix}", rng.integers(0, 256, (n, 28, 28)).astype(np.uint8))
        write_idx(folder / f"{part}-labels-idx1-ubyte{suffix}", rng.integers(0, 10, n).astype(np.uint8))


@pytest.mark.parametrize("suffix", ["", ".gz"])
def test_four_files_make_a_data_set(tmp_path, suffix):
    write_mnist(tmp_path, suffix)
    x_train, y_train, x_test, y_test = load_fashion_mnist(tmp_path)
    assert [a.shape for a in (x_train, y_train, x_test, y_test)] == [(6, 1, 28, 28), (6,), (3, 1, 28, 28), (3,)]
    assert {a.dtype for a in (x_train, y_train, x_test, y_test)} == {np.dtype(np.uint8)}


@pytest.mark.parametrize("suffix", ["", ".gz"])
@pytest.mark.parametrize("name", ["mnist", "fashion-mnist"])
def test_both_sets_are_found_in_the_catalogue_packed_or_not(tmp_path, name, suffix):
    (tmp_path / name).mkdir()
    write_mnist(tmp_path / name, suffix)
    dataset = load_dataset(name, tmp_path)
    assert (dataset.x_train.shape, dataset.x_test.shape) == ((6, 1, 28, 28), (3, 1, 28, 28))
    assert dataset.labels_train.dtype == np.int64
    assert f"{name}/train-images-idx3-ubyte{suffix}, " in dataset.warnings[0]


def test_images_and_labels_that_do_not_match_are_refused(tmp_path):
    write_mnist(tmp_path, "")
    write_idx(tmp_path / "t10k-labels-idx1-ubyte", np.zeros(4, np.uint8))
    with pytest.raises(DataError, match=r"t10k images of shape \(3, 28, 28\) do not match labels of shape \(4,\)"):
        load_fashion_mnist(tmp_path)


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"", "not an IDX file"),
        (b"\x89PNG and more", "not an IDX file: its first bytes are 89 50 4e 47"),
        (b"\0\0\x07\x01\0\0\0\x01a", "not an IDX file"),
        (b"\0\0\x08\x03\0\0", "is damaged"),
        (b"\0\0\x08\x01\0\0\0\x05abc", "is damaged: 13 bytes expected"),
        (b"\0\0\x08\x01\0\0\0\x02abc", "is damaged: 10 bytes expected"),
    ],
)
def test_damaged_files_are_refused(tmp_path, content, message):
    path = tmp_path / "x"
    path.write_bytes(content)
    with pytest.raises(DataError, match=message):
        read_idx(path)


@pytest.mark.parametrize(
    "content", [b"no gzip", gzip.compress(bytes(1000), mtime=0)[:15]], ids=["not gzip", "truncated"]
)
def test_damaged_compression_is_refused(tmp_path, content):
    path = tmp_path / "x.gz"
    path.write_bytes(content)
    with pytest.raises(DataError, match=r"x\.gz cannot be read as IDX"):
        read_idx(path)


def test_a_missing_file_is_named(tmp_path):
    with pytest.raises(DataError, match="train-images-idx3-ubyte does not exist"):
        load_fashion_mnist(tmp_path)


@pytest.mark.prepared
def test_fashion_mnist_has_its_well_known_sizes():
    folder = os.environ.get("ANGULARPU_DATA", "")
    if not Path(folder or "?").is_dir():
        pytest.skip("ANGULARPU_DATA does not name a directory")
    x_train, y_train, x_test, y_test = load_fashion_mnist(Path(folder) / "fashion-mnist")
    assert (x_train.shape, x_test.shape) == ((60000, 1, 28, 28), (10000, 1, 28, 28))
    assert np.bincount(y_train).tolist() == [6000] * 10
    assert np.bincount(y_test).tolist() == [1000] * 10
    assert x_train.mean() / 255 == pytest.approx(0.2860, abs=1e-4)
