"""SVHN in MATLAB files."""

import numpy as np
import pytest
from scipy.io import savemat

from angularpu.errors import DataError
from angularpu_bench.catalogue.datasets import load_dataset
from angularpu_bench.catalogue.svhn import read_digits


def write(path, n, **replaced):
    rng = np.random.default_rng(n)
    x = rng.integers(0, 256, (32, 32, 3, n)).astype(np.uint8)
    y = (np.arange(n) % 10 + 1).astype(np.uint8)[:, None]  # 1 .. 10, as the authors write them
    savemat(path, {"X": x, "y": y, **replaced})
    return x, y


def test_ten_is_the_digit_zero_and_images_come_first(tmp_path):
    x, _ = write(tmp_path / "train_32x32.mat", 30)
    write(tmp_path / "test_32x32.mat", 20)
    dataset = load_dataset("svhn", tmp_path)
    assert dataset.x_train.shape == (30, 3, 32, 32)
    assert dataset.x_train.flags.c_contiguous
    assert dataset.x_train[7, 2, 4, 9] == x[4, 9, 2, 7]
    assert dataset.labels_train[:10].tolist() == [1, 2, 3, 4, 5, 6, 7, 8, 9, 0]
    assert dataset.y_train[:10].tolist() == [0, 1, 0, 1, 0, 1, 0, 1, 0, 1]
    assert len(dataset.y_test) == 20
    assert dataset.warnings == ("svhn: train_32x32.mat, test_32x32.mat are not the official files",)


@pytest.mark.parametrize(
    ("replaced", "message"),
    [
        ({"X": np.zeros((32, 32, 3, 4), np.uint8)}, r"X of shape \(32, 32, 3, 4\) and type uint8, y of 5 values"),
        ({"X": np.zeros((32, 32, 3, 5))}, "type float64"),
        ({"X": np.zeros((3, 32, 32, 5), np.uint8)}, r"X of shape \(3, 32, 32, 5\)"),
        ({"y": np.array([[1], [2], [3], [4], [11]])}, "numbers from 1 to 10"),
    ],
)
def test_other_arrays_are_refused(tmp_path, replaced, message):
    write(tmp_path / "x.mat", 5, **replaced)
    with pytest.raises(DataError, match=message):
        read_digits(tmp_path / "x.mat")


def test_files_that_are_no_matlab_files_are_refused(tmp_path):
    savemat(tmp_path / "other.mat", {"Z": np.zeros(3)})
    with pytest.raises(DataError, match="holds no variable 'X'"):
        read_digits(tmp_path / "other.mat")
    (tmp_path / "x.mat").write_bytes(b"no MATLAB file at all" * 20)
    with pytest.raises(DataError, match="cannot be read as a MATLAB file"):
        read_digits(tmp_path / "x.mat")
