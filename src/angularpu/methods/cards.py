"""What a reader wants to know of a method before using it."""

import importlib
import re
from collections.abc import Mapping
from dataclasses import KW_ONLY, dataclass
from types import MappingProxyType
from typing import Any, Literal

from angularpu.errors import SettingError

Kind = Literal["network", "classical", "ensemble"]
# By the package that its class stands in.
KINDS: Mapping[str, Kind] = MappingProxyType({"algorithms": "network", "classical": "classical", "methods": "ensemble"})

# The columns of the paper's first table, in its order.
TRAITS: Mapping[str, str] = MappingProxyType(
    {
        "prior": "needs the class prior",
        "negatives": "models the negatives",
        "pseudo-negatives": "takes some unlabelled rows for negatives",
        "contrastive": "compares rows in pairs",
        "vmf": "positives follow a von Mises-Fisher law",
        "uniform": "unlabelled rows are spread uniformly",
        "end-to-end": "one network, trained in one go",
    }
)


@dataclass(frozen=True)
class Card:
    """What a reader wants to know of a method before using it.

    Attributes
    ----------
    name : str
        The method in code, in files and on the command line.
    title : str
        What tables call it.
    class_name : str
        Its scikit-learn classifier, which is made from the card and the docstring of ``target``.
    colour : str
        In every figure, as ``#rrggbb``; no two methods share one.
    summary : str
        The idea in one sentence.
    reference : str
        Where it was published.
    target : str
        "module:Class" of its algorithm.
    traits : frozenset of str
        Which columns of the paper's table of properties it has, out of :data:`TRAITS`; "prior" says that it needs one.
    oracle : bool
        Whether it is fitted on true classes, to show what they would be worth.
    """

    name: str
    title: str
    _: KW_ONLY
    class_name: str
    colour: str
    summary: str
    reference: str
    target: str
    traits: frozenset[str] = frozenset()
    oracle: bool = False

    def __post_init__(self) -> None:
        unknown = self.traits.difference(TRAITS)
        if unknown:
            raise SettingError(f"{self.name} has no trait {', '.join(sorted(unknown))}; known are {', '.join(TRAITS)}")
        if not re.fullmatch("#[0-9a-f]{6}", self.colour):
            raise SettingError(f"the colour of {self.name} must be written #rrggbb, got {self.colour!r}")

    @property
    def kind(self) -> Kind:
        """Whether it trains a network, stands around a scikit-learn classifier, or is made of several methods."""
        return KINDS[self.target.split(".")[1]]

    @property
    def is_neural(self) -> bool:
        """Whether it trains a network of its own."""
        return self.kind == "network"

    @property
    def reads_sparse(self) -> bool:
        """Whether it takes sparse rows."""
        return bool(getattr(self.load(), "reads_sparse", True))

    @property
    def needs(self) -> tuple[str, ...]:
        """What it needs besides positives and unlabelled rows: a prior, true classes."""
        return (("prior",) if "prior" in self.traits else ()) + (("true classes",) if self.oracle else ())

    def to_json(self) -> dict[str, Any]:
        """Return the card as a dictionary of JSON types."""
        return {
            "name": self.name,
            "title": self.title,
            "class": self.class_name,
            "summary": self.summary,
            "reference": self.reference,
            "needs": list(self.needs),
            "traits": {trait: trait in self.traits for trait in TRAITS},
        }

    def load(self) -> Any:
        """Import and return its class."""
        module, name = self.target.split(":")
        return getattr(importlib.import_module(module), name)
