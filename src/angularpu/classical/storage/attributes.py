"""Estimators whose scores follow from a few public arrays: those are stored, and set again."""

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any

import numpy as np
from numpy.typing import NDArray

from angularpu.classical.storage.kind import CLASSES, Arrays, Fields, Kind, Pieces, check_classes, check_floats
from angularpu.errors import ModelError
from angularpu.files import Outline

COLUMNS = -1  # in a shape: as many as the rows have columns
NO_SETTINGS: Mapping[str, Callable[[str, Any], Any]] = MappingProxyType({})


class AttributeKind(Kind):
    """A classifier of scikit-learn, stored by its fitted attributes.

    Parameters
    ----------
    name : str
        In the JSON.
    estimator : type
        Made anew and given the attributes, which are float32 or float64 arrays.
    shapes : mapping of str to tuple of int
        The attributes that scoring needs, with COLUMNS for the number of columns.
    positive, negative : tuple of str
        Those of them that must be above, or below, 0.
    settings : mapping of str to function
        Parameters that scoring needs, with what refuses a wrong one.
    sparse : bool
        Whether it scores CSR matrices.
    """

    def __init__(
        self,
        name: str,
        estimator: type,
        *,
        shapes: Mapping[str, tuple[int, ...]],
        positive: tuple[str, ...] = (),
        negative: tuple[str, ...] = (),
        settings: Mapping[str, Callable[[str, Any], Any]] = NO_SETTINGS,
        sparse: bool = True,
    ) -> None:
        self.name = name
        self.types = (estimator,)
        self.field_names = tuple(settings)
        self._estimator, self._shapes = estimator, shapes
        self._positive, self._negative = positive, negative
        self._settings, self._sparse = settings, sparse

    def split(self, model: Any) -> Pieces:
        """Take the attributes."""
        check_classes(model)
        shapes = self._find_shapes(model.n_features_in_)
        arrays = {name: _take(model, name).reshape(shape) for name, shape in shapes.items()}
        return Pieces({name: getattr(model, name) for name in self._settings}, arrays)

    def outline(self, fields: Fields, columns: int) -> dict[str, Outline]:
        """Check the parameters and return the attributes."""
        for name, check in self._settings.items():
            check(name, fields[name])
        return {name: Outline(shape) for name, shape in self._find_shapes(columns).items()}

    def join(self, fields: Fields, arrays: Arrays, *, children: Mapping[str, Any], columns: int) -> Any:
        """Make the estimator and give it the attributes."""
        check_floats(arrays)
        for name in self._positive:
            if np.any(arrays[name] <= 0):
                raise ModelError(f"{name} must be above 0")
        for name in self._negative:
            if np.any(arrays[name] >= 0):
                raise ModelError(f"{name} must be below 0")
        model = self._estimator(**fields)
        model.n_features_in_, model.classes_ = columns, CLASSES
        for name, array in arrays.items():
            setattr(model, name, array)
        return model

    def reads_sparse(self, fields: Fields) -> bool:
        """Tell whether the estimator does."""
        return self._sparse

    def _find_shapes(self, columns: int) -> dict[str, tuple[int, ...]]:
        return {
            name: tuple(columns if length == COLUMNS else length for length in shape)
            for name, shape in self._shapes.items()
        }


def _take(model: Any, name: str) -> NDArray[Any]:
    """Return an attribute as an array; an intercept that was not fitted is the plain number 0."""
    value = getattr(model, name)
    return value if isinstance(value, np.ndarray) else np.array(value, model.coef_.dtype)
