"""Fit into a model directory: being killed at any moment costs an epoch at most and never leaves half a model.

The states of ``fit_into(..., directory=m)``, and what the same call does when the process was killed in each:

1. ``m.part/lock`` alone, or with ``run.json``: nothing is trained yet; the run starts. Rows of large Parquet files are
   also there, prepared, as ``prepared-<checksum>.npy``, from here to 2; half written it is ``.prepared-...~``, and is
   written again.
2. ``m.part/training.safetensors``, or one such file for each fold: some epochs are trained; the run resumes after the
   last of them.
3. ``m.part/.model~`` (with ``.model.lock~``): all is trained, the model half written; it is written again.
4. ``m.part/model``, without or with ``finished.json``: the model is whole; it is written again, with the same bytes.
5. ``m`` is the new model, and ``m.part/model``, if there was an old one, is that, whole or half deleted: ``m.part`` is
   removed and ``m`` returned. ``finished.json`` tells this state from 4: it has the checksum of the run's model.
6. ``m`` is the new model, and ``.m.part.removed~`` is half deleted: it is swept, and the call is a new one.

In 1 to 4 ``m`` is as it was before, absent or the old model; a reader finds the old or the new one at any moment.
Where the system cannot exchange two names there is one more state between 4 and 5: no ``m``, but ``.m.old~``. Readers
find the old model there, and the next run brings it back first. ``.m.lock~`` may be left behind from 4 on; the next
run removes it.
"""

import contextlib
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from angularpu import files
from angularpu.errors import AngularPUError, EngineError, RankError
from angularpu.fit.workflow import fit_method
from angularpu.methods.fitted import Fitted
from angularpu.methods.protocol import Method, RunTasks
from angularpu.model import directory as model_directory
from angularpu.model.schema import DESCRIPTION
from angularpu.progress import ReportProgress
from angularpu.scenario.sample import PUSample
from angularpu.train.ranks.group import start_ranks

FINISHED = "finished.json"
LOCK = "lock"


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
    run_tasks: RunTasks | None = None,
) -> Fitted:
    """Fit and save; an unfinished run of the same data and settings is resumed.

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
    run_tasks : RunTasks, optional
        Trains the folds elsewhere; see :func:`~angularpu.fit.workflow.fit_method`.
    """
    method.check_storable()
    part, key = part_of(directory), method.key(sample, seed)
    if directory.name:  # what has none is refused below
        files.sweep(directory)
        files.sweep(part)
    published = _find_published(directory)
    finished = published == key and not restart
    if not finished:
        model_directory.check_destination(directory, overwrite=overwrite)
    if published or restart:
        with _alone(directory):
            files.remove(part)
    if finished:
        start_ranks(training=False)
        return model_directory.read_model(directory)
    with _alone(directory):
        fresh = all(path.name == LOCK for path in part.iterdir())
        start_ranks(training=True)
        try:
            fitted = fit_method(
                method, sample, seed=seed, classes=classes, checkpoint_dir=part, report=report, run_tasks=run_tasks
            )
        except AngularPUError as error:
            if fresh and not isinstance(error, RankError | EngineError):  # which are no fault of this run
                files.remove(part)
            raise
        with files.atomic_directory(part / "model") as temporary:
            model_directory.pack(fitted).write(temporary)
        files.write_json(part / FINISHED, {"key": key, "model": files.sha256(part / "model" / DESCRIPTION)})
        model_directory.check_destination(directory, overwrite=overwrite)  # a model may have come there meanwhile
        files.move(part / "model", directory)
        files.remove(part)
    return fitted


@contextlib.contextmanager
def _alone(directory: Path) -> Iterator[None]:
    """Keep a second fit into the same directory out; the block finds the part of the run there."""
    part = part_of(directory)
    try:
        with files.lock(part / LOCK, busy=f"another fit into {directory} is running"):
            part.mkdir(parents=True, exist_ok=True)  # it is there, unless nothing can be made or locked
            yield
    finally:
        with contextlib.suppress(OSError):
            part.rmdir()  # where nothing was begun


def _find_published(directory: Path) -> str | None:
    """Return the key of a run whose model is in place, but which was killed before it could tidy up."""
    try:
        finished = json.loads((part_of(directory) / FINISHED).read_text(encoding="utf-8"))
        return str(finished["key"]) if finished["model"] == files.sha256(directory / DESCRIPTION) else None
    except (FileNotFoundError, NotADirectoryError, ValueError, KeyError):
        return None
