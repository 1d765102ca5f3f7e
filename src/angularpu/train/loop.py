"""The one training loop: every algorithm goes through it, and it knows none of them."""

import math
from collections import defaultdict
from functools import partial
from types import MappingProxyType

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor
from torch.optim import SGD, Adam, Optimizer

from angularpu.algorithms.base import Algorithm, Phase, PUBatch
from angularpu.errors import ModelError, SettingError
from angularpu.progress import ReportProgress
from angularpu.train.adam import LeanAdam
from angularpu.train.batches import Sampler, make_sampler
from angularpu.train.finished_epoch import ONE_SPLIT, FinishedEpoch, OnEpoch
from angularpu.train.journal import Journal
from angularpu.train.negatives import Negatives
from angularpu.train.ranks.splitting import split_training
from angularpu.train.seeding import derive, generator_states, set_generator_states
from angularpu.train.selection import Judge
from angularpu.train.settings import Schedule
from angularpu.train.state import State, flatten, restore
from angularpu.train.task import Task, TaskView, score_held

Index = NDArray[np.int64]
MOMENTUM = 0.9


def train(
    algorithm: Algorithm,
    task: Task,
    *,
    schedule: Schedule,
    seed: tuple[int, ...],
    judge: Judge,
    stage: str = ONE_SPLIT,
    journal: Journal | None = None,
    on_epoch: OnEpoch | None = None,
    report: ReportProgress | None = None,
) -> State:
    """Train an algorithm in place and leave it at its best epoch.

    Parameters
    ----------
    algorithm : Algorithm
        On the device where it is to train; dropout draws from torch's global generator, which the caller has seeded.
    task : Task
    schedule : Schedule
    seed : tuple of int
        Determines the batches.
    judge : Judge
        Measures the rows held out and selects by them.
    stage : str
        What this training is called where a fit takes several.
    journal : Journal, optional
        Saved to after every epoch; a training whose state is found there is resumed.
    on_epoch : callable, optional
        Called after every epoch; see :class:`~angularpu.train.finished_epoch.FinishedEpoch`.
    report : callable, optional
        Called after every epoch with (epochs done, epochs at most, text).

    Returns
    -------
    State
        History, best epoch and the held-out scores of every epoch.
    """
    device = next(algorithm.parameters()).device
    view = TaskView(algorithm, task)
    phases = algorithm.phases(epochs=schedule.epochs, learning_rate=schedule.learning_rate)
    _build_scaffold(algorithm, task.n_rows, device)
    split = split_training(algorithm)
    saved = journal.load() if journal else None
    state = State()
    for number, phase in enumerate(phases):
        view.phase = phase.name
        optimizers = _make_optimizers(algorithm, phase, schedule=schedule, alone=split is None)
        if split:
            split.watch(optimizers)
        if saved and number == saved[1]["phase"]:
            state, generators = restore(saved, algorithm, optimizers)
            _check_held(state, task)
            set_generator_states(generators, device)
        elif saved and number < saved[1]["phase"]:
            continue
        else:
            state.enter(number)
            algorithm.begin_phase(view)
        batches = make_sampler(phase.batches, task.pos, task.unl, batch_size=schedule.batch_size, seed=(*seed, number))
        stop = schedule.stops[number] if schedule.stops else None
        while not state.phase_is_over(phase, patience=schedule.patience, stop=stop):
            algorithm.train()
            _set_learning_rate(optimizers, phase, schedule=schedule, epoch=state.epoch)
            means = _run_epoch(algorithm, optimizers, task, batches=batches, epoch=state.epoch, phase=phase)
            algorithm.on_epoch_end(view)
            state.finish_epoch({"phase": phase.name, **means})
            held = score_held(algorithm, task)
            if held is not None:
                measures = judge.measure(*held, index=task.held_unl)
                state.history[-1] |= measures
                selects = phase.selects and judge.selects
                state.compare(held, judge.value(measures), algorithm=algorithm, selects=selects)
            if on_epoch:
                on_epoch(_show(state, algorithm, task, stage=stage))
            if journal:
                journal.save(*flatten(state, algorithm, optimizers, generator_states(device)))
            if report:
                report(state.epoch, phase.epochs, f"{stage}: {_describe(state)}")
        if state.best:
            algorithm.load_state_dict(state.best)
    if split:
        split.end()
    algorithm.scaffold = None
    algorithm.eval()
    return state


