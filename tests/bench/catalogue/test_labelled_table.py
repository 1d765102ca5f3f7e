"""Tables of the catalogue."""

import csv

import numpy as np
import pyarrow as pa
import pytest

from angularpu.errors import DataError
from angularpu_bench.catalogue.datasets import load_dataset


def write_spam(folder, n=200, column="type", last="spam"):
    rng = np.random.default_rng(0)
    with (folder / "spam.csv").open("w", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(["make", "all", column])
        for i, row in enumerate(rng.normal(size=(n, 2))):
            writer.writerow([*row, last if i == n - 1 else ("spam" if i % 5 < 2 else "nonspam")])


def test_a_table_is_split_by_class_and_loses_its_label(tmp_path):
    write_spam(tmp_path)
    dataset = load_dataset("spam", tmp_path)
    assert isinstance(dataset.x_train, pa.Table)
    assert dataset.x_train.column_names == ["make", "all"]
    assert (len(dataset.y_train), len(dataset.y_test)) == (140, 60)
    assert dataset.prior == pytest.approx(0.4, abs=0.01)
    assert dataset.warnings == ("spam: spam.csv is not the official file",)


def test_the_split_is_the_same_every_time(tmp_path):
    write_spam(tmp_path)
    first, second = (load_dataset("spam", tmp_path) for _ in range(2))
    assert first.x_test.equals(second.x_test)
    np.testing.assert_array_equal(first.labels_test, second.labels_test)


def test_an_unknown_class_is_named_with_its_row(tmp_path):
    write_spam(tmp_path, last="ham")
    with pytest.raises(DataError, match=r"row 199 \(the first is 0\): the class is 'ham'; known are nonspam, spam"):
        load_dataset("spam", tmp_path)


def test_a_missing_label_column_is_named(tmp_path):
    write_spam(tmp_path, column="kind")
    with pytest.raises(DataError, match="has no column 'type'"):
        load_dataset("spam", tmp_path)
