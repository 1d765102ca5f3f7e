"""Change where a saved model cuts, without its network and without torch."""

from pathlib import Path
from typing import Any

import numpy as np
from safetensors import SafetensorError
from safetensors.numpy import load as from_bytes

from angularpu import files
from angularpu.decide.default import decide_again
from angularpu.decide.held_out import HeldOut
from angularpu.decide.rules import parse_rule
from angularpu.decide.sensitivity import Sensitivity, sensitivity
from angularpu.errors import ModelError
from angularpu.model.description import TENSORS, Contents, read_contents, read_description, write_description
from angularpu.scenario.proportions import Proportions

POINTS = 99


def redecide(directory: Path, rule: str) -> dict[str, Any]:
    """Choose the threshold of a saved model by another rule, and return what its JSON then says.

    The scores of the held-out rows are part of the model, so nothing is trained and no row is read. The JSON is
    replaced in one step; the tensors stay as they are. A model that is being replaced is waited for.

    Parameters
    ----------
    directory : Path
        A model directory.
    rule : str
        The rule, as ``fit --threshold`` takes it.
    """
    read_description(directory)  # what is no model is refused before anything is locked
    with files.lock_of(directory):  # or the JSON might come beside the tensors of a model saved meanwhile
        description, contents = read_contents(directory, wanted=[TENSORS])
        # Models of 0.1.0 stated their prior in the rule alone.
        decision, calibration = decide_again(
            rule,
            _read_held(directory, description, contents),
            prior=description.get("prior", "bbe"),
            alpha=description.get("alpha"),
        )
        description |= {
            "threshold": rule,
            "decision": decision.to_json(),
            "calibration": calibration and calibration.to_json(),
        }
        write_description(directory, description)
    return description


def vary_prior(directory: Path) -> tuple[Sensitivity, float | None]:
    """Follow a saved model's rule as the prior varies; return the curve and the prior in use in the rule's target."""
    description, contents = read_contents(directory, wanted=[TENSORS])
    held, decision = _read_held(directory, description, contents), description["decision"]
    rule = parse_rule(decision["rule"])
    least = Proportions(held.n_pos, held.n_unl, held.scenario, alpha=0.0).share(rule.target)
    priors = np.linspace(least, 1, POINTS + 2)[1:-1]
    return sensitivity(held, str(rule), priors), decision["alpha" if rule.target == "unlabelled" else "prior"]


def _read_held(directory: Path, description: dict[str, Any], contents: Contents) -> HeldOut:
    """Return the held-out scores that a model has kept."""
    try:
        arrays = from_bytes(contents[TENSORS])
        return HeldOut(arrays["held/pos"], arrays["held/unl"], **description["held"])
    except (SafetensorError, KeyError, TypeError) as error:
        raise ModelError(f"{directory} has no held-out scores ({error}); copy or fit it again") from error
