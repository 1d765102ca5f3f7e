"""A fit on a Ray cluster: folds as tasks, a single network by several ranks."""

from functools import partial
from pathlib import Path
from typing import Any

from angularpu.engines.ray_cluster import join_cluster
from angularpu.engines.ray_ranks import RankedFit, train_by_ranks
from angularpu.engines.ray_tasks import run_on_ray
from angularpu.errors import SettingError
from angularpu.methods.fitted import Fitted
from angularpu.methods.neural import NeuralMethod
from angularpu.methods.protocol import Method
from angularpu.methods.table import find_method
from angularpu.model.directory import read_model
from angularpu.model.resumable import fit_into
from angularpu.progress import ReportProgress
from angularpu.scenario.sample import PUSample
from angularpu.train.ranks.group import find_ranks


def fit_on_ray(
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
    """Fit and save, by the machines of a Ray cluster; an unfinished run is resumed, wherever it was begun.

    The folds of an ensemble's members, and of a fold mean, are tasks: the model has the same bytes as one that this
    process fits. A single network is trained by one rank on every machine, as torchrun would.

    Parameters
    ----------
    method : Method
    sample : PUSample
        Sent to the machines, unless its rows lie in a file, which every machine then finds under the same path.
    directory : Path
        The model directory, on a disk that all machines share, under one path.
    seed, classes, overwrite, restart
        As :func:`~angularpu.model.resumable.fit_into` has them.
    report : callable, optional
        Called after every fold with (folds done, folds in all, text).
    """
    if find_ranks() is not None:
        raise SettingError("torchrun and a Ray cluster both spread a fit; start it without torchrun, or without Ray")
    if find_method(method.name).kind == "classical":
        raise SettingError(
            f"{method.name} cannot be spread over a Ray cluster, for it is neither an ensemble nor a network; fit it "
            "here, or make it a member of an ensemble"
        )
    given: dict[str, Any] = {"seed": seed, "classes": classes, "overwrite": overwrite, "restart": restart}
    with join_cluster() as ray:
        if isinstance(method, NeuralMethod) and method.makes_one_network(n_pos=sample.n_pos, n_unl=sample.n_unl):
            train_by_ranks(ray, RankedFit(method, sample, directory.absolute(), **given))
            return read_model(directory)
        run_tasks = partial(run_on_ray, ray, doing="fit a fold")
        return fit_into(method, sample, directory=directory, **given, report=report, run_tasks=run_tasks)
