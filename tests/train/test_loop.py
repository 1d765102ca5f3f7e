"""The loop: phases, patience, stops, selection, what it tells after an epoch, and resuming at every boundary."""

import dataclasses
import math

import numpy as np
import pytest
import torch

from angularpu.errors import ModelError
from angularpu.train.checkpoint import Checkpoint
from angularpu.train.finished_epoch import FinishedEpoch
from angularpu.train.journal import Journal
from angularpu.train.loop import train
from angularpu.train.scoring import score_rows
from angularpu.train.selection import Judge
from angularpu.train.settings import Schedule

SCHEDULE = Schedule(epochs=4, patience=10, batch_size=32, learning_rate=0.02, decay="cosine")


class KilledError(Exception):
    """Stands for the moment a process dies."""


class Script:
    """A judge that gives the epochs the values it was told, whatever was held out."""

    selects = True

    def __init__(self, *values: float) -> None:
        self.values = list(values)

    def measure(self, pos, unl, *, index) -> dict[str, float]:
        return {"pu_auc": self.values.pop(0)}

    def value(self, measures: dict[str, float]) -> float:
        return measures["pu_auc"]


def run(toy, task, *, schedule=SCHEDULE, judge=None, seed=0, **options):
    with torch.random.fork_rng():
        torch.manual_seed(seed)
        return train(toy, task, schedule=schedule, seed=(0,), judge=judge or Judge(), **options)


def weights(toy) -> bytes:
    return b"".join(tensor.numpy().tobytes() for tensor in toy.state_dict().values())


def describe(state) -> tuple:
    held = [(pos.tobytes(), unl.tobytes()) for pos, unl in state.held]
    return state.history, state.best_epoch, state.values, state.stops, held


def die_after(calls: int):
    left = [calls]

    def count(*told) -> None:
        left[0] -= 1
        if left[0] == 0:
            raise KilledError

    return count


# The first phase has two epochs and the second four: 2 is the boundary between them, 6 the end.
@pytest.mark.parametrize("epochs", range(1, 7))
@pytest.mark.parametrize("moment", ["on_epoch", "report"])
def test_a_run_that_died_in_any_epoch_before_or_after_its_checkpoint_ends_in_the_same_bytes(
    make_toy, task, tmp_path, epochs, moment
):
    whole = make_toy()
    expected = run(whole, task)
    with pytest.raises(KilledError):
        run(make_toy(), task, journal=Journal(Checkpoint(tmp_path, key="k")), **{moment: die_after(epochs)})
    resumed = make_toy()
    # A new process has another generator; what the run draws is in the checkpoint, if there is one.
    seed = 0 if (epochs, moment) == (1, "on_epoch") else 99
    state = run(resumed, task, journal=Journal(Checkpoint(tmp_path, key="k")), seed=seed)
    assert weights(resumed) == weights(whole)
    assert describe(state) == describe(expected)


def test_a_resumed_run_neither_trains_nor_begins_anything_again(make_toy, task, tmp_path):
    with pytest.raises(KilledError):
        run(make_toy(), task, journal=Journal(Checkpoint(tmp_path, key="k")), report=die_after(3))
    resumed, told = make_toy(), []
    run(
        resumed,
        task,
        journal=Journal(Checkpoint(tmp_path, key="k")),
        on_epoch=lambda finished: told.append((finished.phase, finished.epoch)),
    )
    assert told == [("second", 2), ("second", 3), ("second", 4)]
    assert resumed.begun == []


def test_a_checkpoint_of_a_training_without_held_out_rows_is_refused(make_toy, task, tmp_path):
    everything = dataclasses.replace(task, held_pos=np.empty(0, np.int64), held_unl=np.empty(0, np.int64))
    with pytest.raises(KilledError):
        run(make_toy(), everything, journal=Journal(Checkpoint(tmp_path, key="k")), report=die_after(1))
    with pytest.raises(ModelError, match=r"^the checkpoint is of a training that held out other rows; restart"):
        run(make_toy(), task, journal=Journal(Checkpoint(tmp_path, key="k")))


def test_patience_ends_a_phase_and_its_best_epoch_is_kept(make_toy, task):
    toy, kept = make_toy(), {}
    values = [0.9, 0.8, 0.5, 0.7, 0.6, 0.6]  # the first phase selects nothing, so its .9 counts for nothing
    state = run(
        toy,
        task,
        schedule=dataclasses.replace(SCHEDULE, epochs=9, patience=2),
        judge=Script(*values),
        on_epoch=lambda finished: kept.update({(finished.phase, finished.epoch): finished.copy_weights()}),
    )
    assert (state.best_epoch, state.epoch, state.best_value) == (2, 4, 0.7)
    assert list(kept) == [("first", 1), ("first", 2), ("second", 1), ("second", 2), ("second", 3), ("second", 4)]
    assert all(torch.equal(tensor, kept["second", 2][name]) for name, tensor in toy.state_dict().items())
    assert np.array_equal(score_rows(toy, task.prepared, task.held_pos), state.held[1][0])


