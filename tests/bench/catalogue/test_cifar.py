"""CIFAR-10 in both official versions."""

import contextlib
import pickle
import struct
import tracemalloc

import numpy as np
import pytest

from angularpu.errors import DataError
from angularpu_bench.catalogue.cifar import read_batch, read_cifar10
from angularpu_bench.catalogue.datasets import CATALOGUE, load_dataset

NAMES = [*(f"data_batch_{k}" for k in range(1, 6)), "test_batch"]


def make_batch(n, seed):
    rng = np.random.default_rng(seed)
    return np.arange(n) % 10, rng.integers(0, 256, (n, 3072)).astype(np.uint8)


def pickle_as_python_2(labels, pixels):
    """The very opcodes of the official files, which Python 2 wrote: byte strings and numpy.core."""
    ends = b"J\xff\xff\xff\xff"
    dtype = b"cnumpy\ndtype\n(U\x02u1K\x00K\x01tR(K\x03U\x01|NNN" + ends + ends + b"K\x00tb"
    shape = b"J" + struct.pack("<i", len(pixels)) + b"J" + struct.pack("<i", 3072) + b"\x86"
    state = b"(K\x01" + shape + dtype + b"\x89T" + struct.pack("<i", pixels.size) + pixels.tobytes() + b"tb"
    array = b"cnumpy.core.multiarray\n_reconstruct\n(cnumpy\nndarray\nK\x00\x85U\x01btR" + state
    numbers = b"](" + b"".join(b"K" + bytes([label]) for label in labels) + b"e"
    return b"\x80\x02}(U\x04data" + array + b"U\x06labels" + numbers + b"u."


def pickle_again(labels, pixels, protocol=4, text=False):
    keys = ("data", "labels") if text else (b"data", b"labels")
    return pickle.dumps({keys[0]: pixels, keys[1]: labels.tolist()}, protocol=protocol)


def write_python(folder, dump=pickle_again):
    (folder / "cifar-10-batches-py").mkdir()
    for seed, name in enumerate(NAMES):
        (folder / "cifar-10-batches-py" / name).write_bytes(dump(*make_batch(20, seed)))


def write_binary(folder):
    (folder / "cifar-10-batches-bin").mkdir()
    for seed, name in enumerate(NAMES):
        labels, pixels = make_batch(20, seed)
        content = np.column_stack([labels.astype(np.uint8), pixels]).tobytes()
        (folder / "cifar-10-batches-bin" / f"{name}.bin").write_bytes(content)


@pytest.mark.parametrize(
    "dump",
    [
        pickle_as_python_2,
        pickle_again,
        lambda labels, pixels: pickle_again(labels, pixels, protocol=5),
        lambda labels, pixels: pickle_again(labels, pixels, text=True),
    ],
    ids=["python 2", "python 3", "protocol 5", "text keys"],
)
def test_pixels_and_labels_stand_where_the_authors_put_them(tmp_path, dump):
    write_python(tmp_path, dump)
    x_train, labels_train, x_test, labels_test = read_cifar10(tmp_path, CATALOGUE["cifar10"])
    assert x_train.shape == (100, 3, 32, 32)
    assert x_train.dtype == np.uint8
    third, pixels = make_batch(20, 2)
    np.testing.assert_array_equal(labels_train[40:60], third)
    # A record is 1024 red values, row by row, then green, then blue.
    assert x_train[43, 1, 2, 5] == pixels[3, 1024 + 2 * 32 + 5]
    np.testing.assert_array_equal(x_test.reshape(20, -1), make_batch(20, 5)[1])
    assert labels_test.tolist() == [*range(10)] * 2


def test_both_versions_give_the_same_rows(tmp_path):
    for version, write in (("py", write_python), ("bin", write_binary)):
        (tmp_path / version).mkdir()
        write(tmp_path / version)
    for a, b in zip(
        *(read_cifar10(tmp_path / version, CATALOGUE["cifar10"]) for version in ("py", "bin")), strict=True
    ):
        np.testing.assert_array_equal(a, b)


