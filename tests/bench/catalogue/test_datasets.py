"""The catalogue, and the prepared data sets against it."""

import os
import re
from pathlib import Path

import numpy as np
import pytest

from angularpu.data.sources import as_rows
from angularpu.errors import DataError
from angularpu_bench.catalogue.datasets import CATALOGUE, find_directory, find_entry, load_dataset

PREPARED = os.environ.get("ANGULARPU_DATA")
DIFFERENT = {"svhn", "stl10", "stl10-no-ship", "pathmnist"}  # copies that went through WebP
SETS = (
    "cifar10",
    "cifar10-animals",
    "fashion-mnist",
    "newsgroups20",
    "alzheimer",
    "spam",
    "letter",
    *sorted(DIFFERENT),
)


@pytest.mark.parametrize("name", CATALOGUE)
def test_every_entry_is_complete_and_in_itself_right(name):
    entry = CATALOGUE[name]
    assert entry.name == name
    assert entry.title
    assert entry.source
    assert entry.licence
    if name == "adni":
        return
    assert entry.positives < set(range(len(entry.classes)))
    assert len(set(entry.classes)) == len(entry.classes)
    assert entry.reader
    checksums = [file.checksum for file in (*entry.files, *entry.otherwise) if file.checksum]
    assert all(re.fullmatch(r"md5:[0-9a-f]{32}|sha256:[0-9a-f]{64}", checksum) for checksum in checksums)
    contents = [file.content for file in (*entry.files, *entry.otherwise) if file.content]
    assert all(re.fullmatch(r"[0-9a-f]{64}", content) for content in contents)
    assert all(file.checksum or file.content for file in (*entry.files, *entry.otherwise))
    if entry.kind == "image":
        assert entry.archive or all(file.url for file in entry.files)


def test_an_unknown_name_gets_the_nearest_one_or_all():
    with pytest.raises(DataError, match="no data set 'cifar'; did you mean 'cifar10'"):
        find_entry("cifar")
    with pytest.raises(DataError, match="known are cifar10, "):
        find_entry("zzz")


def test_the_directory_is_the_given_one_or_that_of_the_environment(tmp_path, monkeypatch):
    monkeypatch.delenv("ANGULARPU_DATA", raising=False)
    with pytest.raises(DataError, match="pass --data DIR or set ANGULARPU_DATA"):
        find_directory(None)
    monkeypatch.setenv("ANGULARPU_DATA", str(tmp_path))
    assert find_directory(None) == tmp_path
    (tmp_path / "other").mkdir()
    assert find_directory(tmp_path / "other") == tmp_path / "other"
    with pytest.raises(DataError, match="is not a directory"):
        find_directory(tmp_path / "absent")


def test_missing_files_are_named_with_the_way_to_get_them(tmp_path):
    (tmp_path / "train_32x32.mat").touch()
    with pytest.raises(DataError, match=r"has no test_32x32\.mat, which svhn needs; run angularpu data fetch svhn"):
        load_dataset("svhn", tmp_path)


@pytest.mark.prepared
@pytest.mark.skipif(PREPARED is None, reason="ANGULARPU_DATA names no directory with the prepared data sets")
@pytest.mark.parametrize("name", SETS)
def test_prepared_files_hold_what_the_catalogue_says(name):
    entry, dataset = CATALOGUE[name], load_dataset(name, Path(PREPARED))
    assert (len(dataset.labels_train), len(dataset.labels_test)) == (entry.n_train, entry.n_test)
    assert (len(as_rows(dataset.x_train)), len(as_rows(dataset.x_test))) == (entry.n_train, entry.n_test)
    assert dataset.prior == pytest.approx(entry.prior, abs=5e-4)
    assert np.unique(dataset.labels_train).tolist() == [*range(len(entry.classes))]
    assert set(dataset.labels_test) <= set(dataset.labels_train)
    assert bool(dataset.warnings) == (name in DIFFERENT)
    if entry.kind == "image":
        assert dataset.x_train.dtype == np.uint8
        assert dataset.x_train.ndim == 4
