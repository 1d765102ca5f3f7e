"""From a sample to a trained algorithm and scores to decide by: one hold-out, or folds when positives are few."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from angularpu.algorithms.base import Algorithm
from angularpu.decide.held_out import HeldOut, Origin
from angularpu.progress import ReportProgress
from angularpu.scenario.proportions import Proportions
from angularpu.scenario.sample import PUSample, Truth
from angularpu.scenario.split import LEAST_HELD, ValidationPlan, plan_validation
from angularpu.train.checkpoint import Checkpoint
from angularpu.train.cross_fitted import Folds, join
from angularpu.train.cross_fitting import cross_fit, list_stages
from angularpu.train.finished_epoch import ONE_SPLIT, OnEpoch
from angularpu.train.fold_mean import average
from angularpu.train.outcome import Outcome, Scorer
from angularpu.train.prepared_rows import PreparedRows
from angularpu.train.scoring import NeuralScorer, score_rows
from angularpu.train.selection import ScoreArray, make_judge
from angularpu.train.settings import Schedule, Settings, choose_device
from angularpu.train.spread import Spread
from angularpu.train.stages import Stage, Trainer, list_history
from angularpu.train.state import HeldScores, State
from angularpu.train.task import Task
from angularpu.train.views import VIEWS

Index = NDArray[np.int64]

ALL_ROWS = "all rows"
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

    With 10,000 labelled positives or more, a tenth of the positives and of the unlabelled rows is held out; it chooses
    the epoch, by PU-AUC unless the settings say otherwise, and its scores the threshold. With fewer, folds do both, so
    that every row is held out once: each fold's model keeps the epoch that is best on its own held-out rows, and rows
    are scored by the mean of these models. With ``refit`` the algorithm is trained on all rows instead, for the number
    of epochs that the folds agree on, and a tenth is held out from 1000 labelled positives on. The settings may ask for
    either validation, and for the last epoch, which the held-out rows then do not choose; their scores choose the
    threshold all the same.

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
    plan = plan_fit(sample, settings, seed=seed)
    judge = make_judge(settings.selection, shares=shares, truth=truth)
    device = choose_device(settings.device)
    trainer = Trainer(build, device, seed=seed, judge=judge, checkpoint=checkpoint, on_epoch=on_epoch, report=report)
    everything = make_task(sample, prepared)
    if not plan.splits:
        result = _train_on_all(trainer, everything, schedule)
    elif len(plan.splits) == 1:
        result = _hold_out(trainer, everything.split(*plan.splits[0]), schedule)
    else:
        folds = Folds.of(sample, plan.splits)
        if settings.refit:
            result = _cross_fit_and_refit(trainer, everything, folds, schedule=schedule)
        else:
            result = _cross_fit(trainer, everything, folds, settings=settings)
    held = HeldOut(
        *result.scores,
        n_pos=sample.n_pos,
        n_unl=sample.n_unl,
        scenario=sample.scenario,
        source=result.origin,
        margin=result.margin,
    )
    notes = (plan.note, SAME_ROWS) if plan.splits and judge.selects else (plan.note,)
    return Outcome(result.scorer, held, result.rows, best_epoch=result.epoch, history=result.history, notes=notes)


def make_task(sample: PUSample, prepared: PreparedRows) -> Task:
    """Make the task of learning from all rows; those that a person reviewed leave the unlabelled ones."""
    unreviewed = np.setdiff1d(sample.unl, np.concatenate([sample.confirmed, sample.refuted]), assume_unique=True)
    return Task(
        prepared,
        np.union1d(sample.pos, sample.confirmed),
        unreviewed,
        neg=sample.refuted,
        confirmed=sample.confirmed,
        make_view=VIEWS[sample.rows.kind],
    )


@dataclass(frozen=True, eq=False)
class _Result:
    """What the trainings of one fit come to.

    Attributes
    ----------
    scorer : Scorer
    scores : (ndarray, ndarray) of float32
        Of labelled positives and of unlabelled rows, to choose a threshold by.
    rows : (ndarray, ndarray) of int64
        Their numbers.
    origin : {"held out", "cross-fitted", "training"}
    epoch : int
    margin : float or None
        The score at the method's own margin, where one model has one.
    history : list of dict
        One entry per stage and epoch.
    """

    scorer: Scorer
    scores: HeldScores
    rows: tuple[Index, Index]
    origin: Origin
    epoch: int
    margin: float | None
    history: list[dict[str, Any]]


def _train_on_all(trainer: Trainer, everything: Task, schedule: Schedule) -> _Result:
    """Train once on every row, without selection; the training rows' own scores are all there is to cut by."""
    stage = Stage(ALL_ROWS, 0, everything, schedule)
    trained = trainer.run(stage)
    algorithm, rows = trained.algorithm, everything.as_labelled
    scores = (score_rows(algorithm, everything.prepared, index) for index in rows)
    return _Result(
        NeuralScorer(algorithm),
        tuple(scores),  # type: ignore[arg-type]
        rows,
        origin="training",
        epoch=trained.state.epoch,
        margin=algorithm.find_margin(),
        history=list_history([stage], [trained]),
    )


