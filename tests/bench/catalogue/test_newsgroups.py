"""20 Newsgroups, from the archive and from JSON."""

import gzip
import io
import json
import tarfile

import numpy as np
import pytest

from angularpu.errors import DataError
from angularpu_bench.catalogue.datasets import load_dataset
from angularpu_bench.catalogue.newsgroups import read_posts

GROUPS = ("rec.autos", "sci.space")


def make_posts():
    words = {"rec.autos": "engine wheel caf\xe9", "sci.space": "orbit moon rocket"}
    return {
        part: [[group, 10 + i, f"Subject: {words[group]} {i % 3}\n\nthe and"] for group in GROUPS for i in range(n)]
        for part, n in (("train", 8), ("test", 3))
    }


def write_json(path, posts):
    path.write_bytes(gzip.compress(json.dumps(posts).encode()))


def write_archive(path, posts, prefix=""):
    with tarfile.open(path, "w:gz") as archive:
        for part, rows in posts.items():
            folder = tarfile.TarInfo(f"{prefix}20news-bydate-{part}/rec.autos")
            folder.type = tarfile.DIRTYPE
            archive.addfile(folder)
            for group, number, text in reversed(rows):
                content = text.encode("latin-1")
                member = tarfile.TarInfo(f"{prefix}20news-bydate-{part}/{group}/{number}")
                member.size = len(content)
                archive.addfile(member, io.BytesIO(content))


@pytest.mark.parametrize("prefix", ["", "./"])
def test_archive_and_json_give_the_same_posts_in_the_same_order(tmp_path, prefix):
    posts = make_posts()
    write_json(tmp_path / "a.json.gz", posts)
    write_archive(tmp_path / "a.tar.gz", posts, prefix)
    train, test = read_posts(tmp_path / "a.tar.gz")
    assert (train, test) == read_posts(tmp_path / "a.json.gz")
    assert train[0] == ["rec.autos"] * 8 + ["sci.space"] * 8
    assert len(test[1]) == 6
    assert "caf\xe9" in train[1][0]


def test_rows_are_tf_idf_of_words_that_five_training_posts_have(tmp_path):
    posts = make_posts()
    posts["test"][0][2] = "engine unheard-of words"
    write_json(tmp_path / "newsgroups20_bydate.json.gz", posts)
    dataset = load_dataset("newsgroups20", tmp_path)
    # subject and three words of each group: "the" and "and" are stop words, the numbers too short or too rare.
    assert dataset.x_train.shape == (16, 7)
    assert dataset.x_train.format == "csr"
    assert dataset.x_train.dtype == np.float32
    np.testing.assert_allclose(np.sqrt(dataset.x_train.multiply(dataset.x_train).sum(axis=1)), 1, rtol=1e-6)
    assert dataset.x_test[0].nnz == 1
    assert dataset.labels_test.tolist() == [7, 7, 7, 14, 14, 14]
    assert dataset.y_test.tolist() == [1, 1, 1, 0, 0, 0]


def test_the_official_archive_is_preferred(tmp_path):
    posts = make_posts()
    write_json(tmp_path / "newsgroups20_bydate.json.gz", posts)
    posts["test"] = posts["test"][:4]
    write_archive(tmp_path / "20news-bydate.tar.gz", posts)
    dataset = load_dataset("newsgroups20", tmp_path)
    assert len(dataset.labels_test) == 4
    assert dataset.warnings == ("newsgroups20: 20news-bydate.tar.gz is not the official file",)


def test_unknown_groups_are_named(tmp_path):
    posts = make_posts()
    posts["test"][0][0] = "rec.boats"
    write_json(tmp_path / "newsgroups20_bydate.json.gz", posts)
    with pytest.raises(DataError, match=r"no newsgroup 'rec\.boats'"):
        load_dataset("newsgroups20", tmp_path)


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("a.json.gz", b"no gzip"),
        ("a.json.gz", gzip.compress(b"{", mtime=0)),
        ("a.json.gz", gzip.compress(b'{"train": []}', mtime=0)),
        ("a.json.gz", gzip.compress(b"{}" * 1000, mtime=0)[:-9]),
        ("a.tar.gz", b"no archive"),
        ("a.json.gz", gzip.compress(b"[" * 200_000, mtime=0)),
        ("a.json.gz", gzip.compress(b'{"train":' * 200_000, mtime=0)),
        ("a.json.gz", gzip.compress(b'{"train": [["a", 1e999, "b"]], "test": [["a", 1, "b"]]}', mtime=0)),
        ("a.json.gz", gzip.compress(b'{"train": [["a", 1, 7]], "test": [["a", 1, "b"]]}', mtime=0)),
        ("a.json.gz", gzip.compress(b'{"train": 3, "test": 4}', mtime=0)),
        ("a.json.gz", gzip.compress(b"[]", mtime=0)),
    ],
    ids=[
        *("not gzip", "not JSON", "one part", "truncated", "not tar", "deep lists", "deep names"),
        *("an infinite number", "a post that is no text", "no posts", "no names"),
    ],
)
def test_damaged_files_are_refused(tmp_path, name, content):
    (tmp_path / name).write_bytes(content)
    with pytest.raises(DataError, match="cannot be read as 20 Newsgroups"):
        read_posts(tmp_path / name)


def test_a_file_that_unfolds_beyond_all_bounds_is_refused(tmp_path, monkeypatch):
    monkeypatch.setattr("angularpu_bench.catalogue.compressed.MOST_BYTES", 1 << 20)
    (tmp_path / "a.json.gz").write_bytes(gzip.compress(bytes(1 << 21)))
    with pytest.raises(DataError, match="it unfolds to more than 1,048,576 bytes"):
        read_posts(tmp_path / "a.json.gz")
