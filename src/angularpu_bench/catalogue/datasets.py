"""The catalogue of all data sets, and how one is loaded by its name."""

import importlib
import os
from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType

from angularpu.checks import suggest
from angularpu.errors import DataError, quote
from angularpu_bench.catalogue.checksums import check_files, warn_files
from angularpu_bench.catalogue.dataset import Dataset, Parts
from angularpu_bench.catalogue.entry import Entry, find_files
from angularpu_bench.catalogue.image_entries import IMAGE_ENTRIES
from angularpu_bench.catalogue.row_entries import ROW_ENTRIES

VARIABLE = "ANGULARPU_DATA"

CATALOGUE: Mapping[str, Entry] = MappingProxyType({entry.name: entry for entry in (*IMAGE_ENTRIES, *ROW_ENTRIES)})


def find_entry(name: str) -> Entry:
    """Look a data set up by its name.

    >>> find_entry("cifar10").positive_names
    'airplane, automobile, ship, truck'
    """
    if name not in CATALOGUE:
        raise DataError(f"there is no data set {quote(name)}; {suggest(name, CATALOGUE)}")
    return CATALOGUE[name]


def find_directory(given: Path | None) -> Path:
    """Return the data directory: the given one, or the one in the environment variable ANGULARPU_DATA."""
    named = given or os.environ.get(VARIABLE)
    if not named:
        raise DataError(f"no data directory is named; pass --data DIR or set {VARIABLE}")
    directory = Path(named)
    if not directory.is_dir():
        raise DataError(f"{directory} is not a directory; pass the one that holds the data sets, or make it")
    return directory


def load_dataset(name: str, directory: Path) -> Dataset:
    """Load a data set of the catalogue from its official files.

    Parameters
    ----------
    name : str
        One of :data:`CATALOGUE`; ``angularpu data list`` prints them.
    directory : Path
        Holds the files under the names that ``angularpu data fetch`` gives them.

    Returns
    -------
    Dataset
        With a warning if a file is not the official one; such files are used nevertheless.

    Raises
    ------
    DataError
        If a file is missing or damaged, or if the data set is read from the user's own files.

    Examples
    --------
    >>> load_dataset("cifar10", Path("/nowhere"))
    Traceback (most recent call last):
    angularpu.errors.DataError: /nowhere has no ... run angularpu data fetch cifar10, ...
    """
    entry, directory = find_entry(name), Path(directory)
    find_files(entry, directory)
    module, _, function = str(entry.reader).partition(":")
    parts: Parts = getattr(importlib.import_module(module), function)(directory, entry)
    return Dataset(name, entry.kind, *parts, entry.positives, warn_files(entry, check_files(entry, directory)))
