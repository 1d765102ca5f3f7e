"""Fit into a model directory: being killed at any moment costs an epoch at most and never leaves half a model."""

from pathlib import Path
from typing import Any

from angularpu import files
from angularpu.errors import AngularPUError
from angularpu.fit.workflow import fit_method
from angularpu.methods.fitted import Fitted
from angularpu.methods.protocol import Method
from angularpu.model import directory as model_directory
from angularpu.progress import ReportProgress
from angularpu.scenario.sample import PUSample

FINISHED = "finished.json"


def part_of(directory: Path) -> Path:
    """Return where the unfinished run for a model directory lives.

    >>> part_of(Path("models/spam")).name
    'spam.part'
    """
    return directory.parent / f"{directory.name}.part"


def fit_into(
    method: Method,
    sample: PUSample,
    *,
    directory: Path,
    seed: int,
    classes: tuple[Any, Any] = (0, 1),
    overwrite: bool = False,
    restart: bool = False,
    report: ReportProgress | None = None,
) -> Fitted:
    """Fit and save, going on from an unfinished run of the same data and settings if there is one.

    Parameters
    ----------
    method : Method
    sample : PUSample
    directory : Path
        The model directory to write; checkpoints stand in ``<directory>.part`` until it is complete.
    seed : int
    classes : tuple
        The user's own names of (unlabelled, positive).
    overwrite : bool
        Replace an existing model; anything else is never replaced.
    restart : bool
        Throw an unfinished run away first.
    report : callable, optional
        Called after every epoch with (epochs done, epochs at most, text).
    """
    part = part_of(directory)
    if directory.exists() and not (overwrite or restart) and _is_published(part, method.key(sample, seed)):
        files.remove(part)
        return model_directory.read_model(directory)
    model_directory.check_target(directory, overwrite=overwrite)
    files.sweep(part)
    if restart:
        files.remove(part)
    directory.parent.mkdir(parents=True, exist_ok=True)
    fresh = not part.exists()
    try:
        fitted = fit_method(method, sample, seed=seed, classes=classes, checkpoint_dir=part, report=report)
    except AngularPUError:
        if fresh:
            files.remove(part)
        raise
    part.mkdir(exist_ok=True)  # a method without epochs has left nothing there
    with files.atomic_directory(part / "model") as temporary:
        model_directory.write(fitted, temporary)
    files.write_json(part / FINISHED, {"key": method.key(sample, seed)})
    files.move(part / "model", directory)
    files.remove(part)
    return fitted


def _is_published(part: Path, key: str) -> bool:
    """Tell whether the run in ``part`` ended with its model in place and was killed before it could tidy up."""
    path = part / FINISHED
    return path.exists() and not (part / "model").exists() and key in path.read_text(encoding="utf-8")
