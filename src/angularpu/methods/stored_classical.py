"""The classifiers of a model directory: what its JSON asks for, and the scorer that they make."""

from collections.abc import Mapping
from typing import Any

from numpy.typing import NDArray

from angularpu.classical.storage.parts import load_parts, outline_parts, reads_sparse
from angularpu.classical.storage.skops_archive import load_archive
from angularpu.errors import ModelError
from angularpu.files import Outline
from angularpu.methods.classical import ClassicalScorer
from angularpu.methods.table import find_method


def outline_classical(description: Mapping[str, Any], *, columns: int) -> dict[str, Outline]:
    """Return the arrays that a model's JSON asks for, without making any.

    Parameters
    ----------
    description : mapping
        A model's JSON.
    columns : int
        How many columns a prepared row has.
    """
    structure = description.get("parts", {})
    if description["preparation"].get("as_matrix", False) and not reads_sparse(structure):
        raise ModelError("preparation.as_matrix must be false for a classifier that cannot read sparse rows")
    return outline_parts(structure, columns=columns)


def restore_classical(
    description: Mapping[str, Any], arrays: Mapping[str, NDArray[Any]], *, columns: int, archive: bytes | None
) -> ClassicalScorer:
    """Make a scorer of what a model directory holds.

    Parameters
    ----------
    description : mapping
        A model's JSON.
    arrays : mapping of str to array
        What was learnt.
    columns : int
        How many columns a prepared row has.
    archive : bytes or None
        What was learnt, by an earlier version; it is trusted.
    """
    if archive is None:
        parts = load_parts(description.get("parts", {}), arrays, columns=columns)
    else:
        parts = load_archive(archive)
    card = find_method(description["method"])
    known = {"alpha": description.get("alpha")} if "prior" in card.traits else {}
    options = {**description["options"], **known}
    return ClassicalScorer(card.load().from_parts(parts, description.get("numbers", {}), **options))