def test_swapped_groupings_share_their_rows_and_split_the_classes(tmp_path):
    write_python(tmp_path)
    vehicles, animals = (load_dataset(name, tmp_path) for name in ("cifar10", "cifar10-animals"))
    np.testing.assert_array_equal(vehicles.y_train, 1 - animals.y_train)
    assert (vehicles.prior, animals.prior) == (0.4, 0.6)
    assert vehicles.warnings[0].startswith("cifar10: cifar-10-batches-py/data_batch_1, ")
    assert vehicles.warnings[0].endswith("are not the official files")


class Trap:
    def __reduce__(self):
        return exec, ("raise SystemExit('the pickle was obeyed')",)


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (pickle.dumps({"data": Trap()}), r"it asks for builtins\.exec, which is not an array"),
        (b"cos\nsystem\n(S'true'\ntR.", r"it asks for os\.system, which is not an array"),
        (b"cnumpy\nload\n(S'x'\ntR.", r"it asks for numpy\.load"),
        (pickle.dumps([1, 2]), "cannot be read as a CIFAR-10 batch: it holds no data, or no labels"),
        (pickle.dumps({"data": np.zeros((2, 3072), np.uint8)}), "it holds no data, or no labels"),
        (pickle_again(*make_batch(3, 0))[:200], "cannot be read as a CIFAR-10 batch"),
        (b"", "cannot be read as a CIFAR-10 batch"),
        (
            pickle_again(np.arange(2), np.zeros((2, 3071), np.uint8)),
            r"not a CIFAR-10 batch: pixels of shape \(2, 3071\)",
        ),
        (pickle_again(np.arange(3), np.zeros((2, 3072), np.uint8)), r"pixels of shape \(2, 3072\) for 3 labels"),
        (pickle_again(np.arange(2), np.zeros((2, 3072))), "its data are not of type uint8"),
        (pickle_again(np.arange(2), np.asfortranarray(np.zeros((2, 3072), np.uint8))), "its data are no array"),
        (pickle_again(np.arange(2), np.array([[{}], [1]], object)), "its data are not of type uint8"),
        (pickle_again(np.array([0, 10]), np.zeros((2, 3072), np.uint8)), "not numbers from 0 to 9"),
        (pickle.dumps({"data": b"", "labels": []}), "its data are no array"),
        (pickle.dumps({"data": np.zeros((1, 3072), np.uint8), "labels": [[0]]}), "no list of whole numbers"),
        (pickle.dumps({1: 2}), "a name in it is no text"),
    ],
)
def test_pickles_that_are_no_batches_are_refused_and_never_obeyed(tmp_path, content, message):
    (tmp_path / "data_batch_1").write_bytes(content)
    with pytest.raises(DataError, match=message):
        read_batch(tmp_path / "data_batch_1")


