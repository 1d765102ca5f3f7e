"""Change where a saved model cuts, without its network and without torch."""

from pathlib import Path
from typing import Any

import numpy as np
from safetensors.numpy import load as from_bytes

from angularpu import files
from angularpu.audit.answers import Answers
from angularpu.audit.choice import decide_audited
from angularpu.audit.report import AuditReport
from angularpu.decide.calibrate import Calibration
from angularpu.decide.decision import Decision
from angularpu.decide.default import decide_again
from angularpu.decide.held_out import HeldOut
from angularpu.decide.prior_setting import check_prior
from angularpu.decide.rules import parse_rule
from angularpu.decide.sensitivity import Sensitivity, hold_threshold
from angularpu.model.description import Contents, read_contents, read_description, write_description
from angularpu.model.explaining import explaining
from angularpu.model.held_scores import read_held
from angularpu.model.schema import TENSORS
from angularpu.scenario.proportions import Proportions

POINTS = 99
Decided = tuple[Decision, Calibration | None, AuditReport | None]


def redecide(directory: Path, rule: str, answers: Answers | None = None) -> dict[str, Any]:
    """Choose the threshold of a saved model by another rule, and return what its JSON then says.

    The scores of the held-out rows are part of the model, so nothing is trained and no row is read. The JSON is
    replaced in one step; the tensors stay as they are. A model that is being replaced is waited for.

    Parameters
    ----------
    directory : Path
        A model directory.
    rule : str
        The rule, as ``fit --threshold`` takes it.
    answers : Answers, optional
        Of an audit that was drawn with this model; without them P and U alone decide.
    """
    _check_prior(directory, read_description(directory))  # what is no model is refused before anything is locked
    with files.lock_of(directory):  # or the JSON might come beside the tensors of a model saved meanwhile
        description, contents = read_contents(directory, wanted=[TENSORS])
        held = _read_held(directory, contents, description=description)
        # Models of 0.1.0 stated their prior in the rule alone.
        prior, alpha = description.get("prior", "bbe"), description.get("alpha")
        if answers is None:
            decided: Decided = (*decide_again(rule, held, prior=prior, alpha=alpha), None)
        else:
            decided = decide_audited(rule, held, answers, prior=prior, alpha=alpha)
        decision, calibration, report = decided
        description |= {
            "threshold": rule,
            "decision": decision.to_json(),
            "calibration": calibration and calibration.to_json(),
            "audit": report and report.to_json(),
        }
        write_description(directory, description)
    return description


def vary_prior(directory: Path) -> tuple[Sensitivity, float | None]:
    """Say what a saved model's threshold is worth as the prior varies; return the curve and the prior in use."""
    description, contents = read_contents(directory, wanted=[TENSORS])
    held, decision = _read_held(directory, contents, description=description), description["decision"]
    with explaining(f"{directory} has a rule that cannot be followed"):
        rule = parse_rule(decision["rule"])
        least = Proportions(held.n_pos, held.n_unl, held.scenario, alpha=0.0).share(rule.target)
        priors = np.linspace(least, 1, POINTS + 2)[1:-1]
        curve = hold_threshold(held, str(rule), priors, threshold=decision["threshold"])
    return curve, decision.get("alpha" if rule.target == "unlabelled" else "prior")


def _read_held(directory: Path, contents: Contents, *, description: dict[str, Any]) -> HeldOut:
    """Return the held-out scores that a model has kept."""
    with explaining(f"{directory} has no held-out scores"):
        return read_held(description, from_bytes(contents[TENSORS]))


def _check_prior(directory: Path, description: dict[str, Any]) -> None:
    """Refuse a prior that no fit could have had, rather than blame the rule for it."""
    held, prior = description["held"], description.get("prior", "bbe")
    with explaining(f"{directory} has a prior that cannot be used"):
        check_prior(prior)
        if not isinstance(prior, str):
            Proportions.from_prior(prior, n_pos=held["n_pos"], n_unl=held["n_unl"], scenario=held["scenario"])
