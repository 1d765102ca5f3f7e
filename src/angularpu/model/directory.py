"""Save and read a fitted model: safetensors and JSON, nothing that could run.

A model directory holds ``model.safetensors`` and ``model.json``; the JSON carries the format's version and the
checksums of both. Its bytes depend on data, settings and seed alone. Nothing that is read is trusted: fields, shapes
and numbers are checked before anything is made of them.
"""

import os
import warnings
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from safetensors.numpy import save as to_bytes
from torch import nn

from angularpu import __version__, files
from angularpu.errors import ModelError
from angularpu.files.finite import refuse_infinite
from angularpu.methods.fitted import Fitted
from angularpu.methods.stored import check_parts
from angularpu.model.assembly import LEARNT, PREPARED, REMEMBERED, assemble, compare_outlines
from angularpu.model.description import Outlines, read_contents, write_description
from angularpu.model.explaining import explaining
from angularpu.model.schema import DESCRIPTION, SKOPS, TENSORS, check_description


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
    packed = pack(fitted)
    check_destination(directory, overwrite=overwrite)
    directory.parent.mkdir(parents=True, exist_ok=True)
    with files.atomic_directory(directory) as temporary:
        packed.write(temporary)


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


@dataclass(frozen=True)
class Packed:
    """The content of a model's files, complete before the first of them is written.

    Attributes
    ----------
    description : dict
        What the JSON says, without checksums.
    tensors : bytes
    """

    description: dict[str, Any]
    tensors: bytes

    def write(self, directory: Path) -> None:
        """Write the files into an existing directory."""
        # safetensors would write the file for its owner alone; a model is readable by whoever may read its directory.
        (directory / TENSORS).write_bytes(self.tensors)
        write_description(directory, self.description)


def pack(fitted: Fitted) -> Packed:
    """Turn a model into the content of its files, or say why it cannot be saved."""
    prepared, preparation = fitted.preparation.state()
    learnt, structure = fitted.scorer.arrays(), fitted.scorer.structure()
    arrays = {f"{LEARNT}{name}": array for name, array in learnt.items()}
    arrays |= {f"{PREPARED}{name}": array for name, array in prepared.items()}
    arrays |= {"held/pos": fitted.held.score_pos, "held/unl": fitted.held.score_unl}
    arrays |= {f"{REMEMBERED}{name}": array for name, array in fitted.remembered.arrays().items()}
    refuse_infinite(arrays)
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
        "audit": fitted.audit,
        "angularpu": __version__,
    }
    if structure:
        description["parts"] = structure
    try:
        description = files.parse_json(files.dump_json(description))
        check_description(description)
        if structure:  # what cannot be read is not kept
            check_parts(description, learnt, in_shape=fitted.preparation.out_shape)
    except (ValueError, ModelError) as error:
        raise ModelError(f"the model cannot be saved, since its JSON could not be read again: {error}") from error
    return Packed(description, to_bytes({name: np.asarray(array, order="C") for name, array in arrays.items()}))


def read_model(directory: str | Path, *, encoder: nn.Module | None = None, trusted: bool = False) -> Fitted:
    """Read a model directory and return the model as it was fitted.

    Parameters
    ----------
    directory : str or Path
    encoder : nn.Module, optional
        The network that was passed to fit, when it was the user's own: only its tensors are in the directory.
    trusted : bool
        Read a classical model of an earlier version, whose classifier is an archive of skops: whoever made that can end
        the process or fill the memory. All other models are read without it, whoever made them.

    Raises
    ------
    ModelError
        In one sentence, whatever the directory holds. Sizes that do not belong together are refused before anything but
        the JSON and the table of contents of the tensors is read.
    """
    directory = Path(directory)
    explain = f"{directory} cannot be read as a model"

    def check(description: dict[str, Any], outlines: Outlines) -> None:
        if SKOPS in description["checksums"] and not trusted:
            raise ModelError(
                f"{directory} is a model of an earlier version, whose {SKOPS} can end the process or fill the memory "
                "if it was forged; if you know who made it, pass trusted=True (--trusted), or fit the model again"
            )
        with explaining(explain):
            compare_outlines(description, outlines, encoder=encoder)

    description, contents = read_contents(directory, check=check)
    if SKOPS in contents:
        warnings.warn(f"{directory}: {SKOPS} is read because you trust it; save the model again", stacklevel=2)
    with explaining(explain):
        return assemble(description, contents, encoder=encoder)
