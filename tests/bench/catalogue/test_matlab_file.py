"""MATLAB's files, as scipy reads them where it can."""

import contextlib
import zlib

import numpy as np
import pytest
from scipy.io import loadmat, savemat

from angularpu_bench.catalogue.matlab_file import read_matlab

ARRAYS = {
    "X": np.arange(4 * 5 * 3 * 2).reshape(4, 5, 3, 2).astype(np.uint8),
    "y": np.array([[1], [10]], np.uint8),
    "a_longer_name": np.array([[-1.5, 2.0]]),
    "small": np.array([[7]], np.int16),
}


@pytest.mark.parametrize("compressed", [False, True])
def test_arrays_are_those_that_scipy_reads(tmp_path, compressed):
    savemat(tmp_path / "x.mat", ARRAYS, do_compression=compressed)
    found, expected = read_matlab(tmp_path / "x.mat"), loadmat(tmp_path / "x.mat")
    assert list(found) == list(ARRAYS)
    for name, array in found.items():
        assert array.dtype == expected[name].dtype
        np.testing.assert_array_equal(array, expected[name])


@pytest.mark.parametrize("compressed", [False, True])
def test_a_file_cut_anywhere_is_refused_or_has_fewer_arrays(tmp_path, compressed):
    savemat(tmp_path / "x.mat", ARRAYS, do_compression=compressed)
    whole = (tmp_path / "x.mat").read_bytes()
    for length in range(len(whole)):
        (tmp_path / "x.mat").write_bytes(whole[:length])
        with contextlib.suppress(ValueError, zlib.error):
            assert len(read_matlab(tmp_path / "x.mat")) < len(ARRAYS) or length > len(whole) - 8


@pytest.mark.parametrize("content", [{"text": "abc"}, {"cells": np.array([[1], "a"], object)}, {"z": np.array([[1j]])}])
def test_what_is_no_array_of_numbers_is_refused(tmp_path, content):
    savemat(tmp_path / "x.mat", content)
    with pytest.raises(ValueError, match=r"numbers|complex"):
        read_matlab(tmp_path / "x.mat")
