"""What a model directory has learnt: checked against its JSON, then made into the scorer it was.

Three shapes, each made of those before it: one model; the mean of the models of all folds; an ensemble of such means.
"""

import math
from collections.abc import Mapping
from typing import Any

from numpy.typing import NDArray
from torch import nn

from angularpu.errors import ModelError
from angularpu.files import Outline
from angularpu.methods.ensemble_scorer import EnsembleScorer, FittedMember
from angularpu.methods.protocol import Scorer
from angularpu.methods.stored_network import outline_neural, restore_neural
from angularpu.methods.table import find_method
from angularpu.scenario.split import FOLDS
from angularpu.train.fold_mean import SCALES, FoldMean, split_arrays

Description = Mapping[str, Any]


def outline_scorer(
    description: Description,
    found: Mapping[str, Outline],
    *,
    in_shape: tuple[int, ...],
    encoder: nn.Module | None,
) -> dict[str, Outline]:
    """Return the arrays that a model's JSON asks for, without making any that the file does not have.

    Parameters
    ----------
    description : mapping
        A model's JSON, checked.
    found : mapping of str to Outline
        What the file has.
    in_shape : tuple of int
        The shape of a prepared row.
    encoder : nn.Module or None
        A network of the user's own.
    """
    if find_method(description["method"]).kind != "ensemble":
        return _outline_mean(description, found, in_shape=in_shape, encoder=encoder)
    expected: dict[str, Outline] = {}
    for number, member in _list_members(description).items():
        asked = _outline_mean(member, _below(number, found), in_shape=in_shape, encoder=encoder)
        if f"{number}/{SCALES}" not in found:
            raise ModelError(f"parts.{number} is a member of an ensemble and must have the array {SCALES!r}")
        expected |= _above(number, asked)
    return expected


def restore_scorer(
    description: Description,
    arrays: Mapping[str, NDArray[Any]],
    *,
    in_shape: tuple[int, ...],
    encoder: nn.Module | None,
    archive: bytes | None = None,
) -> Scorer:
    """Make a scorer of what a model directory holds, once the outlines of its arrays are those that were asked for.

    ``archive`` is the classifier of an earlier version; it is trusted.
    """
    if find_method(description["method"]).kind != "ensemble":
        return _restore_mean(description, arrays, in_shape=in_shape, encoder=encoder, archive=archive)
    members = []
    for number, member in _list_members(description).items():
        own = _below(number, arrays)
        mean = _restore_mean(member, own, in_shape=in_shape, encoder=encoder, archive=None)
        assert isinstance(mean, FoldMean)  # the array of scales is there
        told = description["parts"][number]
        members.append(FittedMember({name: told[name] for name in told if name not in {"parts", "numbers"}}, mean))
    return EnsembleScorer(tuple(members))


def check_parts(description: Description, arrays: Mapping[str, NDArray[Any]], *, in_shape: tuple[int, ...]) -> None:
    """Refuse scikit-learn classifiers that could not be read again; networks are tensors, which always can be."""
    kind = find_method(description["method"]).kind
    if kind == "ensemble":
        for number, member in _list_members(description).items():
            check_parts(member, _below(number, arrays), in_shape=in_shape)
    elif kind == "classical":
        _restore_mean(description, arrays, in_shape=in_shape, encoder=None, archive=None)


def _outline_mean(
    description: Description, found: Mapping[str, Outline], *, in_shape: tuple[int, ...], encoder: nn.Module | None
) -> dict[str, Outline]:
    if SCALES not in found:
        return _outline_one(description, found, in_shape=in_shape, encoder=encoder)
    folds = found[SCALES].shape[0] or 0
    if not 2 <= folds <= FOLDS:
        raise ModelError(f"the array {SCALES!r} is {found[SCALES]}, of {folds} folds, and must be of 2 to {FOLDS}")
    expected = {SCALES: Outline((folds, 2), "float64")}
    for number in map(str, range(folds)):
        own = _describe_fold(description, number)
        asked = _outline_one(own, _below(number, found), in_shape=in_shape, encoder=encoder)
        expected |= _above(number, asked)
    return expected


def _restore_mean(
    description: Description,
    arrays: Mapping[str, NDArray[Any]],
    *,
    in_shape: tuple[int, ...],
    encoder: nn.Module | None,
    archive: bytes | None,
) -> Scorer:
    folds = split_arrays(arrays)
    if folds is None:
        return _restore_one(description, arrays, in_shape=in_shape, encoder=encoder, archive=archive)
    models = (
        _restore_one(_describe_fold(description, str(number)), own, in_shape=in_shape, encoder=encoder, archive=None)
        for number, own in enumerate(folds.models)
    )
    return FoldMean(tuple(models), folds.scales)


def _outline_one(
    description: Description, found: Mapping[str, Outline], *, in_shape: tuple[int, ...], encoder: nn.Module | None
) -> dict[str, Outline]:
    if find_method(description["method"]).kind == "network":
        return outline_neural(description, found, in_shape=in_shape, encoder=encoder)
    from angularpu.methods.stored_classical import outline_classical  # late: it takes long to import

    return outline_classical(description, columns=math.prod(in_shape))


def _restore_one(
    description: Description,
    arrays: Mapping[str, NDArray[Any]],
    *,
    in_shape: tuple[int, ...],
    encoder: nn.Module | None,
    archive: bytes | None,
) -> Scorer:
    if find_method(description["method"]).kind == "network":
        return restore_neural(description, arrays, in_shape=in_shape, encoder=encoder)
    from angularpu.methods.stored_classical import restore_classical  # late: scoring a network does without

    return restore_classical(description, arrays, columns=math.prod(in_shape), archive=archive)


def _list_members(description: Description) -> dict[str, Description]:
    """Return every member's part of an ensemble's JSON, in the form of a model's JSON."""
    members = description["parts"]
    whole = {name: description.get(name) for name in ("preparation", "alpha")}
    return {number: {**whole, **members[number]} for number in sorted(members, key=int)}


def _describe_fold(description: Description, number: str) -> Description:
    """Return the JSON of one fold's model: what it has learnt besides arrays stands under its number."""
    numbers = description.get("numbers", {})
    own = {name.removeprefix(f"{number}/"): numbers[name] for name in numbers if name.startswith(f"{number}/")}
    return {**description, "parts": description.get("parts", {}).get(number, {}), "numbers": own}


def _below(number: str, named: Mapping[str, Any]) -> dict[str, Any]:
    prefix = f"{number}/"
    return {name.removeprefix(prefix): each for name, each in named.items() if name.startswith(prefix)}


def _above(number: str, named: Mapping[str, Outline]) -> dict[str, Outline]:
    return {f"{number}/{name}": outline for name, outline in named.items()}
