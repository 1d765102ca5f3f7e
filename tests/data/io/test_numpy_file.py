"""NumPy's files, damaged in every way: one sentence, little memory, nothing unpickled."""

import io
import os
import pickle
import tracemalloc
import warnings
import zipfile
from pathlib import Path

import numpy as np
import pytest

from angularpu.data.io import memory
from angularpu.data.io.arrays import open_arrays
from angularpu.data.io.numpy_file import StoredArray
from angularpu.data.sources import as_rows
from angularpu.errors import DataError

RNG = np.random.default_rng(0)
TABLE = RNG.normal(size=(400, 7)).astype(np.float32)
IMAGES = RNG.integers(0, 256, (60, 3, 5, 4)).astype(np.uint8)


def write_header(shape, descr="<f8", fortran_order=False):
    file = io.BytesIO()
    np.lib.format.write_array_header_1_0(file, {"descr": descr, "fortran_order": fortran_order, "shape": shape})
    return file.getvalue()


def archive(path, content, *, compression=zipfile.ZIP_DEFLATED, **stated):
    """Write an .npz file of one member; ``stated`` is what its directory says instead of the truth."""
    with zipfile.ZipFile(path, "w", compression) as file:
        file.writestr("x.npy", content)
        for name, value in stated.items():
            setattr(file.filelist[0], name, value)
    return path


@pytest.mark.parametrize("array", [TABLE, IMAGES, TABLE.astype(">f8"), TABLE[:, :1]], ids=str)
@pytest.mark.parametrize("order", ["C", "F"])
@pytest.mark.parametrize("whole", [0, 1 << 30])
def test_rows_are_read_as_numpy_reads_them(tmp_path, monkeypatch, array, order, whole):
    monkeypatch.setattr("angularpu.data.io.numpy_file._WHOLE_BYTES", whole)
    np.save(tmp_path / "x.npy", np.asarray(array, order=order))
    stored, n = StoredArray(tmp_path / "x.npy"), len(array)
    assert (stored.shape, stored.dtype, stored.ndim, len(stored)) == (array.shape, array.dtype, array.ndim, n)
    for rows in (slice(None), slice(3, 9), slice(n - 2, n + 5), slice(5, 5), slice(1, None, 3), slice(None, None, -1)):
        np.testing.assert_array_equal(stored[rows], array[rows])
    for rows in (RNG.permutation(n), RNG.integers(0, n, 30), np.array([4, 5, 6, 2]), np.empty(0, np.int64)):
        np.testing.assert_array_equal(stored[rows], array[rows])
    np.testing.assert_array_equal(np.asarray(stored), array)
    with pytest.raises(IndexError):
        stored[np.array([n])]


def test_a_file_that_is_cut_shorter_while_it_is_read_is_told(tmp_path):
    path = tmp_path / "x.npy"
    np.save(path, TABLE)
    rows = as_rows(open_arrays(path))
    chunks = rows.chunks(100)
    np.testing.assert_array_equal(next(chunks), TABLE[:100])
    os.truncate(path, 5000)
    with pytest.raises(DataError, match=r"x\.npy was cut shorter while it was read"):
        list(chunks)
    with pytest.raises(DataError, match="cut shorter"):
        rows.take(np.array([399, 0]))


@pytest.mark.parametrize("suffix", [".npy", ".npz"])
def test_a_flipped_bit_in_the_header_is_read_or_told(tmp_path, suffix):
    path, array = tmp_path / f"x{suffix}", np.arange(40.0).reshape(8, 5)
    buffer = io.BytesIO()
    np.save(buffer, array)
    content, refused = buffer.getvalue(), []
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        for place in range(128):
            for bit in (0, 1, 3, 6, 7):
                damaged = bytearray(content)
                damaged[place] ^= 1 << bit
                path.write_bytes(damaged) if suffix == ".npy" else archive(path, bytes(damaged))
                try:
                    opened = open_arrays(path)
                    found = opened[:] if isinstance(opened, StoredArray) else opened["x"]
                    assert found.nbytes <= array.nbytes
                except DataError as error:
                    refused.append(str(error))
    assert len(refused) > 100
    assert all(reason.startswith(f"{path} cannot be read as an {suffix}") for reason in refused)


@pytest.mark.parametrize(
    ("shape", "descr"),
    [
        ((2**63,), "<f8"),
        ((2**62, 2**62), "<f8"),
        ((-1, 5), "<f8"),
        ((2**62, 2), "|V0"),
        ((2**40, 2), "<U0"),
        ((10**12, 4), "<f8"),
        ((3,), "|O"),
        ((3,), [("a", "|O")]),
    ],
    ids=str,
)
@pytest.mark.parametrize("suffix", [".npy", ".npz"])
def test_impossible_shapes_and_types_are_refused(tmp_path, shape, descr, suffix):
    path, content = tmp_path / f"x{suffix}", write_header(shape, descr) + bytes(100)
    if suffix == ".npy":
        path.write_bytes(content)
    else:
        archive(path, content)
    with pytest.raises(DataError, match=rf"cannot be read as an \{suffix}"):
        open_arrays(path) if suffix == ".npy" else open_arrays(path)["x"]


