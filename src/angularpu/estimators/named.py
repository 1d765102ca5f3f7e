"""A class of its own for every method, such as NNPUClassifier: PUClassifier with the method fixed, its options by name.

The classes are attributes of this module, made from the methods' cards when they are first asked for.
"""

import inspect
from functools import cache
from typing import Any

from angularpu.estimators.angular import AngularPUClassifier as AngularPUClassifier  # the one that is written out
from angularpu.estimators.base import NeuralEstimator, PUEstimator
from angularpu.estimators.manual import write_manual
from angularpu.estimators.parameters import SHARED
from angularpu.methods.cards import Card
from angularpu.methods.configure import algorithm_options, list_homes
from angularpu.methods.presets import PRESET
from angularpu.methods.renamed import rename_options
from angularpu.methods.table import METHODS


@cache
def make_class(method: str) -> type[PUEstimator]:
    """Return the classifier of one method; its constructor has every option that applies to it, by name."""
    card = METHODS[method]
    options = list_options(card)
    defaults = {**SHARED, **dict.fromkeys(options, PRESET)}
    keyword = inspect.Parameter.KEYWORD_ONLY
    signature = inspect.Signature(
        [
            inspect.Parameter("self", inspect.Parameter.POSITIONAL_ONLY),
            *(inspect.Parameter(name, keyword, default=default) for name, default in defaults.items()),
        ]
    )

    def initialise(self: PUEstimator, **given: Any) -> None:
        given = rename_options(method, given)
        signature.bind(self, **given)
        for name, default in defaults.items():
            setattr(self, name, given.get(name, default))

    def name_method(self: PUEstimator) -> str:
        return method

    def tell_sparse(self: PUEstimator) -> bool:
        return card.reads_sparse

    initialise.__signature__ = signature  # type: ignore[attr-defined]
    content = {
        "__init__": initialise,
        "__doc__": write_manual(card, SHARED, options),
        "__module__": __name__,
        "_method_name": name_method,
        "_reads_sparse": tell_sparse,
        "_methods": (method,),
    }
    return type(card.class_name, (PUEstimator if card.kind == "classical" else NeuralEstimator,), content)


def list_options(card: Card) -> dict[str, Any]:
    """Return every option of a method, its network and its training, with the method's own defaults."""
    shared = {name: default for home in reversed(list_homes(card)) for name, default in home.items()}
    return {**algorithm_options(card.name), **shared}


def __getattr__(name: str) -> Any:
    for card in METHODS.values():
        if card.class_name == name:
            return make_class(card.name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted([*globals(), *(card.class_name for card in METHODS.values())])