def _run_epoch(
    algorithm: Algorithm,
    optimizers: list[Optimizer],
    task: Task,
    *,
    batches: Sampler,
    epoch: int,
    phase: Phase,
) -> dict[str, float]:
    """Go once over the rows and return the means of the objective and its terms over the batches."""
    device = next(algorithm.parameters()).device
    plan = batches.epoch(epoch)
    order = torch.from_numpy(plan.order)
    generator = torch.Generator(device).manual_seed(derive(*batches.seed, epoch))
    values: dict[str, list[Tensor]] = defaultdict(list)
    negatives = Negatives(task.prepared, task.neg, n_pos=len(task.pos)) if len(task.neg) else None
    for b in range(batches.count):
        index = order[plan.bounds[b] : plan.bounds[b + 1]]
        batch = PUBatch(
            x=task.prepared.gather(index).to(device, non_blocking=True),
            n_pos=plan.n_pos[b],
            index=index,
            positive_weight=batches.positive_weight,
            progress=(epoch + b / batches.count) / phase.epochs,
            generator=generator,
            phase=phase.name,
            make_view=task.make_view,
            negatives=negatives.draw(generator, device) if negatives else None,
        )
        step = algorithm.update(batch, optimizers)
        values["objective"].append(step.objective.detach())
        for name, term in step.terms.items():
            values[name].append(term.detach())
    means = {name: torch.stack(parts).mean().item() for name, parts in values.items()}
    if not np.isfinite(means["objective"]):
        raise SettingError(
            f"training diverged in epoch {epoch + 1} (objective {means['objective']}); pass a smaller learning_rate"
        )
    return means


def _check_held(state: State, task: Task) -> None:
    """Refuse to resume where rows are held out that were learnt from, as an earlier version did, or the reverse."""
    if len(state.held) != (state.epoch if len(task.held_pos) else 0):
        raise ModelError(
            "the checkpoint is of a training that held out other rows; restart to throw it away (--restart)"
        )


def _build_scaffold(algorithm: Algorithm, n_rows: int, device: torch.device) -> None:
    scaffold = algorithm.build_scaffold(n_rows)
    algorithm.scaffold = None if scaffold is None else scaffold.to(device)


def _make_optimizers(algorithm: Algorithm, phase: Phase, *, schedule: Schedule, alone: bool) -> list[Optimizer]:
    """Make one optimiser for every group of parameters; several ranks need the hooks that the lean one leaves out."""
    groups = algorithm.parameter_groups().values()
    device = next(algorithm.parameters()).device.type
    fused = device in {"cpu", "cuda"}
    adam = LeanAdam if alone and device == "cpu" else Adam
    make = partial(SGD, momentum=MOMENTUM) if schedule.optimizer == "sgd" else adam
    return [make(group, lr=phase.learning_rate, weight_decay=schedule.weight_decay, fused=fused) for group in groups]


def _set_learning_rate(optimizers: list[Optimizer], phase: Phase, *, schedule: Schedule, epoch: int) -> None:
    if schedule.decay == "cosine":
        rate = phase.learning_rate * (1 + math.cos(math.pi * epoch / phase.epochs)) / 2
        for optimizer in optimizers:
            for group in optimizer.param_groups:
                group["lr"] = rate


def _show(state: State, algorithm: Algorithm, task: Task, *, stage: str) -> FinishedEpoch:
    """Return the epoch that was finished last, to be looked at."""
    last = state.history[-1]
    return FinishedEpoch(
        algorithm,
        stage,
        phase=last["phase"],
        phase_number=state.phase,
        epoch=state.epoch,
        metrics=MappingProxyType({name: last[name] for name in last if name not in {"phase", "epoch"}}),
        held_rows=(task.held_pos, task.held_unl),
        held_scores=state.held[-1] if state.held else None,
    )


def _describe(state: State) -> str:
    last = state.history[-1]
    return f"objective {last['objective']:.4f}" + (
        f", held-out PU-AUC {last['pu_auc']:.4f}" if "pu_auc" in last else ""
    )