def test_of_equal_epochs_the_later_is_kept(make_toy, task):
    assert run(make_toy(), task, judge=Script(0, 0, 0.6, 0.7, 0.7, 0.1)).best_epoch == 3


def test_each_phase_selects_for_itself_and_hands_on_its_best_epoch(make_toy, task):
    toy, seen = make_toy(selects=(True, True)), []

    def look(finished: FinishedEpoch) -> None:
        seen.append(finished.copy_weights())

    begin = toy.begin_phase
    toy.begin_phase = lambda view: (begin(view), seen.append({n: t.clone() for n, t in toy.state_dict().items()}))
    state = run(toy, task, judge=Script(0.9, 0.1, 0.3, 0.2, 0.4, 0.2), on_epoch=look)
    first, second_start = seen[1], seen[3]
    assert all(torch.equal(second_start[name], tensor) for name, tensor in first.items())
    assert (state.stops, state.best_epoch, state.values) == ([1], 3, [0.3, 0.2, 0.4, 0.2])


def test_a_schedule_with_stops_ends_every_phase_there(make_toy, task):
    everything = dataclasses.replace(task, held_pos=np.empty(0, np.int64), held_unl=np.empty(0, np.int64))
    state = run(make_toy(), everything, schedule=dataclasses.replace(SCHEDULE, stops=(1, 3)))
    assert [(entry["phase"], entry["epoch"]) for entry in state.history] == [
        ("first", 1),
        ("second", 1),
        ("second", 2),
        ("second", 3),
    ]
    assert (state.stops, state.epoch, state.held) == ([1], 3, [])


def test_the_last_epoch_is_left_in_place_where_it_is_asked_for(make_toy, task):
    toy, last = make_toy(), []
    state = run(toy, task, judge=Judge("last"), on_epoch=lambda finished: last.append(finished.copy_weights()))
    assert (state.best_epoch, state.kept_epoch, state.epoch) == (0, 4, 4)
    assert all(torch.equal(tensor, last[-1][name]) for name, tensor in toy.state_dict().items())
    assert all("pu_auc" in entry for entry in state.history)


def test_the_hook_is_called_once_an_epoch_with_the_live_algorithm_and_what_was_measured(make_toy, task):
    toy, told = make_toy(), []

    def look(finished: FinishedEpoch) -> None:
        assert finished.algorithm is toy
        assert toy.scaffold is not None
        scores = score_rows(toy, task.prepared, np.concatenate(finished.held_rows))
        assert scores.tobytes() == np.concatenate(finished.held_scores).tobytes()
        assert not any(name.startswith("scaffold") for name in finished.copy_weights())
        with pytest.raises(TypeError):
            finished.metrics["pu_auc"] = 1.0
        told.append(finished)

    state = run(toy, task, stage="fold 2 of 5", on_epoch=look)
    assert [(one.phase_number, one.phase, one.epoch) for one in told] == [
        *((0, "first", epoch) for epoch in (1, 2)),
        *((1, "second", epoch) for epoch in (1, 2, 3, 4)),
    ]
    assert {one.stage for one in told} == {"fold 2 of 5"}
    assert [{"phase": one.phase, "epoch": one.epoch, **one.metrics} for one in told] == state.history
    assert told[0].held_rows == (pytest.approx(task.held_pos), pytest.approx(task.held_unl))


def test_looking_on_changes_nothing(make_toy, task):
    seen, unseen = make_toy(), make_toy()
    states = run(seen, task, on_epoch=lambda finished: finished.copy_weights()), run(unseen, task)
    assert weights(seen) == weights(unseen)
    assert describe(states[0]) == describe(states[1])


def test_without_held_out_rows_the_hook_has_no_scores_and_nothing_is_selected(make_toy, task):
    everything = dataclasses.replace(task, held_pos=np.empty(0, np.int64), held_unl=np.empty(0, np.int64))
    told = []
    state = run(make_toy(), everything, on_epoch=told.append)
    assert {one.held_scores for one in told} == {None}
    assert all(set(one.metrics) == {"objective", "mean"} for one in told)
    assert (state.best_epoch, state.best_value) == (0, -math.inf)


def test_what_only_training_needs_is_gone_in_the_end(make_toy, task):
    toy = make_toy()
    run(toy, task)
    assert toy.scaffold is None
    assert not toy.training
