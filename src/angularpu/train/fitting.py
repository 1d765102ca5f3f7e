"""From a sample to a trained algorithm and scores to decide by: one hold-out, or folds when positives are few."""

from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray

from angularpu.algorithms.base import Algorithm
from angularpu.decide.held_out import HeldOut, Origin
from angularpu.progress import ReportProgress
from angularpu.scenario.proportions import Proportions
from angularpu.scenario.sample import PUSample, Truth
from angularpu.scenario.split import LEAST_HELD, ValidationPlan, plan_validation
from angularpu.train.checkpoint import Checkpoint
from angularpu.train.finished_epoch import ONE_SPLIT, OnEpoch
from angularpu.train.journal import Journal
from angularpu.train.loop import Task, train
from angularpu.train.outcome import Outcome
from angularpu.train.prepared_rows import PreparedRows
from angularpu.train.scoring import NeuralScorer, score_rows
from angularpu.train.seeding import derive, seeded
from angularpu.train.selection import Judge, ScoreArray, make_judge
from angularpu.train.settings import Schedule, Settings, choose_device
from angularpu.train.state import HeldScores, State
from angularpu.train.views import VIEWS

Index = NDArray[np.int64]

SAME_ROWS = "the rows that choose the threshold also chose the epoch, so the estimated recall leans a little high"


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
    on_epoch: OnEpoch | None = None,
    report: ReportProgress | None = None,
) -> Outcome:
    """Train an algorithm on a sample.

    With 1000 labelled positives or more, a tenth of the positives and of the unlabelled rows is held out; it chooses
    the epoch, by PU-AUC unless the settings say otherwise, and its scores the threshold. With fewer, folds do both, so
    that every positive is held out once, and the algorithm is then trained on all rows for the number of epochs that
    the folds agree on. The settings may ask for either, and for the last epoch, which the held-out rows then do not
    choose; their scores choose the threshold all the same.

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
        Saved to after every epoch; a run that is found there is resumed.
    on_epoch : callable, optional
        Called after every epoch of every stage; see :class:`~angularpu.train.finished_epoch.FinishedEpoch`.
    report : callable, optional
        Called after every epoch with (epochs done, epochs at most, text).
    """
    schedule = settings.schedule(len(sample.s))
    plan = _plan(sample, settings, seed=seed)
    origin: Origin
    scores: HeldScores
    rows = sample.pos, sample.unl
    judge = make_judge(settings.selection, shares=shares, truth=truth)
    stages = _Stages(
        build,
        Task(prepared, sample.pos, sample.unl, make_view=VIEWS[sample.rows.kind]),
        device=choose_device(settings.device),
        seed=seed,
        judge=judge,
        journal=Journal(checkpoint),
        on_epoch=on_epoch,
        report=report,
    )
    if not plan.splits:
        algorithm, epoch = stages.train_on_all(schedule)
        scores = stages.score(algorithm, sample.pos), stages.score(algorithm, sample.unl)
        origin = "training"
    elif len(plan.splits) == 1:
        task = stages.split(*plan.splits[0])
        algorithm, state = stages.run(task, schedule, name=ONE_SPLIT)
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
    held = HeldOut(
        *scores,
        n_pos=sample.n_pos,
        n_unl=sample.n_unl,
        scenario=sample.scenario,
        source=origin,
        margin=algorithm.find_margin(),
    )
    notes = (plan.note, SAME_ROWS) if plan.splits and judge.selects else (plan.note,)
    return Outcome(NeuralScorer(algorithm), held, rows, best_epoch=epoch, history=stages.history(), notes=notes)


def _plan(sample: PUSample, settings: Settings, *, seed: int) -> ValidationPlan:
    """Plan what to hold out; the last epoch can be kept without, where half of the positives would go."""
    few = sample.n_pos <= 2 * LEAST_HELD
    if settings.selection == "last" and settings.validation == "hold-out" and few:
        note = (
            f"no validation: {sample.n_pos} labelled positives are too few to hold {LEAST_HELD} of them out, so the "
            "threshold rests on the scores of training rows"
        )
        return ValidationPlan("none", (), note)
    return plan_validation(sample, rng=np.random.default_rng([seed, 0]), validation=settings.validation)


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
        on_epoch: OnEpoch | None,
        report: ReportProgress | None,
    ) -> None:
        self._build, self._all, self._device, self._seed = build, everything, device, seed
        self._judge, self._journal, self._on_epoch, self._report = judge, journal, on_epoch, report
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
                stage=name,
                journal=self._journal,
                on_epoch=self._on_epoch,
                report=self._report,
            )
        self._journal.finish(state)
        return algorithm.cpu(), state

    def cross_fit(self, tasks: list[Task], schedule: Schedule) -> tuple[tuple[int, ...], HeldScores]:
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

    def score(self, algorithm: Algorithm, index: Index) -> ScoreArray:
        """Score rows of the sample."""
        return score_rows(algorithm, self._all.prepared, index)

    def history(self) -> list[dict[str, Any]]:
        """Return one entry per stage and epoch."""
        pairs = zip(self._names, self._journal.finished, strict=True)
        return [{"stage": name, **entry} for name, state in pairs for entry in state.history]


def carry_over(pos: ScoreArray, unl: ScoreArray, *, own_unl: ScoreArray) -> HeldScores:
    """Bring cross-fitted scores to the scale of the model that was trained on all rows.

    Logits have no scale of their own, and every fold ends on another. The unlabelled rows have scores from the folds
    and from the final model; the rising map that makes their two distributions equal is applied to all cross-fitted
    scores, and is continued in parallel beyond their ends.

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

    def move(score: ScoreArray) -> ScoreArray:
        beyond = np.clip(score - knots[-1], 0, None) - np.clip(knots[0] - score, 0, None)
        moved: ScoreArray = (np.interp(score, knots, values) + beyond).astype(np.float32)
        return moved

    return move(pos), move(unl)


def _agree(states: list[State]) -> int:
    """Return the epoch with the best mean value over the folds, the latest of equals; the last if none is selected."""
    epochs = min(len(state.held) for state in states)
    if not all(state.best_epoch for state in states):
        return epochs
    by_epoch = np.mean([state.values[:epochs] for state in states], axis=0)
    return epochs - int(np.argmax(by_epoch[::-1]))
