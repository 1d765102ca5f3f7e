"""Every method and preset in two literal tables, free of torch."""

import difflib
import importlib
from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any

from angularpu.errors import SettingError

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
    id : str
        The name in code and files.
    name : str
        The name in tables.
    summary : str
        The idea in one sentence.
    reference : str
        Where it was published.
    target : str
        "module:Class" of its algorithm.
    traits : frozenset of str
        Which columns of the paper's table of properties it has, out of :data:`TRAITS`; "prior" says that it needs one.
    """

    id: str
    name: str
    summary: str
    reference: str
    target: str
    traits: frozenset[str] = frozenset()

    def __post_init__(self) -> None:
        unknown = self.traits.difference(TRAITS)
        if unknown:
            raise SettingError(f"{self.id} has no trait {', '.join(sorted(unknown))}; known are {', '.join(TRAITS)}")

    def load(self) -> Any:
        """Import and return the algorithm's class."""
        module, name = self.target.split(":")
        return getattr(importlib.import_module(module), name)


@dataclass(frozen=True)
class Preset:
    """A method with some options set.

    Attributes
    ----------
    method : str
        Id of the method.
    summary : str
    options : mapping of str to object
        Options that differ from the method's defaults.
    """

    method: str
    summary: str
    options: Mapping[str, Any] = field(default_factory=dict)


_TMLR = (
    "Sevetlidis, Pavlidis and Gasteratos, "
    "Angular Regularization for Positive-Unlabeled Learning on the Hypersphere, TMLR 2025"
)

METHODS: Mapping[str, Card] = MappingProxyType(
    {
        "angular": Card(
            "angular",
            "AngularPU",
            "Positives gather around a prototype on the sphere, unlabelled rows are neutral and spread out.",
            _TMLR,
            "angularpu.algorithms.angular:Angular",
            frozenset({"vmf", "uniform", "end-to-end"}),
        ),
        "euclidean": Card(
            "euclidean",
            "EuclideanPU",
            "AngularPU's counterpart with distances in place of angles, for the geometry ablation.",
            _TMLR,
            "angularpu.algorithms.euclidean:Euclidean",
            frozenset({"end-to-end"}),
        ),
        "naive": Card(
            "naive",
            "Naive",
            "Takes every unlabelled row as a negative.",
            "folklore",
            "angularpu.algorithms.naive:Naive",
            frozenset({"pseudo-negatives", "end-to-end"}),
        ),
    }
)

_PUBLISHED = {"epochs": 15, "selection": "last", "positives": "batch"}
_COSINE = {**_PUBLISHED, "logit": "margin", "positive_loss": "logistic", "lambda_": 0.0}

PRESETS: Mapping[str, Preset] = MappingProxyType(
    {
        "default": Preset("angular", "Our defaults: best epoch by held-out PU-AUC, no prior, no negatives."),
        "paper": Preset(
            "angular",
            "The published schedule: 15 epochs on all rows, last epoch, batch means.",
            _PUBLISHED,
        ),
        "COS-WGH-M0.5": Preset("angular", "Cosine, weighted, margin 0.5.", {**_COSINE, "margin": 0.5}),
        "COS-WGH-Mlearn": Preset("angular", "Cosine, weighted, margin trained.", {**_COSINE, "margin": "softplus"}),
        "COS-REG-Mlearn": Preset(
            "angular",
            "Cosine, dispersion instead of weights, margin trained.",
            {**_COSINE, "margin": "softplus", "weight": None, "lambda_": 0.5},
        ),
        "COS-BCE-Mlearn": Preset(
            "angular",
            "Cosine, neither weights nor dispersion, margin trained.",
            {**_COSINE, "margin": "softplus", "weight": None},
        ),
        "L2-BCE-Rlearn-N": Preset(
            "euclidean",
            "Distance, no weights, radius trained, normalised at evaluation only.",
            {**_PUBLISHED, "weight": None, "normalise_at_evaluation": True},
        ),
        "L2-WGH-R1.0": Preset("euclidean", "Distance, weighted, radius 1.", {**_PUBLISHED, "radius": 1.0}),
        "L2-WGH-Rlearn": Preset("euclidean", "Distance, weighted, radius trained.", _PUBLISHED),
        "L2-BCE-Rlearn": Preset("euclidean", "Distance, no weights, radius trained.", {**_PUBLISHED, "weight": None}),
    }
)


def find_method(name: str) -> Card:
    """Return a method's card by its id.

    >>> find_method("angular").name
    'AngularPU'
    """
    return METHODS[_known("method", name, METHODS)]


def find_preset(name: str) -> Preset:
    """Return a preset by its name.

    >>> find_preset("paper").options["epochs"]
    15
    """
    return PRESETS[_known("preset", name, PRESETS)]


def _known(what: str, name: str, table: Mapping[str, Any]) -> str:
    if name not in table:
        near = difflib.get_close_matches(str(name), table, n=1, cutoff=0)
        raise SettingError(f"{what} {name!r} is unknown; known are {', '.join(table)}; did you mean {near[0]!r}?")
    return name