def _hold_out(trainer: Trainer, task: Task, schedule: Schedule) -> _Result:
    """Train once, with some rows held out."""
    stage = Stage(ONE_SPLIT, 0, task, schedule)
    trained = trainer.run(stage)
    epoch = trained.state.kept_epoch
    return _Result(
        NeuralScorer(trained.algorithm),
        trained.state.held[epoch - 1],
        (task.held_pos, task.held_unl),
        origin="held out",
        epoch=epoch,
        margin=trained.algorithm.find_margin(),
        history=list_history([stage], [trained]),
    )


def _cross_fit(trainer: Trainer, everything: Task, folds: Folds, *, settings: Settings) -> _Result:
    """Train one model per fold and score by their mean on a common scale."""
    cross = cross_fit(trainer, everything, folds, settings=settings)
    mean, scores = average(cross)
    return _Result(
        mean,
        scores.join_as_mean(folds),
        folds.rows,
        origin="cross-fitted",
        epoch=round(float(np.median(cross.epochs))),
        margin=None,
        history=cross.history,
    )


def _cross_fit_and_refit(trainer: Trainer, everything: Task, folds: Folds, *, schedule: Schedule) -> _Result:
    """Train one model per fold, then one on all rows for as long as the folds agree on.

    The last phase stops at the epoch with the best mean value over the folds, those before it at the median of where
    the folds left them.
    """
    stages = list(list_stages(everything, folds, schedule=schedule))
    trained = trainer.run_all(stages)
    states = [one.state for one in trained]
    best = _agree(states)
    earlier = np.median([state.stops for state in states], axis=0).astype(int).tolist()
    last = Stage(ALL_ROWS, len(stages), everything, replace(schedule, stops=(*earlier, best)))
    final = trainer.run(last)
    algorithm, scores = final.algorithm, join([state.held[best - 1] for state in states], folds)
    if not algorithm.has_own_scale:
        own = score_rows(algorithm, everything.prepared, folds.rows[1])
        scores = carry_over(*scores, own_unl=own)
    return _Result(
        NeuralScorer(algorithm),
        scores,
        folds.rows,
        origin="cross-fitted",
        epoch=final.state.epoch,
        margin=algorithm.find_margin(),
        history=list_history([*stages, last], [*trained, final]),
    )


def plan_fit(sample: PUSample, settings: Settings, *, seed: int) -> ValidationPlan:
    """Plan what to hold out; the last epoch can be kept without, where half of the positives would go."""
    few = sample.n_pos <= 2 * LEAST_HELD
    if settings.selection == "last" and settings.validation == "hold-out" and few:
        note = (
            f"no validation: {sample.n_pos} labelled positives are too few to hold {LEAST_HELD} of them out, so the "
            "threshold rests on the scores of training rows"
        )
        return ValidationPlan("none", (), note)
    rng = np.random.default_rng([seed, 0])
    return plan_validation(sample, rng=rng, validation=settings.validation, enough=settings.enough_positives)


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
    spread = Spread(knots, np.sort(own_unl)[places])
    return spread.apply(pos), spread.apply(unl)


def _agree(states: list[State]) -> int:
    """Return the epoch with the best mean value over the folds, the latest of equals; the last if none is selected."""
    epochs = min(len(state.held) for state in states)
    if not all(state.best_epoch for state in states):
        return epochs
    by_epoch = np.mean([state.values[:epochs] for state in states], axis=0)
    return epochs - int(np.argmax(by_epoch[::-1]))
