"""Change where a saved model cuts, without its network and without torch."""

from pathlib import Path
from typing import Any

from safetensors import SafetensorError
from safetensors.numpy import load_file

from angularpu.decide.default import decide_again
from angularpu.decide.held_out import HeldOut
from angularpu.description import TENSORS, read_description, write_description
from angularpu.errors import ModelError


def redecide(directory: Path, rule: str) -> dict[str, Any]:
    """Choose the threshold of a saved model by another rule, and return what its JSON then says.

    The scores of the held-out rows are part of the model, so nothing is trained and no row is read. The JSON is
    replaced in one step; the tensors stay as they are.

    Parameters
    ----------
    directory : Path
        A model directory.
    rule : str
        The rule, as ``fit --threshold`` takes it.
    """
    description = read_description(directory)
    held = read_held(directory, description)
    # Models of 0.1.0 stated their prior in the rule alone.
    decision, calibration = decide_again(
        rule, held, prior=description.get("prior", "bbe"), alpha=description.get("alpha")
    )
    description |= {
        "threshold": rule,
        "decision": decision.to_json(),
        "calibration": calibration and calibration.to_json(),
    }
    write_description(directory, description)
    return description


def read_held(directory: Path, description: dict[str, Any]) -> HeldOut:
    """Return the held-out scores that a model has kept."""
    try:
        arrays = load_file(directory / TENSORS)
        return HeldOut(arrays["held/pos"], arrays["held/unl"], **description["held"])
    except (SafetensorError, KeyError, TypeError) as error:
        raise ModelError(f"{directory} has no held-out scores ({error}); copy or fit it again") from error
