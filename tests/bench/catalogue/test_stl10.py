"""STL-10 in binary files."""

import numpy as np
import pytest

from angularpu.data.sources import as_rows
from angularpu.errors import DataError
from angularpu_bench.catalogue.datasets import load_dataset


def write(folder):
    (folder / "stl10_binary").mkdir()
    images = {}
    for part, n in (("train", 20), ("test", 10)):
        images[part] = np.random.default_rng(n).integers(0, 256, (n, 3, 96, 96)).astype(np.uint8)
        # Channel by channel, each column by column; classes from 1.
        images[part].transpose(0, 1, 3, 2).tofile(folder / "stl10_binary" / f"{part}_X.bin")
        (np.arange(n) % 10 + 1).astype(np.uint8).tofile(folder / "stl10_binary" / f"{part}_y.bin")
    return images


def test_images_are_upright_and_stay_on_disk(tmp_path):
    images = write(tmp_path)
    dataset = load_dataset("stl10", tmp_path)
    np.testing.assert_array_equal(dataset.x_train, images["train"])
    np.testing.assert_array_equal(dataset.x_test, images["test"])
    assert not as_rows(dataset.x_train).in_memory
    assert dataset.labels_train[:10].tolist() == [*range(10)]


def test_both_groupings_of_the_paper_are_there(tmp_path):
    write(tmp_path)
    four, three = (load_dataset(name, tmp_path) for name in ("stl10", "stl10-no-ship"))
    assert (four.prior, three.prior) == (0.4, 0.3)
    assert np.flatnonzero(four.y_train[:10] != three.y_train[:10]).tolist() == [8]


def test_damaged_files_are_refused(tmp_path):
    write(tmp_path)
    labels = tmp_path / "stl10_binary" / "test_y.bin"
    labels.write_bytes(bytes([1] * 9))
    with pytest.raises(DataError, match="248832 bytes expected for 9 labels, 276480 found"):
        load_dataset("stl10", tmp_path)
    labels.write_bytes(bytes(10))
    with pytest.raises(DataError, match="must hold numbers from 1 to 10"):
        load_dataset("stl10", tmp_path)
