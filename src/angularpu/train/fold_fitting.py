"""Networks for folds that were chosen elsewhere: those of all folds, or that of one, wherever it is trained."""

from collections.abc import Callable

from angularpu.algorithms.base import Algorithm
from angularpu.progress import ReportProgress
from angularpu.scenario.proportions import Proportions
from angularpu.scenario.sample import PUSample
from angularpu.train.checkpoint import Checkpoint
from angularpu.train.cross_fitted import CrossFitted, Folds
from angularpu.train.cross_fitting import cross_fit, list_thinned
from angularpu.train.fitting import make_task
from angularpu.train.prepared_rows import PreparedRows
from angularpu.train.selection import make_judge
from angularpu.train.settings import Settings, choose_device
from angularpu.train.stages import Trainer
from angularpu.train.threads import use_threads


def fit_folds(
    build: Callable[[], Algorithm],
    sample: PUSample,
    folds: Folds,
    *,
    prepared: PreparedRows,
    settings: Settings,
    seed: int,
    shares: Proportions | None = None,
    checkpoint: Checkpoint | None = None,
    report: ReportProgress | None = None,
) -> CrossFitted:
    """Train one algorithm for every fold; the rest is as in :func:`~angularpu.train.fitting.fit`."""
    judge = make_judge(settings.selection, shares=shares, truth=None)
    device = choose_device(settings.device)
    trainer = Trainer(build, device, seed=seed, judge=judge, checkpoint=checkpoint, report=report)
    return cross_fit(trainer, make_task(sample, prepared), folds, settings=settings)


def fit_fold(
    build: Callable[[], Algorithm],
    sample: PUSample,
    folds: Folds,
    *,
    number: int,
    prepared: PreparedRows,
    settings: Settings,
    seed: int,
    shares: Proportions | None,
    checkpoint: Checkpoint,
) -> None:
    """Train the algorithm of one fold and leave it in the checkpoint, where :func:`fit_folds` finds it."""
    judge = make_judge(settings.selection, shares=shares, truth=None)
    trainer = Trainer(build, choose_device(settings.device), seed=seed, judge=judge, checkpoint=checkpoint)
    stages = list_thinned(make_task(sample, prepared), folds, settings=settings, seed=seed)
    with use_threads(1):
        trainer.run(stages[number])
