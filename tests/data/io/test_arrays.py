"""Arrays in NumPy's files."""

import zipfile

import numpy as np
import pytest

from angularpu.data.io.arrays import open_arrays
from angularpu.data.sources import as_rows
from angularpu.errors import DataError


def test_an_npy_file_is_opened_and_not_read(tmp_path):
    path = tmp_path / "huge.npy"
    np.lib.format.open_memmap(path, mode="w+", dtype=np.uint8, shape=(10**11, 8))[10**11 - 1] = 3
    rows = as_rows(open_arrays(path))
    assert not rows.in_memory
    assert rows.take(np.array([10**11 - 1])).tolist() == [[3] * 8]


def test_an_npz_file_is_a_mapping(tmp_path):
    path = tmp_path / "a.npz"
    np.savez_compressed(path, x=np.eye(3), y=np.arange(3))
    arrays = open_arrays(path)
    assert (list(arrays), len(arrays), "x" in arrays, "z" in arrays) == (["x", "y"], 2, True, False)
    np.testing.assert_array_equal(arrays["x"], np.eye(3))
    with pytest.raises(KeyError):
        arrays["z"]


def test_python_objects_are_refused(tmp_path):
    objects = np.array([{}, []], object)
    np.save(tmp_path / "a.npy", objects)
    np.savez(tmp_path / "a.npz", x=objects)
    with pytest.raises(DataError, match="Python objects"):
        open_arrays(tmp_path / "a.npy")
    archive = open_arrays(tmp_path / "a.npz")
    with pytest.raises(DataError, match="Python objects"):
        archive["x"]


@pytest.mark.parametrize("keep", [0, 5, 100, 600])
def test_a_truncated_npy_file_is_refused(tmp_path, keep):
    path = tmp_path / "a.npy"
    np.save(path, np.arange(100.0))
    path.write_bytes(path.read_bytes()[:keep])
    with pytest.raises(DataError, match=rf"{path} cannot be read as an \.npy array"):
        open_arrays(path)


@pytest.mark.parametrize("keep", [0, 5, 100, 600])
def test_a_truncated_npz_file_is_refused(tmp_path, keep):
    path = tmp_path / "a.npz"
    np.savez(path, x=np.arange(100.0))
    path.write_bytes(path.read_bytes()[:keep])
    with pytest.raises(DataError, match=rf"{path} cannot be read as an \.npz archive"):
        open_arrays(path)


def test_damage_inside_an_npz_file_is_found_when_the_array_is_read(tmp_path):
    path = tmp_path / "a.npz"
    np.savez(path, x=np.arange(1000.0))
    content = bytearray(path.read_bytes())
    content[4000:4100] = bytes(100)
    path.write_bytes(content)
    with pytest.raises(DataError, match=rf"{path} cannot be read as an \.npz archive"):
        open_arrays(path)["x"]


def test_files_under_a_wrong_name_are_refused(tmp_path):
    np.savez(tmp_path / "a.npz", x=np.eye(2))
    (tmp_path / "a.npz").rename(tmp_path / "a.npy")
    with pytest.raises(DataError, match=r"cannot be read as an \.npy array"):
        open_arrays(tmp_path / "a.npy")
    np.save(tmp_path / "b.npy", np.eye(2))
    (tmp_path / "b.npy").rename(tmp_path / "b.npz")
    with pytest.raises(DataError, match=r"cannot be read as an \.npz archive"):
        open_arrays(tmp_path / "b.npz")
    with zipfile.ZipFile(tmp_path / "c.npz", "w") as archive:
        archive.writestr("notes.txt", "no array")
    with pytest.raises(DataError, match=r"cannot be read as an \.npz archive"):
        open_arrays(tmp_path / "c.npz")["notes.txt"]


@pytest.mark.parametrize(("name", "message"), [("none.npy", "does not exist"), ("none.pkl", "use .npy, .npz")])
def test_other_paths_are_refused(tmp_path, name, message):
    with pytest.raises(DataError, match=message):
        open_arrays(tmp_path / name)
