"""The held-out scores that a model has kept, from which its threshold can be chosen again."""

from collections.abc import Mapping
from typing import Any

from numpy.typing import NDArray

from angularpu.decide.held_out import HeldOut
from angularpu.errors import ModelError
from angularpu.files.finite import refuse_infinite

HELD = "held/"  # in front of the arrays' names
GROUPS = ("pos", "unl")


def read_held(description: Mapping[str, Any], arrays: Mapping[str, NDArray[Any]]) -> HeldOut:
    """Return the held-out scores, refusing more of them than there were rows.

    Parameters
    ----------
    description : mapping
        A model's JSON, checked.
    arrays : mapping of str to array
        All arrays of the model.
    """
    held = description["held"]
    found = {name: arrays[f"{HELD}{name}"] for name in GROUPS}
    refuse_infinite(found)
    for name, score in found.items():
        if not 0 < len(score) <= held[f"n_{name}"]:
            raise ModelError(f"held.n_{name} is {held[f'n_{name}']}, but {len(score)} of these rows have a score")
    return HeldOut(found["pos"], found["unl"], **held)