def refuse_in_little_memory(path, message):
    tracemalloc.start()
    try:
        with pytest.raises(DataError, match=message):
            open_arrays(path)["x"]
        assert tracemalloc.get_traced_memory()[1] < 16 * 2**20
    finally:
        tracemalloc.stop()


def test_an_archive_that_declares_more_than_it_holds_is_refused_before_it_is_read(tmp_path):
    content = write_header((4_000_000, 1_000_000)) + bytes(1000)  # 29 TiB
    refuse_in_little_memory(archive(tmp_path / "x.npz", content), "'x' needs 32000000000128 bytes, but 1128 are there")
    stated = 128 + 8 * 4_000_000 * 1_000_000
    lying = archive(tmp_path / "y.npz", content, file_size=stated)
    refuse_in_little_memory(lying, r"'x', would unfold from [\d,]+ bytes to 29,802.3 GiB; save it uncompressed")


def test_an_archive_that_unfolds_to_far_more_than_it_stores_is_refused(tmp_path):
    rows = 2**30 // 8
    content = write_header((rows,)) + bytes(10**6)
    path = archive(tmp_path / "x.npz", content, file_size=128 + 8 * rows)
    refuse_in_little_memory(path, r"would unfold from [\d,]+ bytes to 1.0 GiB")


def test_an_archive_larger_than_the_free_memory_is_refused(tmp_path, monkeypatch):
    np.savez(tmp_path / "x.npz", x=TABLE)
    (tmp_path / "meminfo").write_text("MemTotal: 9999999 kB\nMemAvailable:   10 kB\n")
    monkeypatch.setattr(memory, "_SYSTEM", tmp_path / "meminfo")
    with pytest.raises(DataError, match=r"'x', needs 0.0 GiB of memory, but 0.0 GiB are free; save it as an .npy"):
        open_arrays(tmp_path / "x.npz")["x"]
    monkeypatch.setattr(memory, "_SYSTEM", tmp_path / "absent")
    np.testing.assert_array_equal(open_arrays(tmp_path / "x.npz")["x"], TABLE)


def test_the_limit_of_a_container_counts_as_free_memory(tmp_path, monkeypatch):
    monkeypatch.setattr(memory, "_GROUP", tmp_path)
    (tmp_path / "memory.max").write_text("5000\n")
    (tmp_path / "memory.stat").write_text("anon 2000\nfile 900000\n")
    assert memory.find_free() == 3000
    (tmp_path / "memory.max").write_text("max\n")
    assert memory.find_free() != 3000


@pytest.mark.parametrize("compression", [zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA])
def test_an_archive_that_numpy_would_not_write_is_refused(tmp_path, compression):
    buffer = io.BytesIO()
    np.save(buffer, TABLE)
    path = archive(tmp_path / "x.npz", buffer.getvalue(), compression=compression)
    with pytest.raises(DataError, match="'x' is encrypted, or compressed in another way than NumPy does"):
        open_arrays(path)["x"]
    path = archive(tmp_path / "y.npz", buffer.getvalue(), flag_bits=1)
    with pytest.raises(DataError, match="'x' is encrypted"):
        open_arrays(path)["x"]


class Trap:
    def __reduce__(self):
        return exec, ("raise SystemExit('the pickle was obeyed')",)


@pytest.mark.parametrize("suffix", [".npy", ".npz"])
def test_a_pickle_is_never_loaded(tmp_path, suffix):
    path = tmp_path / f"x{suffix}"
    path.write_bytes(pickle.dumps(Trap()))
    with pytest.raises(DataError, match=rf"cannot be read as an \{suffix}"):
        open_arrays(path)
    objects = io.BytesIO()
    np.save(objects, np.array([Trap()], object))
    if suffix == ".npy":
        path.write_bytes(objects.getvalue())
    else:
        archive(path, objects.getvalue())
    with pytest.raises(DataError, match="Python objects, which are never loaded"):
        open_arrays(path) if suffix == ".npy" else open_arrays(path)["x"]


def test_an_array_on_disk_travels_to_another_process_as_its_path(tmp_path, monkeypatch):
    np.save(tmp_path / "x.npy", TABLE)
    monkeypatch.chdir(tmp_path)
    sent = pickle.dumps(StoredArray(Path("x.npy")))
    monkeypatch.chdir("/")
    assert len(sent) < 1000
    np.testing.assert_array_equal(pickle.loads(sent)[10:20], TABLE[10:20])
