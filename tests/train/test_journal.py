"""The journal: finished stages and the current one, in memory or in one checkpoint."""

import numpy as np
import pytest
import torch

from angularpu.errors import ModelError
from angularpu.fit.workflow import fit_method
from angularpu.methods.neural import NeuralMethod
from angularpu.train.checkpoint import Checkpoint
from angularpu.train.journal import Journal
from angularpu.train.settings import Settings
from angularpu.train.state import State, flatten_record


def finished(epochs: int) -> State:
    state = State()
    state.enter(0)
    for epoch in range(epochs):
        state.finish_epoch({"objective": float(epoch)})
        state.compare(
            (np.full(2, epoch, np.float32), np.zeros(3, np.float32)), 0.5, algorithm=torch.nn.Linear(1, 1), selects=True
        )
    return state


def open_journal(folder) -> Journal:
    return Journal(Checkpoint(folder, key="k"))


def test_without_a_checkpoint_stages_are_kept_in_memory_and_nothing_is_loaded():
    journal = Journal(None)
    journal.save({"a": torch.zeros(1)}, {"phase": 0})
    assert journal.load() is None
    journal.finish(finished(2))
    assert [state.epoch for state in journal.finished] == [2]


def test_a_new_process_finds_the_finished_stages_and_the_current_one(tmp_path):
    journal = open_journal(tmp_path)
    for epochs in (3, 2):
        journal.save(*flatten_record(finished(epochs)))
        journal.finish(finished(epochs))
    tensors, info = flatten_record(finished(1))
    journal.save({**tensors, "model/w": torch.arange(3)}, info)
    again = open_journal(tmp_path)
    assert [state.epoch for state in again.finished] == [3, 2]
    assert [state.held[-1][0][0] for state in again.finished] == [2, 1]
    tensors, info = again.load()
    assert torch.equal(tensors["model/w"], torch.arange(3))
    assert info["epoch"] == 1


def test_a_stage_that_has_ended_is_still_the_current_one_until_the_next_one_saves(tmp_path):
    journal = open_journal(tmp_path)
    journal.save(*flatten_record(finished(3)))
    journal.finish(finished(3))
    assert journal.load() is None
    again = open_journal(tmp_path)
    assert again.finished == []
    assert again.load()[1]["epoch"] == 3


@pytest.mark.parametrize(
    "info",
    [{}, {"current": {}}, {"current": {"colour": "red"}, "finished": []}, {"current": {}, "finished": [{"a": 1}]}],
)
def test_a_checkpoint_of_something_else_is_refused_in_one_sentence(tmp_path, info):
    Checkpoint(tmp_path, key="k").save({}, info)
    with pytest.raises(ModelError, match=r"^the checkpoint was written by another version .*restart") as caught:
        open_journal(tmp_path)
    assert "\n" not in str(caught.value)


class KilledError(Exception):
    """Stands for the moment a process dies."""


# Two epochs a stage: after 2, 4 ... a stage has ended and the next has not begun; 11 is in the training on all rows.
@pytest.mark.parametrize("epochs", [2, 3, 10, 11])
@pytest.mark.parametrize("selection", ["pu-auc", "last"])
def test_a_fit_with_folds_that_died_between_or_within_stages_ends_as_if_it_had_not(few, tmp_path, epochs, selection):
    method = NeuralMethod("naive", settings=Settings(epochs=2, patience=9, learning_rate=1e-3, selection=selection))
    whole, calls = fit_method(method, few, seed=0), []

    def die(*told) -> None:
        calls.append(told)
        if len(calls) == epochs:
            raise KilledError

    with pytest.raises(KilledError):
        fit_method(method, few, seed=0, checkpoint_dir=tmp_path / "part", report=die)
    told = []
    resumed = fit_method(method, few, seed=0, checkpoint_dir=tmp_path / "part", on_epoch=told.append)
    assert resumed.history == whole.history
    assert resumed.score(few.rows).tobytes() == whole.score(few.rows).tobytes()
    assert resumed.held.score_pos.tobytes() == whole.held.score_pos.tobytes()
    assert [(one.stage, one.epoch) for one in told] == [(e["stage"], e["epoch"]) for e in whole.history[len(calls) :]]
