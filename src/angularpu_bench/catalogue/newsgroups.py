"""20 Newsgroups, sorted by date, as sparse tf-idf rows."""

import json
import tarfile
from collections.abc import Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from angularpu.data.io.reading import reading
from angularpu.errors import DataError, list_names
from angularpu_bench.catalogue.compressed import MOST_BYTES, read_gzip
from angularpu_bench.catalogue.dataset import Parts
from angularpu_bench.catalogue.entry import Entry, find_files

FEWEST_POSTS = 5  # that must contain a word
Posts = tuple[list[str], list[str]]  # the group and the text of each


def read_newsgroups(directory: Path, entry: Entry) -> Parts:
    """Read the posts and weight their words by tf-idf; vocabulary and weights come from the training posts only.

    Whole posts are used, with headers and quotations. A word counts if at least five training posts have it and it is
    not an English stop word. Counts enter as 1 + log(count), and rows have length 1.

    Returns
    -------
    x_train, labels_train, x_test, labels_test
        CSR matrices, float32, and each post's group as its position in the entry's classes.
    """
    from sklearn.feature_extraction.text import TfidfVectorizer

    (file,) = find_files(entry, directory)
    train, test = read_posts(directory / file.name)
    words = TfidfVectorizer(min_df=FEWEST_POSTS, sublinear_tf=True, stop_words="english", dtype=np.float32)
    x_train = words.fit_transform(train[1])
    return (
        x_train,
        _encode(train[0], classes=entry.classes),
        words.transform(test[1]),
        _encode(test[0], classes=entry.classes),
    )


def read_posts(path: Path) -> tuple[Posts, Posts]:
    """Read groups and texts, training posts first, from the official archive or from one JSON file.

    The archive holds a file for each post, ``20news-bydate-train/GROUP/NUMBER``; the JSON file, compressed with gzip,
    holds ``{"train": [[group, number, text], ...], "test": [...]}``.
    """
    with reading(path, "20 Newsgroups"):
        return _read_json(path) if path.name.endswith(".json.gz") else _read_archive(path)


def _read_json(path: Path) -> tuple[Posts, Posts]:
    content = json.loads(read_gzip(path))
    train, test = (_sort(content[part]) for part in ("train", "test"))
    return train, test


def _read_archive(path: Path) -> tuple[Posts, Posts]:
    found: dict[str, list[tuple[str, int, str]]] = {"train": [], "test": []}
    with tarfile.open(path) as archive:
        for member in archive:
            steps = member.name.removeprefix("./").split("/")
            part = steps[0].removeprefix("20news-bydate-")
            if member.size > MOST_BYTES:
                raise ValueError(f"a file in it has more than {MOST_BYTES:,} bytes")
            content = archive.extractfile(member) if len(steps) == 3 and part in found else None
            if content is not None:
                found[part].append((steps[1], int(steps[2]), content.read().decode("latin-1")))
    train, test = (_sort(found[part]) for part in ("train", "test"))
    return train, test


def _sort(posts: Sequence[tuple[str, int, str]]) -> Posts:
    for post in posts:
        match post:
            case [str(), int(), str()]:
                continue
        raise ValueError("a post in it is not [group, number, text]")
    # The order in an archive is arbitrary; sorted, both forms give the same rows.
    ordered = sorted(posts, key=lambda post: (post[0], post[1]))
    if not ordered:
        raise ValueError("it holds no posts")
    groups, _, texts = zip(*ordered, strict=True)
    return list(groups), list(texts)


def _encode(groups: list[str], *, classes: tuple[str, ...]) -> NDArray[np.int64]:
    found, code = np.unique(np.array(groups), return_inverse=True)
    unknown = sorted(set(found.tolist()).difference(classes))
    if unknown:
        raise DataError(f"there is no newsgroup {list_names(unknown)} among {', '.join(classes)}")
    return np.array([classes.index(group) for group in found.tolist()], np.int64)[code]
