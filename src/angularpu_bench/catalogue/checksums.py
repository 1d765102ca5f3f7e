"""Whether the files of a data set are the official ones."""

import functools
import gzip
import hashlib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from angularpu.data.io.reading import reading
from angularpu.errors import DataError
from angularpu_bench.catalogue.cifar import read_batch
from angularpu_bench.catalogue.entry import Entry, File, Packing, choose_layout

Status = Literal["official", "content", "recorded", "different", "unknown", "missing"]

STATUS_MEANING: dict[Status, str] = {
    "official": "the official file",
    "content": "written again, with the official content",
    "recorded": "the copy the catalogue knows; its authors publish no checksum",
    "different": "not the official file",
    "unknown": "no checksum is known, so it cannot be checked",
    "missing": "not there",
}
_BLOCK = 1 << 20


@dataclass(frozen=True)
class FileCheck:
    """A file of a data set and what its checksum says."""

    file: File
    status: Status


def check_files(entry: Entry, directory: Path) -> tuple[FileCheck, ...]:
    """Compare the files of a data set with the catalogue's checksums; missing files are listed too."""
    return tuple(FileCheck(file, check_file(file, directory)) for file in choose_layout(entry, directory))


def check_file(file: File, directory: Path) -> Status:
    """Compare one file with its official checksum and, if that differs, its content with the official content."""
    path = directory / file.name
    if not path.is_file():
        return "missing"
    if file.checksum is not None and _digest_file(path, file.checksum.partition(":")[0]) == file.checksum:
        return "official"
    if file.content is None:
        return "unknown" if file.checksum is None else "different"
    try:
        same = _digest_content(path, file.packing) == f"sha256:{file.content}"
    except DataError:
        same = False  # a file that cannot be unpacked is not the official one; its reader says what is wrong
    if not same:
        return "different"
    return "recorded" if file.checksum is None else "content"


def warn_files(entry: Entry, checks: Iterable[FileCheck]) -> tuple[str, ...]:
    """Say in a sentence which files of a data set may not be the official ones; empty if all are official.

    >>> entry = Entry("toy", "Toy", "table", "", "", (), 1, 1, ("a", "b"), frozenset({1}), 0.5)
    >>> warn_files(entry, [FileCheck(File("x.csv"), "different"), FileCheck(File("y.csv"), "official")])
    ('toy: x.csv is not the official file',)
    """
    checks = tuple(checks)
    different = [check.file.name for check in checks if check.status == "different"]
    unknown = [check.file.name for check in checks if check.status == "unknown"]
    said = []
    if different:
        ending = "is not the official file" if len(different) == 1 else "are not the official files"
        said.append(f"{entry.name}: {', '.join(different)} {ending}")
    if unknown:
        said.append(f"{entry.name}: no checksum is known for {', '.join(unknown)}")
    return tuple(said)


def digest(blocks: Iterator[bytes], function: str) -> str:
    """Return the checksum of bytes that come in blocks, after the name of the hash function.

    >>> digest(iter([b"a", b"bc"]), "md5")
    'md5:900150983cd24fb0d6963f7d28e17f72'
    """
    state = hashlib.new(function, usedforsecurity=False)
    for block in blocks:
        state.update(block)
    return f"{function}:{state.hexdigest()}"


def _digest_file(path: Path, function: str) -> str:
    stat = path.stat()
    return _remember_file(path, function, stat.st_size, stat.st_mtime_ns)


def _digest_content(path: Path, packing: Packing) -> str:
    stat = path.stat()
    return _remember_content(path, packing, stat.st_size, stat.st_mtime_ns)


# Remembered, because several groupings share one file, and an experiment loads a data set for many cells.
@functools.lru_cache
def _remember_file(path: Path, function: str, size: int, time: int) -> str:
    return digest(_read_blocks(path), function)


@functools.lru_cache
def _remember_content(path: Path, packing: Packing, size: int, time: int) -> str:
    with reading(path, packing):
        return digest(_read_content(path, packing), "sha256")


def _read_blocks(path: Path) -> Iterator[bytes]:
    with path.open("rb") as file:
        while block := file.read(_BLOCK):
            yield block


def _read_content(path: Path, packing: Packing) -> Iterator[bytes]:
    if packing == "plain":
        yield from _read_blocks(path)
    elif packing == "gzip":
        with gzip.open(path) as file:
            while block := file.read(_BLOCK):
                yield block
    else:
        yield read_batch(path).tobytes()
