"""From a sample to a trained algorithm and scores to decide by: one hold-out, or folds when positives are few."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray

from angularpu.algorithms.base import Algorithm
from angularpu.decide.held_out import HeldOut
from angularpu.decide.held_out import Source as Origin
from angularpu.errors import SettingError
from angularpu.progress import ReportProgress
from angularpu.scenario.proportions import Proportions
from angularpu.scenario.sample import PUSample, Truth
from angularpu.scenario.split import plan_validation
from angularpu.train.checkpoint import Checkpoint
from angularpu.train.journal import Journal
from angularpu.train.loop import Task, train
from angularpu.train.prepared_rows import PreparedRows
from angularpu.train.scoring import score_rows
from angularpu.train.seeding import derive, seeded
from angularpu.train.selection import NEEDS_PRIOR, Judge, Selection
from angularpu.train.settings import Schedule, Settings, choose_device
from angularpu.train.state import State
from angularpu.train.views import VIEWS

Index = NDArray[np.int64]
Score = NDArray[np.float32]
Scores = tuple[Score, Score]

LAST = "no validation: the last epoch was asked for"
SAME_ROWS = "the rows that choose the threshold also chose the epoch, so the estimated recall leans a little high"


@dataclass(frozen=True)
class Trained:
    """A trained algorithm with what is known about it.

    Attributes
    ----------
    algorithm : Algorithm
        On the CPU, in eval mode.
    held : HeldOut
        Scores to choose a threshold by.
    rows : (ndarray, ndarray) of int64
        Numbers of the positives and of the unlabelled rows that those are the scores of.
    best_epoch : int
        The epoch that was kept, counted from 1.
    history : list of dict
        One entry per stage and epoch.
    notes : tuple of str
        What a careful user should know about the validation.
    """

    algorithm: Algorithm
    held: HeldOut
    rows: tuple[Index, Index]
    best_epoch: int
    history: list[dict[str, Any]]
    notes: tuple[str, ...]


def fit(
    build: Callable[[], Algorithm],
    sample: PUSample,
    *,
    prepared: PreparedRows,
    settings: Settings,
    seed: int,
    shares: Proportions | None = None,
    truth: Truth | None = None,
    checkpoint: Checkpoint | None = None,
    report: ReportProgress | None = None,
) -> Trained:
    """Train an algorithm on a sample.

    With 1000 labelled positives or more, a tenth of the positives and of the unlabelled rows is held out; it chooses
    the epoch, by PU-AUC unless the settings say otherwise, and its scores the threshold. With fewer, folds do both, so
    that every positive is held out once, and the algorithm is then trained on all rows for the number of epochs that
    the folds agree on. The settings may ask for either.

    Parameters
    ----------
    build : callable
        Makes a fresh algorithm, drawing from torch's global generator.
    sample : PUSample
    prepared : PreparedRows
        The sample's rows, prepared.
    settings : Settings
    seed : int
    shares : Proportions, optional
        The shares of positives, for a selection that needs them.
    truth : Truth, optional
        True classes of the sample, for the selection "oracle" alone.
    checkpoint : Checkpoint, optional
    report : callable, optional
        Called after every epoch with (epochs done, epochs at most, text).
    """
    schedule = settings.schedule(len(sample.s))
    plan = plan_validation(sample, rng=np.random.default_rng([seed, 0]), validation=settings.validation)
    device = choose_device(settings.device)
    origin: Origin
    scores: Scores
    rows = sample.pos, sample.unl
    judge = _appoint(settings.selection, shares, truth)
    stages = _Stages(
        build,
        Task(prepared, sample.pos, sample.unl, make_view=VIEWS[sample.rows.kind]),
        device=device,
        seed=seed,
        judge=judge,
        journal=Journal(checkpoint),
        report=report,
    )
    if settings.selection == "last" or not plan.splits:
        algorithm, epoch = stages.train_on_all(schedule)
        scores = stages.score(algorithm, sample.pos), stages.score(algorithm, sample.unl)
        origin = "training"
    elif len(plan.splits) == 1:
        task = stages.split(*plan.splits[0])
        algorithm, state = stages.run(task, schedule, name="training")
        rows = task.held_pos, task.held_unl
        epoch = state.kept_epoch
        scores = state.held[epoch - 1]
        origin = "held out"
    else:
        stops, scores = stages.cross_fit([stages.split(*split) for split in plan.splits], schedule)
        algorithm, epoch = stages.train_on_all(replace(schedule, stops=stops))
        if not algorithm.has_own_scale:
            scores = carry_over(*scores, own_unl=stages.score(algorithm, sample.unl))
        origin = "cross-fitted"
    held = HeldOut(*scores, n_pos=sample.n_pos, n_unl=sample.n_unl, scenario=sample.scenario, source=origin)
    notes = ((LAST if plan.splits else plan.note),) if origin == "training" else (plan.note, SAME_ROWS)
    return Trained(algorithm, held, rows, best_epoch=epoch, history=stages.history(), notes=notes)


class _Stages:
    """The stages of one run, each with a seed of its own, each skipped when the journal has it."""

    def __init__(
        self,
        build: Callable[[], Algorithm],
        everything: Task,
        *,
        device: torch.device,
        seed: int,
        judge: Judge,
        journal: Journal,
        report: ReportProgress | None,
    ) -> None:
        self._build, self._all, self._device, self._seed = build, everything, device, seed
        self._judge, self._journal, self._report = judge, journal, report
        self._names: list[str] = []

    def split(self, learn: Index, held: Index) -> Task:
        """Return the task of learning from some rows with others held out."""

        def both(index: Index) -> Iterator[Index]:
            return (index[np.isin(index, rows)] for rows in (self._all.pos, self._all.unl))

        (pos, unl), (held_pos, held_unl) = both(learn), both(held)
        return replace(self._all, pos=pos, unl=unl, held_pos=held_pos, held_unl=held_unl)

    def run(self, task: Task, schedule: Schedule, *, name: str) -> tuple[Algorithm, State]:
        """Train a fresh algorithm on one task."""
        number = len(self._names)
        self._names.append(name)
        with seeded(derive(self._seed, 1, number), self._device):
            algorithm = self._build().to(self._device)
            state = train(
                algorithm,
                task,
                schedule=schedule,
                seed=(self._seed, 2, number),
                judge=self._judge,
                store=self._journal,
                report=_named(self._report, name),
            )
        self._journal.finish(state)
        return algorithm.cpu(), state

    def cross_fit(self, tasks: list[Task], schedule: Schedule) -> tuple[tuple[int, ...], Scores]:
        """Train one algorithm per fold; return the epochs to stop each phase at, and the held-out scores.

        The last phase stops at the epoch with the best mean value over the folds, those before it at the median of
        where the folds left them. The scores stand in the order of the sample's rows, as if one model had made them.
        """
        states = list(self._journal.finished[: len(tasks)])
        self._names = [f"fold {k + 1} of {len(tasks)}" for k in range(len(states))]
        for k in range(len(states), len(tasks)):
            states.append(self.run(tasks[k], schedule, name=f"fold {k + 1} of {len(tasks)}")[1])
        best = _agree(states)
        earlier = np.median([state.stops for state in states], axis=0).astype(int).tolist()
        pos, unl = zip(*(state.held[best - 1] for state in states), strict=True)
        by_pos = np.argsort(np.concatenate([task.held_pos for task in tasks]))
        by_unl = np.argsort(np.concatenate([task.held_unl for task in tasks]))
        return (*earlier, best), (np.concatenate(pos)[by_pos], np.concatenate(unl)[by_unl])

    def train_on_all(self, schedule: Schedule) -> tuple[Algorithm, int]:
        """Train on every row, without selection."""
        algorithm, state = self.run(self._all, schedule, name="all rows")
        return algorithm, state.epoch

    def score(self, algorithm: Algorithm, index: Index) -> NDArray[np.float32]:
        """Score rows of the sample."""
        return score_rows(algorithm, self._all.prepared, index)

    def history(self) -> list[dict[str, Any]]:
        """Return one entry per stage and epoch."""
        pairs = zip(self._names, self._journal.finished, strict=True)
        return [{"stage": name, **entry} for name, state in pairs for entry in state.history]


def carry_over(pos: Score, unl: Score, *, own_unl: Score) -> Scores:
    """Bring cross-fitted scores to the scale of the model that was trained on all rows.

    Logits have no scale of their own, and every fold ends on another. The unlabelled rows have scores from the folds
    and from the final model; the rising map that makes their two distributions equal is applied to all cross-fitted
    scores, and goes on in parallel beyond their ends.

    Parameters
    ----------
    pos, unl : ndarray of float32
        Cross-fitted scores of the positives and of the unlabelled rows.
    own_unl : ndarray of float32
        The final model's scores of the same unlabelled rows.

    Examples
    --------
    >>> pos, unl = np.array([2, 5], np.float32), np.array([1, 3, 2], np.float32)
    >>> carry_over(pos, unl, own_unl=np.array([10, 30, 20], np.float32))
    (array([20., 32.], dtype=float32), array([10., 30., 20.], dtype=float32))
    """
    knots, places = np.unique(np.sort(unl), return_index=True)
    values = np.sort(own_unl)[places]

    def move(score: Score) -> Score:
        beyond = np.clip(score - knots[-1], 0, None) - np.clip(knots[0] - score, 0, None)
        moved: Score = (np.interp(score, knots, values) + beyond).astype(np.float32)
        return moved

    return move(pos), move(unl)


def _appoint(selection: Selection, shares: Proportions | None, truth: Truth | None) -> Judge:
    """Return the judge of a selection rule, refusing one that lacks what it goes by."""
    if selection in NEEDS_PRIOR and shares is None:
        raise SettingError(
            f"selection {selection!r} needs the share of positives; pass prior, a number or an estimator"
        )
    if selection == "oracle" and truth is None:
        raise SettingError("selection 'oracle' needs the true classes; without them use 'pu-auc', which needs none")
    return Judge(selection, shares, truth if selection == "oracle" else None)


def _agree(states: list[State]) -> int:
    """Return the epoch with the best mean value over the folds, the latest of equals; the last if none is selected."""
    epochs = min(len(state.held) for state in states)
    if not all(state.best_epoch for state in states):
        return epochs
    by_epoch = np.mean([state.values[:epochs] for state in states], axis=0)
    return epochs - int(np.argmax(by_epoch[::-1]))


def _named(report: ReportProgress | None, name: str) -> ReportProgress | None:
    """Put a stage's name before what it reports."""
    if report is None:
        return None
    return lambda done, total, text: report(done, total, f"{name}: {text}")
