"""Save and read a fitted model: safetensors and JSON, nothing that could run.

A model directory holds ``model.safetensors`` and ``model.json``; the JSON carries the format's version and the
checksums of both. Its bytes depend on data, settings and seed alone.
"""

import os
from pathlib import Path
from typing import Any

import numpy as np
from safetensors import SafetensorError
from safetensors.numpy import load as from_bytes
from safetensors.numpy import save as to_bytes
from torch import nn

from angularpu import __version__, files
from angularpu.data.prepare.preparation import restore_preparation
from angularpu.decide.calibrate import Calibration
from angularpu.decide.decision import Decision
from angularpu.decide.held_out import HeldOut
from angularpu.errors import ModelError
from angularpu.methods.classical import restore_classical
from angularpu.methods.fitted import Fitted
from angularpu.methods.neural import restore_neural
from angularpu.methods.protocol import Scorer
from angularpu.methods.table import find_method
from angularpu.model.description import DESCRIPTION, TENSORS, Contents, read_contents, write_description


def save(fitted: Fitted, directory: Path, *, overwrite: bool = False) -> None:
    """Write a model directory, whole or not at all: a reader finds the old model or the new one at any moment.

    Parameters
    ----------
    fitted : Fitted
    directory : Path
        Must not exist unless ``overwrite``.
    overwrite : bool
        Replace the model that is there; anything else is never replaced.
    """
    check_destination(directory, overwrite=overwrite)
    directory.parent.mkdir(parents=True, exist_ok=True)
    with files.atomic_directory(directory) as temporary:
        write(fitted, temporary)


def check_destination(directory: Path, *, overwrite: bool) -> None:
    """Refuse to write a model where one stands that must stay, where anything but a model stands, or to no name.

    Parameters
    ----------
    directory : Path
        Where a model shall be written.
    overwrite : bool
        Whether a model that is there may be replaced.
    """
    if not directory.name:
        raise ModelError(f"{str(directory)!r} is no name for a model directory; choose one, such as my.model")
    files.sweep(directory)  # which may bring back a model
    if not os.path.lexists(directory):
        return
    if not overwrite:
        raise ModelError(
            f"{directory} exists already; choose another name, or allow overwriting (--force, overwrite=True)"
        )
    is_empty = directory.is_dir() and not any(directory.iterdir())
    if not (is_empty or (directory / DESCRIPTION).is_file()):
        raise ModelError(f"{directory} is not a model, so it is not replaced; choose another name, or remove it first")


def write(fitted: Fitted, directory: Path) -> None:
    """Write the files of a model into an existing directory."""
    prepared, preparation = fitted.preparation.state()
    arrays = {f"algorithm/{name}": array for name, array in fitted.scorer.arrays().items()}
    arrays |= {f"preparation/{name}": array for name, array in prepared.items()}
    arrays |= {"held/pos": fitted.held.score_pos, "held/unl": fitted.held.score_unl}
    # safetensors would write the file for its owner alone; a model is readable by whoever may read its directory.
    (directory / TENSORS).write_bytes(to_bytes({name: np.asarray(array, order="C") for name, array in arrays.items()}))
    for name, content in fitted.scorer.files().items():
        (directory / name).write_bytes(content)
    description = {
        "method": fitted.method,
        "options": fitted.options,
        "encoder": fitted.encoder,
        "preparation": preparation,
        "held": {name: getattr(fitted.held, name) for name in ("n_pos", "n_unl", "scenario", "source", "margin")},
        "threshold": fitted.threshold,
        "decision": fitted.decision.to_json(),
        "calibration": fitted.calibration and fitted.calibration.to_json(),
        "numbers": fitted.scorer.numbers(),
        "prior": fitted.prior,
        "alpha": fitted.alpha,
        "labelling": fitted.labelling,
        "best_epoch": fitted.best_epoch,
        "history": fitted.history,
        "notes": list(fitted.notes),
        "classes": list(fitted.classes),
        "columns": fitted.columns,
        "preset": fitted.preset,
        "settings": fitted.settings,
        "seed": fitted.seed,
        "estimator": fitted.estimator,
        "angularpu": __version__,
    }
    write_description(directory, description)


def read_model(directory: str | Path, *, encoder: nn.Module | None = None) -> Fitted:
    """Read a model directory and return the model as it was fitted.

    Parameters
    ----------
    directory : str or Path
    encoder : nn.Module, optional
        The network that was passed to fit, when it was the user's own: only its tensors are in the directory.
    """
    directory = Path(directory)
    description, contents = read_contents(directory)
    try:
        return _assemble(description, contents, encoder)
    except (SafetensorError, KeyError, TypeError, RuntimeError) as error:
        if isinstance(error, ModelError):
            raise
        raise ModelError(f"{directory} cannot be read as a model ({error}); copy or fit it again") from error


def _assemble(description: dict[str, Any], contents: Contents, encoder: nn.Module | None) -> Fitted:
    arrays = from_bytes(contents.pop(TENSORS))

    def part(prefix: str) -> dict[str, Any]:
        return {name.removeprefix(prefix): array for name, array in arrays.items() if name.startswith(prefix)}

    preparation = restore_preparation(part("preparation/"), description["preparation"])
    scorer: Scorer
    if find_method(description["method"]).is_neural:
        in_shape = preparation.out_shape
        scorer = restore_neural(description, part("algorithm/"), in_shape=in_shape, encoder=encoder)
    else:
        scorer = restore_classical(description, contents)
    return Fitted(
        method=description["method"],
        options=description["options"],
        encoder=description["encoder"],
        preparation=preparation,
        scorer=scorer,
        held=HeldOut(arrays["held/pos"], arrays["held/unl"], **description["held"]),
        decision=Decision.from_json(description["decision"]),
        # Models of 0.1.0 had no calibration and stated rule and prior in the decision alone.
        threshold=description.get("threshold", description["decision"]["rule"]),
        calibration=Calibration.from_json(calibration) if (calibration := description.get("calibration")) else None,
        prior=description.get("prior", "bbe"),
        alpha=description.get("alpha"),
        labelling=description.get("labelling"),
        best_epoch=description["best_epoch"],
        history=description["history"],
        notes=tuple(description["notes"]),
        classes=(description["classes"][0], description["classes"][1]),
        columns=columns if isinstance(columns := description["columns"], int) else tuple(columns),
        preset=description["preset"],
        settings=description["settings"],
        seed=description["seed"],
        estimator=description.get("estimator"),
    )
