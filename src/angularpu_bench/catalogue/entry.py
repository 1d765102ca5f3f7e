"""An entry of the catalogue: where a data set comes from, its files, and which classes count as positive."""

from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from angularpu.errors import DataError

DatasetKind = Literal["image", "table", "text"]
Packing = Literal["plain", "gzip", "pickle"]


@dataclass(frozen=True)
class File:
    """A file of a data set, and how to check that it is the right one.

    Attributes
    ----------
    name : str
        Its path within the data directory.
    checksum : str or None
        Of the published file, as ``"md5:..."`` or ``"sha256:..."``; None if its authors publish none.
    url : str or None
        Where it is downloaded from; None if it cannot be downloaded alone.
    content : str or None
        SHA-256 of what the file holds once it is unpacked; archives and pickles with the same content can differ.
    packing : {"plain", "gzip", "pickle"}
        How the content is packed. The content of a CIFAR pickle is the same batch in the binary version.
    most : int or None
        How many bytes it has at most, so that no server and no archive can fill the disk: the published size, or a
        little more than its content has.
    """

    name: str
    checksum: str | None = None
    url: str | None = None
    content: str | None = None
    packing: Packing = "plain"
    most: int | None = None


@dataclass(frozen=True)
class Entry:
    """A data set with one grouping of its classes into positives and the rest.

    Attributes
    ----------
    name, title : str
        Its name in commands and files, and its title in tables.
    kind : {"image", "table", "text"}
        What its rows are.
    source, licence : str
        Where it comes from, and what its authors allow.
    files : tuple of File
        What its reader reads, in the reader's order; empty if the user's own files are read.
    n_train, n_test : int or None
        Rows of each part.
    classes : tuple of str
        Names of the labels 0, 1, ...
    positives : frozenset of int
        The labels that count as positive.
    prior : float or None
        Share of positives in the training part; None if it must be counted in the file.
    reader : str or None
        "module:function"; the function takes the directory and this entry, and returns rows and classes of both parts.
    notes : str
        What else a user should know: how to get the files, how the rows were made.
    label : str or None
        The column of a table that holds the class.
    otherwise : tuple of File
        Another official layout, read if ``files`` are missing.
    archive : File or None
        What is downloaded if the files are published in one archive.
    """

    name: str
    title: str
    kind: DatasetKind
    source: str
    licence: str
    files: tuple[File, ...]
    n_train: int | None
    n_test: int | None
    classes: tuple[str, ...]
    positives: frozenset[int]
    prior: float | None
    reader: str | None = None
    notes: str = ""
    label: str | None = None
    otherwise: tuple[File, ...] = ()
    archive: File | None = None

    @property
    def positive_names(self) -> str:
        """The names of the positive classes, in one line."""
        return ", ".join(self.classes[label] for label in sorted(self.positives))


def find_files(entry: Entry, directory: Path) -> tuple[File, ...]:
    """Return the layout of an entry's files in a directory, or say which files are missing and how to get them."""
    layout = choose_layout(entry, directory)
    absent = [file.name for file in layout if not (directory / file.name).is_file()]
    if absent:
        raise DataError(
            f"{directory} has no {', '.join(absent)}, which {entry.name} needs; "
            f"run angularpu data fetch {entry.name}, or see docs/datasets.md"
        )
    return layout


def choose_layout(entry: Entry, directory: Path) -> tuple[File, ...]:
    """Return the layout that is complete in a directory, or the first one if none is."""
    if not entry.files:
        raise DataError(f"{entry.name} is read from your own files: {entry.notes}")
    complete = [
        layout
        for layout in (entry.files, entry.otherwise)
        if layout and all((directory / file.name).is_file() for file in layout)
    ]
    return complete[0] if complete else entry.files
