"""What a kind of fitted model must tell so that it can be stored: its fields, its arrays and the models inside it."""

from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from angularpu.errors import ModelError
from angularpu.files import Outline

Role = Literal["classifier", "calibrator", "scaler"]
Arrays = Mapping[str, NDArray[Any]]
Fields = Mapping[str, Any]

FLOATS = ("float32", "float64")
CLASSES = np.array([0, 1], np.int8)  # unlabelled and positive, whatever the user calls them


@dataclass(frozen=True)
class Pieces:
    """A fitted model taken apart.

    Attributes
    ----------
    fields : dict
        Counts and settings, ready for JSON.
    arrays : dict of str to array
    children : dict of str to fitted model
        The models inside it, each of a kind of its own.
    """

    fields: dict[str, Any]
    arrays: dict[str, NDArray[Any]]
    children: dict[str, Any] = field(default_factory=dict)


class Kind(ABC):
    """One way of storing fitted models.

    Attributes
    ----------
    name : str
        In the JSON.
    types : tuple of type
        What it stores; no subclass, which may score otherwise.
    field_names : tuple of str
        The fields of its JSON, all of them required.
    role : {"classifier", "calibrator", "scaler"}
        What the models are for.
    """

    name: str
    types: tuple[type, ...]
    field_names: tuple[str, ...] = ()
    role: Role = "classifier"

    @abstractmethod
    def split(self, model: Any) -> Pieces:
        """Take a fitted model apart; refuse one that cannot be stored."""

    @abstractmethod
    def outline(self, fields: Fields, columns: int) -> dict[str, Outline]:
        """Return the arrays that checked fields ask for; refuse fields that make no sense."""

    @abstractmethod
    def join(self, fields: Fields, arrays: Arrays, *, children: Mapping[str, Any], columns: int) -> Any:
        """Make a model of what was read: the arrays are finite and as outlined, their numbers are checked here."""

    def list_children(self, count: int) -> dict[str, Role]:
        """Return the names and roles that the models inside must have where there are so many."""
        return {}

    def list_unfitted(self, model: Any) -> list[Any]:
        """Return the unfitted models inside; refuse one that could not be stored once it is fitted."""
        return []

    def reads_sparse(self, fields: Fields) -> bool:
        """Tell whether it scores CSR matrices, apart from the models inside it."""
        return True


def check_classes(model: Any) -> None:
    """Refuse a model that does not tell 0 from 1."""
    if not np.array_equal(model.classes_, CLASSES):
        raise ModelError(f"a classifier of 0 and 1 can be saved, this one tells {list(model.classes_)} apart")


def check_width(x: Any, columns: int) -> None:
    """Refuse rows of another width than the model's, whose columns would be looked for beyond their end."""
    if x.shape[1] != columns:
        raise ModelError(f"the classifier was fitted on {columns} columns, but {x.shape[1]} came")


def check_floats(arrays: Arrays) -> None:
    """Refuse arrays of another type than scikit-learn fits."""
    for name, array in arrays.items():
        if array.dtype.name not in FLOATS:
            raise ModelError(f"{name} must be of type {' or '.join(FLOATS)}, got {array.dtype}")
