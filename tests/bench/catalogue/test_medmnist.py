"""Any set of the MedMNIST family."""

import numpy as np
import pytest

from angularpu.errors import DataError
from angularpu_bench.catalogue.datasets import load_dataset
from angularpu_bench.catalogue.medmnist import load_medmnist

SIZES = {"train": 12, "val": 6, "test": 4}


def make(channels=(), side=28, classes=4):
    rng = np.random.default_rng(0)
    arrays = {}
    for split, n in SIZES.items():
        arrays[f"{split}_images"] = rng.integers(0, 256, (n, side, side, *channels)).astype(np.uint8)
        arrays[f"{split}_labels"] = (np.arange(n) % classes).astype(np.uint8)[:, None]
    return arrays


def test_grey_images_get_three_channels_and_validation_images_are_pooled(tmp_path):
    arrays = make()
    np.savez_compressed(tmp_path / "octmnist.npz", **arrays)
    dataset = load_dataset("octmnist", tmp_path)
    assert dataset.x_train.shape == (18, 3, 28, 28)
    for channel in range(3):
        np.testing.assert_array_equal(dataset.x_train[:12, channel], arrays["train_images"])
        np.testing.assert_array_equal(dataset.x_train[12:, channel], arrays["val_images"])
        np.testing.assert_array_equal(dataset.x_test[:, channel], arrays["test_images"])
    assert dataset.labels_test.tolist() == [0, 1, 2, 3]
    assert dataset.y_test.tolist() == [1, 1, 1, 0]
    assert dataset.warnings == ("octmnist: octmnist.npz is not the official file",)


def test_colours_come_before_rows_and_columns(tmp_path):
    arrays = make(channels=(3,), classes=9)
    np.savez(tmp_path / "pathmnist.npz", **arrays)
    dataset = load_dataset("pathmnist", tmp_path)
    assert dataset.x_train[5, 2, 3, 4] == arrays["train_images"][5, 3, 4, 2]
    assert dataset.x_train.flags.c_contiguous
    assert dataset.x_test[1, 0, 3, 4] == arrays["test_images"][1, 3, 4, 0]


def test_any_set_of_any_size_is_read_with_a_grouping_of_ones_own(tmp_path):
    np.savez(tmp_path / "bloodmnist_64.npz", **make(channels=(3,), side=64))
    dataset = load_medmnist(tmp_path / "bloodmnist_64.npz", positives=[1, 3])
    assert (dataset.name, dataset.x_test.shape, dataset.prior) == ("bloodmnist_64", (4, 3, 64, 64), 0.5)
    assert dataset.warnings == ("bloodmnist_64.npz was not compared with any checksum",)


@pytest.mark.parametrize(
    ("replaced", "message"),
    [
        ({"val_images": None}, "has no array val_images; MedMNIST's files hold train_images"),
        ({"train_labels": np.zeros((12, 14), np.uint8)}, "has 14 labels for each image"),
        ({"train_images": np.zeros((12, 28, 28, 28), np.uint8)}, r"images of shape \(12, 28, 28, 28\)"),
        ({"test_labels": np.zeros((5, 1), np.uint8)}, r"do not match labels of shape \(5, 1\)"),
        ({"val_images": np.zeros((6, 64, 64), np.uint8)}, r"training images of shape \(1, 28, 28\)"),
    ],
)
def test_other_files_are_refused(tmp_path, replaced, message):
    arrays = {name: array for name, array in {**make(), **replaced}.items() if array is not None}
    np.savez(tmp_path / "x.npz", **arrays)
    with pytest.raises(DataError, match=message):
        load_medmnist(tmp_path / "x.npz", positives=[1])
