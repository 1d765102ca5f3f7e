"""Change where a saved model cuts, without its network and without torch."""

from pathlib import Path
from typing import Any

import numpy as np
from safetensors import SafetensorError
from safetensors.numpy import load_file

from angularpu.decide.default import decide_again
from angularpu.decide.held_out import HeldOut
from angularpu.decide.rules import parse_rule
from angularpu.decide.sensitivity import Sensitivity, sensitivity
from angularpu.errors import ModelError
from angularpu.model.description import TENSORS, read_description, write_description
from angularpu.scenario.proportions import Proportions

POINTS = 99


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


def vary_prior(directory: Path) -> tuple[Sensitivity, float | None]:
    """Follow a saved model's rule as the prior varies; return the curve and the prior in use in the rule's target."""
    description = read_description(directory)
    held, decision = read_held(directory, description), description["decision"]
    rule = parse_rule(decision["rule"])
    least = Proportions(held.n_pos, held.n_unl, held.scenario, alpha=0.0).share(rule.target)
    priors = np.linspace(least, 1, POINTS + 2)[1:-1]
    return sensitivity(held, str(rule), priors), decision["alpha" if rule.target == "unlabelled" else "prior"]


def read_held(directory: Path, description: dict[str, Any]) -> HeldOut:
    """Return the held-out scores that a model has kept."""
    try:
        arrays = load_file(directory / TENSORS)
        return HeldOut(arrays["held/pos"], arrays["held/unl"], **description["held"])
    except (SafetensorError, KeyError, TypeError) as error:
        raise ModelError(f"{directory} has no held-out scores ({error}); copy or fit it again") from error
