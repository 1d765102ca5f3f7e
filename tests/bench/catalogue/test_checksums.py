"""Official files, copies and others told apart."""

import gzip
import hashlib
import os
import pickle

import numpy as np
import pytest

from angularpu_bench.catalogue.checksums import FileCheck, check_file, check_files, warn_files
from angularpu_bench.catalogue.entry import Entry, File

CONTENT = b"one,two\n1,2\n"
MD5 = f"md5:{hashlib.md5(CONTENT).hexdigest()}"
SHA = hashlib.sha256(CONTENT).hexdigest()
OTHER = "0" * 64


@pytest.mark.parametrize(
    ("file", "status"),
    [
        (File("a.csv", MD5), "official"),
        (File("a.csv", f"sha256:{SHA}"), "official"),
        (File("a.csv", MD5, content=OTHER), "official"),
        (File("a.csv", f"md5:{OTHER[:32]}"), "different"),
        (File("a.csv", f"md5:{OTHER[:32]}", content=SHA), "content"),
        (File("a.csv", f"md5:{OTHER[:32]}", content=OTHER), "different"),
        (File("a.csv", content=SHA), "recorded"),
        (File("a.csv", content=OTHER), "different"),
        (File("a.csv"), "unknown"),
        (File("b.csv", MD5), "missing"),
    ],
)
def test_a_file_is_official_a_copy_or_something_else(tmp_path, file, status):
    (tmp_path / "a.csv").write_bytes(CONTENT)
    assert check_file(file, tmp_path) == status


def test_a_file_compressed_again_has_the_official_content(tmp_path):
    (tmp_path / "a.gz").write_bytes(gzip.compress(CONTENT, 1))
    assert check_file(File("a.gz", MD5, content=SHA, packing="gzip"), tmp_path) == "content"


def test_a_pickle_written_again_has_the_content_of_the_binary_batch(tmp_path):
    pixels = np.random.default_rng(0).integers(0, 256, (5, 3072)).astype(np.uint8)
    labels = np.arange(5, dtype=np.uint8)
    (tmp_path / "batch").write_bytes(pickle.dumps({b"data": pixels, b"labels": labels.tolist()}))
    content = hashlib.sha256(np.column_stack([labels, pixels]).tobytes()).hexdigest()
    assert check_file(File("batch", MD5, content=content, packing="pickle"), tmp_path) == "content"


@pytest.mark.parametrize("packing", ["gzip", "pickle"])
def test_a_file_that_cannot_be_unpacked_is_not_the_official_one(tmp_path, packing):
    (tmp_path / "a").write_bytes(b"no archive")
    assert check_file(File("a", MD5, content=SHA, packing=packing), tmp_path) == "different"


def test_a_file_that_changes_is_read_again(tmp_path):
    path = tmp_path / "a.csv"
    path.write_bytes(CONTENT)
    assert check_file(File("a.csv", MD5), tmp_path) == "official"
    path.write_bytes(CONTENT[::-1])
    os.utime(path, ns=(1, 1))
    assert check_file(File("a.csv", MD5), tmp_path) == "different"


def make_entry(files, otherwise=()):
    return Entry("toy", "Toy", "table", "", "", files, 1, 1, ("a", "b"), frozenset({1}), 0.5, otherwise=otherwise)


def test_the_layout_that_is_there_whole_is_checked(tmp_path):
    entry = make_entry((File("a.csv", MD5), File("b.csv", MD5)), otherwise=(File("c.csv", MD5),))
    assert [check.status for check in check_files(entry, tmp_path)] == ["missing", "missing"]
    (tmp_path / "c.csv").write_bytes(CONTENT)
    assert [check.file.name for check in check_files(entry, tmp_path)] == ["c.csv"]
    (tmp_path / "a.csv").write_bytes(CONTENT)
    assert [check.file.name for check in check_files(entry, tmp_path)] == ["c.csv"]
    (tmp_path / "b.csv").write_bytes(b"")
    assert [check.status for check in check_files(entry, tmp_path)] == ["official", "different"]


def test_only_files_that_cannot_be_trusted_are_warned_of():
    statuses = ("official", "content", "recorded", "different", "different", "unknown")
    checks = [FileCheck(File(f"{i}.csv"), status) for i, status in enumerate(statuses)]
    entry = make_entry(())
    assert warn_files(entry, checks[:3]) == ()
    assert warn_files(entry, checks) == (
        "toy: 3.csv, 4.csv are not the official files",
        "toy: no checksum is known for 5.csv",
    )
