"""A model's JSON, read and checked without its tensors and without torch."""

import errno
import hashlib
import json
from collections.abc import Callable, Collection, Mapping
from pathlib import Path
from typing import Any

from angularpu import files
from angularpu.errors import AngularPUError, ModelError
from angularpu.methods.renamed import rename_options
from angularpu.model.schema import DESCRIPTION, FORMAT, FRAME, TENSORS, check_description

Contents = dict[str, bytes]  # files of a model by name
Outlines = Mapping[str, files.Outline]
AGAIN = "copy the model directory again"


def write_description(directory: Path, content: dict[str, Any]) -> None:
    """Write a model's JSON beside its tensors, with the format's version and the checksums of both.

    Parameters
    ----------
    directory : Path
        Holds the tensors' file, and whatever else belongs to the model, already.
    content : dict
        What the JSON says about the model; one that was read before keeps to the files it names.
    """
    names = content.get("checksums") or [path.name for path in directory.iterdir()]
    checksums = {name: files.sha256(directory / name) for name in sorted(names)}
    # A version that reads format 1 alone can still read a model that needs no more.
    description = {**content, "format": FORMAT if "parts" in content else 1, "checksums": checksums}
    description["checksums"][DESCRIPTION] = _checksum(description)
    files.write_json(directory / DESCRIPTION, description)


def read_description(directory: Path) -> dict[str, Any]:
    """Read a model's JSON, refusing a directory of which a file is missing or was changed.

    Parameters
    ----------
    directory : Path
        A model directory.

    Returns
    -------
    dict
        What was written, with the method's options under the names they have now.
    """
    return read_contents(directory, wanted=())[0]


def read_contents(
    directory: Path,
    *,
    wanted: Collection[str] | None = None,
    check: Callable[[dict[str, Any], Outlines], object] | None = None,
) -> tuple[dict[str, Any], Contents]:
    """Read a model's JSON and its other files, all of one model even while another one replaces it.

    Parameters
    ----------
    directory : Path
        A model directory.
    wanted : collection of str, optional
        Files whose content is returned; by default all. The others are checked too.
    check : callable, optional
        Called with the JSON and the outlines of the tensors before anything else is read; it raises where they do not
        belong together.

    Returns
    -------
    description : dict
        What was written, every field of it checked.
    contents : dict of str to bytes
        The wanted files by name.
    """

    def read(held: files.HeldDirectory) -> tuple[dict[str, Any], Contents]:
        description = _read_json(held, directory)
        outlines = _read_outlines(held, directory)
        if check is not None:
            check(description, outlines)
        contents: Contents = {}
        for name, checksum in description["checksums"].items():
            with _open(held, directory / name) as file:
                if wanted is None or name in wanted:
                    contents[name] = file.read()
                    found = hashlib.sha256(contents[name]).hexdigest()
                else:
                    found = hashlib.file_digest(file, "sha256").hexdigest()
            if found != checksum:
                raise _refuse_other(directory / name)
        return description, contents

    try:
        return files.read_directory(directory, read)
    except (FileNotFoundError, NotADirectoryError):
        raise ModelError(
            f"{directory} is not a model directory: it has no {DESCRIPTION}; pass one that fit has made"
        ) from None


def _read_json(held: files.HeldDirectory, directory: Path) -> dict[str, Any]:
    path = directory / DESCRIPTION
    with _open(held, path) as file:
        content = file.read(files.LARGEST_JSON + 1)
    try:
        description: dict[str, Any] = files.parse_json(content)
        FRAME("", description)
        expected = description["checksums"].pop(DESCRIPTION)
        found = _checksum(description)
    except (ValueError, ModelError, RecursionError) as error:
        raise ModelError(f"{path} is damaged: {error}; {AGAIN}") from error
    version = description["format"]
    if version > FORMAT:
        raise ModelError(f"{directory} has model format {version}, this version reads up to {FORMAT}; update angularpu")
    if found != expected:
        raise ModelError(f"{path} was changed after it was saved; {AGAIN}")
    try:
        check_description(description)
        description["options"] = rename_options(description["method"], description["options"])
    except AngularPUError as error:
        raise ModelError(f"{path} cannot be used: {error}; {AGAIN}") from error
    return description


def _read_outlines(held: files.HeldDirectory, directory: Path) -> Outlines:
    path = directory / TENSORS
    with _open(held, path) as file:
        try:
            return files.read_outlines(file)
        except ModelError as error:
            raise ModelError(f"{path} is damaged: {error}; {AGAIN}") from error


def _open(held: files.HeldDirectory, path: Path) -> Any:
    """Open a file of the model, or say why it is none."""
    try:
        return held.open(path.name)
    except FileNotFoundError:
        if path.name == DESCRIPTION:
            raise
        raise _refuse_other(path) from None
    except OSError as error:
        if error.errno not in {errno.ELOOP, errno.EINVAL}:
            raise
        came = "a symbolic link" if error.errno == errno.ELOOP else "no file"
        raise ModelError(f"{path} is {came}, but a model's files stand in its directory; {AGAIN}") from None


def _refuse_other(path: Path) -> ModelError:
    return ModelError(f"{path} is missing or is not the file that was saved; {AGAIN}")


def _checksum(description: dict[str, Any]) -> str:
    return hashlib.sha256(json.dumps(description, sort_keys=True).encode()).hexdigest()
