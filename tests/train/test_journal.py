"""The journal of a stage: how far it has come, what it left, and what is refused."""

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


def test_without_a_checkpoint_nothing_is_stored():
    journal = Journal(None)
    journal.save({"a": torch.zeros(1)}, {"phase": 0})
    journal.finish(finished(2), {})
    assert journal.load() is None
    assert journal.finished is None


def test_a_new_process_finds_a_stage_as_far_as_it_had_come(tmp_path):
    tensors, record = flatten_record(finished(1))
    open_journal(tmp_path).save({**tensors, "model/w": torch.arange(3)}, record)
    again = open_journal(tmp_path)
    tensors, record = again.load()
    assert again.finished is None
    assert torch.equal(tensors["model/w"], torch.arange(3))
    assert record["epoch"] == 1


def test_a_new_process_finds_what_a_stage_left_and_the_weights_it_ended_with(tmp_path):
    journal = open_journal(tmp_path)
    journal.save(*flatten_record(finished(2)))
    journal.finish(finished(3), {"w": torch.arange(3)})
    again = open_journal(tmp_path)
    state, weights = again.finished
    assert again.load() is None
    assert (state.epoch, state.held[-1][0][0]) == (3, 2)
    assert torch.equal(weights["w"], torch.arange(3))


@pytest.mark.parametrize(
    "info",
    [{}, {"record": {}}, {"record": {"colour": "red"}, "finished": False}, {"current": {}, "finished": [{"a": 1}]}],
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
@pytest.mark.parametrize(("selection", "refit"), [("pu-auc", True), ("last", True), ("pu-auc", False)])
def test_a_fit_with_folds_that_died_between_or_within_stages_ends_as_if_it_had_not(
    few, tmp_path, epochs, selection, refit
):
    settings = Settings(epochs=2, patience=9, learning_rate=1e-3, selection=selection, refit=refit)
    method = NeuralMethod("naive", settings=settings)
    whole, calls = fit_method(method, few, seed=0), []

    def die(*told) -> None:
        calls.append(told)
        if len(calls) == min(epochs, len(whole.history)):
            raise KilledError

    with pytest.raises(KilledError):
        fit_method(method, few, seed=0, checkpoint_dir=tmp_path / "part", report=die)
    told = []
    resumed = fit_method(method, few, seed=0, checkpoint_dir=tmp_path / "part", on_epoch=told.append)
    assert resumed.history == whole.history
    assert resumed.score(few.rows).tobytes() == whole.score(few.rows).tobytes()
    assert resumed.held.score_pos.tobytes() == whole.held.score_pos.tobytes()
    assert [(one.stage, one.epoch) for one in told] == [(e["stage"], e["epoch"]) for e in whole.history[len(calls) :]]
