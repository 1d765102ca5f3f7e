"""Fitted models taken apart into JSON and arrays, and made again from what was read and checked."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from angularpu.classical.storage.kind import Kind, Role
from angularpu.classical.storage.table import KINDS, find_kind
from angularpu.errors import ModelError, SettingError
from angularpu.files import Outline, refuse_mismatch
from angularpu.files.finite import refuse_infinite

DEEPEST = 4  # models inside models: a pipeline in a calibration in a pipeline
KIND, CHILDREN = "kind", "children"
LONGEST = 200  # of a message about a field, which says what came


def check_storable(base: Any) -> None:
    """Refuse an unfitted classifier that could not be saved once it is fitted.

    Parameters
    ----------
    base : scikit-learn classifier or None
        None is the default, which can be.
    """
    if base is not None:
        for inside in find_kind(base).list_unfitted(base):
            check_storable(inside)


def dump_parts(parts: Mapping[str, Any]) -> tuple[dict[str, Any], dict[str, NDArray[Any]]]:
    """Take fitted models apart into JSON and arrays that depend on nothing but the models.

    Parameters
    ----------
    parts : mapping of str to fitted classifier

    Returns
    -------
    structure : dict
        Ready for JSON.
    arrays : dict of str to array
        Named by the part and their place in it.

    Raises
    ------
    ModelError
        When a model is not on the list, or has learnt numbers that are not finite.

    Examples
    --------
    >>> from sklearn.linear_model import LogisticRegression
    >>> model = LogisticRegression().fit([[0.0], [1.0]], [0, 1])
    >>> structure, arrays = dump_parts({"classifier": model})
    >>> structure, sorted(arrays)
    ({'classifier': {'kind': 'logistic_regression'}}, ['classifier/coef_', 'classifier/intercept_'])
    >>> load_parts(structure, arrays, columns=1)["classifier"].predict([[0.9]])
    array([1], dtype=int8)
    """
    structure: dict[str, Any] = {}
    arrays: dict[str, NDArray[Any]] = {}
    for name, model in parts.items():
        structure[name], inside = _dump(model)
        arrays |= {f"{name}/{place}": np.ascontiguousarray(array) for place, array in inside.items()}
    refuse_infinite(arrays)
    return structure, arrays


def outline_parts(structure: Mapping[str, Any], *, columns: int) -> dict[str, Outline]:
    """Check the JSON of ``dump_parts`` and return the arrays that it asks for, without making any.

    Parameters
    ----------
    structure : mapping
        What was read.
    columns : int
        How many columns the rows have that will be scored.
    """
    return {
        f"{part.place}/{name}": outline
        for part in _walk(structure)
        for name, outline in _outline(part, columns).items()
    }


def load_parts(structure: Mapping[str, Any], arrays: Mapping[str, NDArray[Any]], *, columns: int) -> dict[str, Any]:
    """Make models of the JSON and the arrays of ``dump_parts``, neither of which is trusted.

    Parameters
    ----------
    structure : mapping
    arrays : mapping of str to array
    columns : int
        How many columns the rows have that will be scored.

    Raises
    ------
    ModelError
        When a field, a shape or a number is not one that ``dump_parts`` could have written.
    """
    found = {name: Outline(array.shape, array.dtype.name) for name, array in arrays.items()}
    refuse_mismatch(found, outline_parts(structure, columns=columns))
    refuse_infinite(arrays)
    return {name: _load(part, arrays, columns) for name, part in _read_parts(structure, "", depth=0).items()}


def reads_sparse(structure: Mapping[str, Any]) -> bool:
    """Tell whether all of the models score CSR matrices."""
    return all(part.kind.reads_sparse(part.fields) for part in _walk(structure))


@dataclass(frozen=True)
class _Part:
    """A model as the JSON describes it."""

    place: str
    kind: Kind
    fields: Mapping[str, Any]
    children: "Mapping[str, _Part]"


def _dump(model: Any) -> tuple[dict[str, Any], dict[str, NDArray[Any]]]:
    kind = find_kind(model)
    pieces = kind.split(model)
    entry, arrays = {KIND: kind.name, **pieces.fields}, dict(pieces.arrays)
    for name, child in pieces.children.items():
        entry.setdefault(CHILDREN, {})[name], inside = _dump(child)
        arrays |= {f"{name}/{place}": array for place, array in inside.items()}
    return entry, arrays


def _read_parts(entries: Any, place: str, *, depth: int) -> dict[str, _Part]:
    if not isinstance(entries, Mapping):
        raise ModelError(f"{place or 'parts'} must be an object with a classifier for every name")
    if depth == DEEPEST:
        raise ModelError(f"{place} has more than {DEEPEST} models inside one another")
    # The names of an object have no order, and sorted as text member_10000 stands before member_2000.
    names = sorted(entries, key=lambda name: (len(name), name))
    return {name: _read_part(entries[name], f"{place}/{name}" if place else name, depth) for name in names}


def _read_part(entry: Any, place: str, depth: int) -> _Part:
    if not isinstance(entry, Mapping) or not isinstance(entry.get(KIND), str):
        raise ModelError(f"parts.{place} must be an object with the field {KIND}")
    kind = KINDS.get(entry[KIND])
    if kind is None:
        raise ModelError(f"parts.{place}.kind must be one of {', '.join(KINDS)}, got {entry[KIND][:40]!r}")
    fields = {name: value for name, value in entry.items() if name not in {KIND, CHILDREN}}
    if set(fields) != set(kind.field_names):
        raise ModelError(f"parts.{place} must have the fields {', '.join((KIND, *kind.field_names))}")
    children = _read_parts(entry.get(CHILDREN, {}), place, depth=depth + 1)
    _check_roles(place, children, kind.list_children(len(children)))
    return _Part(place, kind, fields, children)


def _check_roles(place: str, children: Mapping[str, _Part], roles: Mapping[str, Role]) -> None:
    found = {name: child.kind.role for name, child in children.items()}
    if found != roles:
        raise ModelError(f"parts.{place} must have inside it {', '.join(roles) or 'nothing'}, each of its kind")


def _walk(structure: Any) -> Iterator[_Part]:
    """Give every model, those inside others included."""
    parts = list(_read_parts(structure, "", depth=0).values())
    for part in parts:
        if part.kind.role != "classifier":
            raise ModelError(f"parts.{part.place} must be a classifier")
    while parts:
        part = parts.pop(0)
        yield part
        parts.extend(part.children.values())


def _outline(part: _Part, columns: int) -> dict[str, Outline]:
    try:
        return part.kind.outline(part.fields, columns)
    except SettingError as error:
        raise ModelError(f"parts.{part.place}.{str(error)[:LONGEST]}") from error


def _load(part: _Part, arrays: Mapping[str, NDArray[Any]], columns: int) -> Any:
    own = {name: arrays[f"{part.place}/{name}"] for name in _outline(part, columns)}
    children = {name: _load(child, arrays, columns) for name, child in part.children.items()}
    try:
        return part.kind.join(part.fields, own, children=children, columns=columns)
    except ModelError as error:
        raise ModelError(f"parts.{part.place}: {error}") from error
