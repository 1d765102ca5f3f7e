"""The trainings of one fit, each a stage with a seed and a checkpoint of its own."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import torch
from joblib import Parallel, delayed
from joblib.externals.loky import get_reusable_executor

from angularpu.algorithms.base import Algorithm
from angularpu.progress import ReportProgress
from angularpu.train.checkpoint import Checkpoint
from angularpu.train.finished_epoch import OnEpoch
from angularpu.train.journal import Journal
from angularpu.train.loop import train
from angularpu.train.ranks.checkpoint import share_checkpoint
from angularpu.train.ranks.group import find_ranks
from angularpu.train.seeding import derive, seeded
from angularpu.train.selection import Judge
from angularpu.train.settings import Schedule
from angularpu.train.state import State
from angularpu.train.task import Task
from angularpu.train.threads import choose_update_threads, count_multiplications, use_threads

# Starting a process takes some three seconds; it pays where a stage takes longer than that. Measured on one core, small
# networks do about this many multiplications a second, and an update costs about this much besides.
WORTH_A_PROCESS = 5.0
MULTIPLICATIONS_PER_SECOND = 2e10
SECONDS_PER_UPDATE = 5e-4


@dataclass(frozen=True, eq=False)
class Stage:
    """One training: its name, its number in the run, and what it learns from for how long.

    Attributes
    ----------
    name : str
        As the history has it: "training", "fold 2 of 5", "all rows".
    number : int
        Counted from 0; the seed depends on it.
    task : Task
    schedule : Schedule
    """

    name: str
    number: int
    task: Task
    schedule: Schedule


@dataclass(frozen=True, eq=False)
class Trained:
    """What a stage left: the algorithm at the epoch that was kept, on the CPU, and the record of its training."""

    algorithm: Algorithm
    state: State


@dataclass(frozen=True, eq=False)
class Trainer:
    """Trains stages, skipping those whose checkpoint says that they have ended.

    Attributes
    ----------
    build : callable
        Makes a fresh algorithm, drawing from torch's global generator.
    device : torch.device
    seed : int
    judge : Judge
    checkpoint : Checkpoint, optional
        Of the run: beside it, every stage is saved after every epoch.
    on_epoch : callable, optional
        Called after every epoch; see :class:`~angularpu.train.finished_epoch.FinishedEpoch`.
    report : callable, optional
        Called after every epoch with (epochs done, epochs at most, text), or after every stage where several are
        trained at the same time.
    """

    build: Callable[[], Algorithm]
    device: torch.device
    seed: int
    judge: Judge
    checkpoint: Checkpoint | None = None
    on_epoch: OnEpoch | None = None
    report: ReportProgress | None = None

    def run(self, stage: Stage) -> Trained:
        """Train a fresh algorithm, or take up the stage where its checkpoint has it; a small network on one thread."""
        own = None if self.checkpoint is None else self.checkpoint.of_stage(stage.name)
        journal = Journal(share_checkpoint(own))
        with seeded(derive(self.seed, 1, stage.number), self.device):
            algorithm = self.build()
            if journal.finished is not None:
                state, weights = journal.finished
                algorithm.load_state_dict(weights)
                return Trained(algorithm.eval(), state)
            threads = choose_update_threads(algorithm, stage.task.show_row(), batch_size=stage.schedule.batch_size)
            with use_threads(threads):
                state = train(
                    algorithm.to(self.device),
                    stage.task,
                    schedule=stage.schedule,
                    seed=(self.seed, 2, stage.number),
                    judge=self.judge,
                    stage=stage.name,
                    journal=journal,
                    on_epoch=self.on_epoch,
                    report=self.report,
                )
        algorithm, state.best = algorithm.cpu(), {}  # the algorithm is its own best copy now
        journal.finish(state, algorithm.state_dict())
        return Trained(algorithm, state)

    def run_all(self, stages: Sequence[Stage]) -> list[Trained]:
        """Train several stages, one thread each: on as many cores as torch may use where that pays, else in turn.

        What comes out has the same bytes either way.
        """
        jobs = min(torch.get_num_threads(), len(stages)) if find_ranks() is None else 1  # all ranks train each stage
        if jobs < 2 or self.on_epoch is not None or self.device.type != "cpu" or not self._pays(stages[0]):
            with use_threads(1):
                return [self.run(stage) for stage in stages]
        quiet = replace(self, report=None)
        spread = Parallel(n_jobs=jobs, return_as="generator", mmap_mode="c")  # the rows are shared, not copied
        done = []
        try:
            for trained in spread(delayed(_run_alone)(quiet, stage) for stage in stages):
                done.append(trained)
                if self.report:
                    self.report(len(done), len(stages), f"{stages[len(done) - 1].name} done")
        finally:
            get_reusable_executor().shutdown(wait=True)  # no process outlives the fit
        return done

    def _pays(self, stage: Stage) -> bool:
        """Tell whether a stage takes longer than a process takes to start."""
        with torch.random.fork_rng(devices=[]):
            each = count_multiplications(self.build(), stage.task.show_row())
        rows = (len(stage.task.pos) + len(stage.task.unl)) * stage.schedule.epochs
        seconds = 3 * each * rows / MULTIPLICATIONS_PER_SECOND
        return seconds + SECONDS_PER_UPDATE * rows / stage.schedule.batch_size > WORTH_A_PROCESS


def _run_alone(trainer: Trainer, stage: Stage) -> Trained:
    with use_threads(1):
        return trainer.run(stage)


def list_history(stages: Sequence[Stage], trained: Sequence[Trained]) -> list[dict[str, Any]]:
    """Return one entry per stage and epoch."""
    pairs = zip(stages, trained, strict=True)
    return [{"stage": stage.name, **entry} for stage, result in pairs for entry in result.state.history]
