"""The folds of several methods as tasks, which leave what they learnt in the checkpoints of the fit."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from angularpu.data.prepare.preparation import Preparation
from angularpu.errors import SettingError
from angularpu.files import lock, unfinished
from angularpu.methods.protocol import Member, RunTasks
from angularpu.progress import ReportProgress
from angularpu.scenario.proportions import Proportions
from angularpu.scenario.sample import PUSample
from angularpu.train.checkpoint import Checkpoint
from angularpu.train.cross_fitted import Folds


@dataclass(frozen=True, eq=False)
class FoldFitter:
    """Trains the model of one fold of one method, in whatever process it is called.

    Nothing is sent back: the model is in the checkpoint directory, which all processes see, and the fit reads it there
    as if it had been killed after its last fold. A fold that was begun is resumed, one that is done is left alone.

    Attributes
    ----------
    members : mapping of str to Member
        The methods by the name of their folder in ``checkpoint_dir``.
    sample : PUSample
    preparation : Preparation
    folds : Folds
    seed : int
    shares : Proportions or None
    checkpoint_dir : Path or None
        On a disk that all processes see under the same path.
    """

    members: Mapping[str, Member]
    sample: PUSample
    preparation: Preparation
    folds: Folds
    seed: int
    shares: Proportions | None
    checkpoint_dir: Path | None

    def __post_init__(self) -> None:
        if self.checkpoint_dir is None:
            raise SettingError("folds that are trained elsewhere need a directory for checkpoints; fit into one")
        object.__setattr__(self, "checkpoint_dir", self.checkpoint_dir.absolute())  # other processes start elsewhere

    def find(self, place: str) -> Path:
        """Return the folder of a method."""
        assert self.checkpoint_dir is not None
        return self.checkpoint_dir / place

    def __call__(self, task: tuple[str, int]) -> tuple[str, int]:
        """Train the model of a method and a fold, and return these."""
        place, number = task
        directory = self.find(place)
        # A process that its cluster gave up may still be at work on the fold: wait for its end.
        with lock(unfinished(directory / f"fold-{number + 1}")):
            self.members[place].fit_fold(
                self.sample,
                self.preparation,
                folds=self.folds,
                number=number,
                seed=self.seed,
                shares=self.shares,
                checkpoint_dir=directory,
            )
        return task


def spread_folds(fit_one: FoldFitter, run_tasks: RunTasks, *, report: ReportProgress | None) -> None:
    """Train all folds of all methods elsewhere, to the end; whoever fits them next finds them in the checkpoints.

    Parameters
    ----------
    fit_one : FoldFitter
    run_tasks : RunTasks
        Runs it in processes that see its checkpoint directory.
    report : callable or None
        Called after every fold with (folds done, folds in all, text).
    """
    for place, member in fit_one.members.items():
        Checkpoint(fit_one.find(place), key=member.key(fit_one.sample, fit_one.seed))  # one process claims it for all
    tasks = [(place, number) for place in fit_one.members for number in range(len(fit_one.folds.splits))]
    for done, _ in enumerate(run_tasks(fit_one, tasks), start=1):
        if report:
            report(done, len(tasks), "folds")
