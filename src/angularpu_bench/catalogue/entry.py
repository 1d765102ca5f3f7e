"""What the catalogue says of a data set: where it comes from, its files, and which classes count as positive."""

from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from angularpu.errors import DataError

DatasetKind = Literal["image", "table", "text"]
Packing = Literal["plain", "gzip", "pickle"]


@dataclass(frozen=True)
class File:
    """A file of a data set, and how to tell whether it is the right one.

    Attributes
    ----------
    name : str
        Its path within the data directory.
    checksum : str or None
        Of the file its authors publish, as ``"md5:..."`` or ``"sha256:..."``; None when none is published.
    url : str or None
        Where it is downloaded from by itself.
    content : str or None
        SHA-256 of what the file holds once it is unpacked: archives and pickles can be written anew without change.
    packing : {"plain", "gzip", "pickle"}
        What lies around the content. A CIFAR pickle's content is the same batch in the binary version.
    """

    name: str
    checksum: str | None = None
    url: str | None = None
    content: str | None = None
    packing: Packing = "plain"


@dataclass(frozen=True)
class Entry:
    """A data set with one grouping of its classes into positives and the rest.

    Attributes
    ----------
    name, title : str
        The id in commands and files, and the name in tables.
    kind : {"image", "table", "text"}
        What its rows are.
    source, licence : str
        Where it comes from, and what its authors allow.
    files : tuple of File
        What its reader reads, in the reader's order; empty when the user's own files are read.
    n_train, n_test : int or None
        Rows of each part.
    classes : tuple of str
        Names of the labels 0, 1, ...
    positives : frozenset of int
        The labels that count as positive.
    prior : float or None
        Share of positives in the training part; None when it is only known from the file.
    reader : str or None
        "module:function" that makes the four arrays of the directory and this entry.
    notes : str
        What else one should know: how the files are had, how the rows were made.
    label : str or None
        The column of a table that holds the class.
    otherwise : tuple of File
        Another official layout, read when ``files`` are not there.
    archive : File or None
        What is downloaded when the files come packed together.
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
    """Return the layout of an entry's files that lies in a directory, or say which are missing and how to get them."""
    layout = choose_layout(entry, directory)
    absent = [file.name for file in layout if not (directory / file.name).is_file()]
    if absent:
        raise DataError(
            f"{directory} has no {', '.join(absent)}, which {entry.name} needs; "
            f"run angularpu data fetch {entry.name}, or see docs/datasets.md"
        )
    return layout


def choose_layout(entry: Entry, directory: Path) -> tuple[File, ...]:
    """Return the layout that lies in a directory whole, the first one when none does."""
    if not entry.files:
        raise DataError(f"{entry.name} is read from your own files: {entry.notes}")
    whole = [
        layout
        for layout in (entry.files, entry.otherwise)
        if layout and all((directory / file.name).is_file() for file in layout)
    ]
    return whole[0] if whole else entry.files
