"""A model's JSON, read and checked without its tensors and without torch."""

import hashlib
import json
from collections.abc import Collection
from pathlib import Path
from typing import Any

from angularpu import files
from angularpu.errors import ModelError

FORMAT = 1
TENSORS = "model.safetensors"
DESCRIPTION = "model.json"

Contents = dict[str, bytes]  # files of a model by name


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
    description = {**content, "format": FORMAT, "checksums": checksums}
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
        What was written.
    """
    return read_contents(directory, wanted=())[0]


def read_contents(directory: Path, *, wanted: Collection[str] | None = None) -> tuple[dict[str, Any], Contents]:
    """Read a model's JSON and its other files, all of one model even while another one replaces it.

    Parameters
    ----------
    directory : Path
        A model directory.
    wanted : collection of str, optional
        Files whose content is returned; by default all. The others are checked too.

    Returns
    -------
    description : dict
        What was written.
    contents : dict of str to bytes
        The wanted files by name.
    """

    def read(held: files.HeldDirectory) -> tuple[dict[str, Any], Contents]:
        description = _read_json(held, directory)
        contents: Contents = {}
        for name, checksum in description["checksums"].items():
            try:
                with held.open(Path(name).name) as file:
                    if wanted is None or name in wanted:
                        contents[name] = file.read()
                        found = hashlib.sha256(contents[name]).hexdigest()
                    else:
                        found = hashlib.file_digest(file, "sha256").hexdigest()
            except (FileNotFoundError, IsADirectoryError):
                found = ""
            if found != checksum:
                path = directory / Path(name).name
                raise ModelError(f"{path} is missing or is not the file that was saved; copy the model directory again")
        return description, contents

    try:
        return files.read_directory(directory, read)
    except (FileNotFoundError, NotADirectoryError):
        raise ModelError(
            f"{directory} is not a model directory: it has no {DESCRIPTION}; pass one that fit has made"
        ) from None


def _read_json(held: files.HeldDirectory, directory: Path) -> dict[str, Any]:
    path = directory / DESCRIPTION
    with held.open(DESCRIPTION) as file:
        text = file.read()
    try:
        description: dict[str, Any] = json.loads(text)
        version = int(description["format"])
        checksums = description["checksums"]
        expected, _ = checksums.pop(DESCRIPTION), checksums[TENSORS]
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise ModelError(f"{path} is damaged; copy the model directory again") from error
    if version > FORMAT:
        raise ModelError(f"{directory} has model format {version}, this version reads up to {FORMAT}; update angularpu")
    if _checksum(description) != expected:
        raise ModelError(f"{path} was changed after it was saved; copy the model directory again")
    return description


def _checksum(description: dict[str, Any]) -> str:
    return hashlib.sha256(json.dumps(description, sort_keys=True).encode()).hexdigest()
