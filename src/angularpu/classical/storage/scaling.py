"""Columns standardised by scikit-learn's StandardScaler, as a pipeline may have them."""

from collections.abc import Mapping
from typing import Any

import numpy as np
from sklearn.preprocessing import StandardScaler

from angularpu.classical.storage.kind import Arrays, Fields, Kind, Pieces, Role
from angularpu.errors import ModelError
from angularpu.files import Outline

# The parameters, each with the attribute that it asks for.
ATTRIBUTES = {"with_mean": "mean_", "with_std": "scale_"}


class ScalerKind(Kind):
    """A StandardScaler: the means that are subtracted, the scales that are divided by, or one of them."""

    name = "standard_scaler"
    types = (StandardScaler,)
    field_names = tuple(ATTRIBUTES)
    role: Role = "scaler"

    def split(self, model: StandardScaler) -> Pieces:
        """Take means and scales."""
        fields = {name: bool(getattr(model, name)) for name in ATTRIBUTES}
        used = [attribute for name, attribute in ATTRIBUTES.items() if fields[name]]
        return Pieces(fields, {name: np.asarray(getattr(model, name), np.float64) for name in used})

    def outline(self, fields: Fields, columns: int) -> dict[str, Outline]:
        """Return the means and scales that are used."""
        for name in ATTRIBUTES:
            if not isinstance(fields[name], bool):
                raise ModelError(f"{name} must be true or false")
        used = [attribute for name, attribute in ATTRIBUTES.items() if fields[name]]
        return {name: Outline((columns,), "float64") for name in used}

    def join(self, fields: Fields, arrays: Arrays, *, children: Mapping[str, Any], columns: int) -> StandardScaler:
        """Make the scaler and give it means and scales."""
        if np.any(arrays.get("scale_", np.ones(1)) <= 0):
            raise ModelError("scale_ must be above 0")
        model = StandardScaler(**fields)
        model.n_features_in_ = columns
        for name in ATTRIBUTES.values():
            setattr(model, name, arrays.get(name))
        return model

    def reads_sparse(self, fields: Fields) -> bool:
        """Tell whether zeros stay zeros."""
        return not fields["with_mean"]
