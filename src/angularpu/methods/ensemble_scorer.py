"""A fitted ensemble: the weighted sum of its members' fold means."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from angularpu.errors import SettingError
from angularpu.methods.table import find_method
from angularpu.train.fold_mean import FoldMean

WEIGHT = "weight"


@dataclass(frozen=True, eq=False)
class FittedMember:
    """One member of a fitted ensemble.

    Attributes
    ----------
    description : mapping
        For JSON: its name, its method, options and encoder, its weight, and how well it ranked out of fold.
    mean : FoldMean
    """

    description: Mapping[str, Any]
    mean: FoldMean

    @property
    def has_network(self) -> bool:
        """Whether the member has a network."""
        return find_method(self.description["method"]).kind == "network"


@dataclass(frozen=True)
class EnsembleScorer:
    """The weighted sum of several methods' fold means, all on the scale of log-odds.

    Attributes
    ----------
    members : tuple of FittedMember
    """

    members: tuple[FittedMember, ...]

    def score(self, x: Any) -> NDArray[np.float32]:
        """Return the weighted sum of the members' scores of prepared rows."""
        total = sum(member.description[WEIGHT] * member.mean.score(x).astype(np.float64) for member in self.members)
        weighted: NDArray[np.float32] = np.asarray(total).astype(np.float32)
        return weighted

    def embed(self, x: Any) -> NDArray[np.float32]:
        """Return the embeddings by the first member that has a network."""
        for member in self.members:
            if member.has_network:
                return member.mean.embed(x)
        raise SettingError("no member of this ensemble has a network, hence there are no embeddings; add angular")

    def arrays(self) -> dict[str, NDArray[Any]]:
        """Return the arrays of every member, by its number."""
        return {
            f"{number}/{name}": array
            for number, member in enumerate(self.members)
            for name, array in member.mean.arrays().items()
        }

    def structure(self) -> dict[str, Any]:
        """Return the members' descriptions, and what of them is no array."""
        return {
            str(number): {**member.description, "parts": member.mean.structure(), "numbers": member.mean.numbers()}
            for number, member in enumerate(self.members)
        }

    def numbers(self) -> dict[str, float]:
        """Return nothing: every member has its own."""
        return {}