def forge(shape, dtype=b"u1", state=b"K\x03U\x01|NNNJ\xff\xff\xff\xffJ\xff\xff\xff\xffK\x00", content=bytes(3072)):
    """A pickle as Python 2 wrote it, with whatever shape, type and state."""
    made = b"cnumpy\ndtype\n(U" + bytes([len(dtype)]) + dtype + b"K\x00K\x01tR(" + state + b"tb"
    lengths = b"(" + b"".join(b"J" + struct.pack("<i", length) for length in shape) + b"t"
    stored = b"\x89T" + struct.pack("<i", len(content)) + content
    array = b"cnumpy.core.multiarray\n_reconstruct\n(cnumpy\nndarray\nK\x00\x85U\x01btR(K\x01" + lengths + made + stored
    return b"\x80\x02}(U\x04data" + array + b"tbU\x06labels](K\x07eu."


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (forge((2**31 - 1, 2**31 - 1)), "not as many as their shape says"),
        (forge((-1, -3072)), "not as many as their shape says"),
        (forge((1, 1, 3072)), "not as many as their shape says"),
        (forge((1, 3072), dtype=b"O8"), "its data are not of type uint8"),
        (forge((1, 3072), dtype=b"S" + b"9" * 9), "its data are not of type uint8"),
        (forge((1, 3072), state=b"K\x03U\x01|NNNJ\xff\xff\xff\x7fJ\xff\xff\xff\x7fK\x3f"), "not of type uint8"),
        (forge((1, 3072), state=b"K\x04U\x01|(K\x01(K\x02ttNNJ\x01\x00\x00\x00K\x01K\x00N"), "not of type uint8"),
        (b"\x80\x04\x8e" + b"\xff" * 7 + b"\x7f.", "cannot be read as a CIFAR-10 batch"),
        (b"\x80\x02]r\xff\xff\xff\xff.", "it holds no data"),
        (b"\x80\x02" + b"]" * 2_000_000 + b".", "more than 1,000,000 instructions"),
        (b"\x80\x02N2.", "it has an instruction DUP, which no batch has"),
        (b"\x80\x02]K\x01b.", "gives a state to what has none"),
        (b"\x80\x02]K\x01R.", "calls what is no function"),
        (b"\x80\x02e.", "it takes more values than it has"),
        (b"\x80\x02h\x05.", "cannot be read as a CIFAR-10 batch"),
        (b"\x80\x02cnumpy\ndtype\n)R}b.", "it holds no data"),
        (b"\x80\x02c__builtin__\neval\n(U\x011tR.", r"it asks for __builtin__\.eval, which is not an array"),
        (b"\x80\x02X\x01\x00\x00\x00\x1bX\x01\x00\x00\x00\x1b\x93.", r"it asks for \\x1b\.\\x1b"),
    ],
    ids=range(18),
)
def test_forged_pickles_are_refused_in_little_memory(tmp_path, content, message):
    (tmp_path / "data_batch_1").write_bytes(content)
    tracemalloc.start()
    try:
        with pytest.raises(DataError, match=message):
            read_batch(tmp_path / "data_batch_1")
        assert tracemalloc.get_traced_memory()[1] < 2**28
    finally:
        tracemalloc.stop()


def test_the_forger_makes_batches_that_are_read(tmp_path):
    (tmp_path / "data_batch_1").write_bytes(forge((1, 3072), content=bytes(range(256)) * 12))
    assert read_batch(tmp_path / "data_batch_1").tolist() == [[7, *(list(range(256)) * 12)]]


def test_mutated_batches_are_read_or_refused(tmp_path):
    rng, path = np.random.default_rng(0), tmp_path / "data_batch_1"
    whole = [pickle_as_python_2(*make_batch(1, 0)), *(pickle_again(*make_batch(1, 0), protocol=p) for p in (4, 5))]
    for number in range(600):
        content = bytearray(whole[number % 3])
        pixels = slice(150, len(content) - 60)
        places = [place for place in range(len(content)) if not pixels.start <= place < pixels.stop]
        for place in rng.choice(places, rng.integers(1, 4)):
            content[place] = rng.integers(0, 256)
        path.write_bytes(content)
        with contextlib.suppress(DataError):
            assert read_batch(path).shape[1] == 3073


def test_a_file_far_larger_than_a_batch_is_not_read(tmp_path):
    with (tmp_path / "data_batch_1").open("wb") as file:
        file.truncate(1 << 40)
    with pytest.raises(DataError, match="more than 67,108,864 bytes"):
        read_batch(tmp_path / "data_batch_1")


@pytest.mark.parametrize("length", [0, 3072, 3074])
def test_a_binary_batch_of_broken_length_is_refused(tmp_path, length):
    (tmp_path / "test_batch.bin").write_bytes(bytes(length))
    with pytest.raises(DataError, match=f"{length} bytes are not a multiple of 3073"):
        read_batch(tmp_path / "test_batch.bin")
