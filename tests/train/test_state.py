"""The loop's state: what counts as better, when a phase is over, and a form on disk that gives all of it back."""

import numpy as np
import pytest
import torch
from torch import nn
from torch.optim import SGD, Adam

from angularpu.algorithms.base import Phase
from angularpu.errors import ModelError
from angularpu.train.state import State, flatten, flatten_record, restore, restore_record

PHASE = Phase("train", 5, 0.1)


def scores(seed: int) -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(seed)
    return rng.normal(size=3).astype(np.float32), rng.normal(size=7).astype(np.float32)


def make_state(network: nn.Module) -> State:
    state = State()
    state.enter(0)
    state.finish_epoch({"phase": "warm-up", "objective": 2.0})
    state.enter(1)
    for epoch, value in enumerate((0.25, 0.75, 0.5)):
        state.finish_epoch({"phase": "train", "objective": 1.0 / (epoch + 1)})
        with torch.no_grad():
            network.weight += 1
        state.compare(scores(epoch), value, algorithm=network, selects=True)
    return state


def take_step(network: nn.Module, optimizers) -> None:
    network(torch.ones(2, 4)).sum().backward()
    for optimizer in optimizers:
        optimizer.step()


def make_optimizers(network: nn.Module):
    return [Adam([network.weight], lr=0.1, fused=True), SGD([network.bias], lr=0.1, momentum=0.9)]


def test_what_is_flattened_is_restored_with_optimisers_best_epoch_and_generators():
    network = nn.Linear(4, 1)
    optimizers = make_optimizers(network)
    take_step(network, optimizers)
    state = make_state(network)
    generator = torch.get_rng_state()
    tensors, info = flatten(state, network, optimizers, {"cpu": generator})
    kept = {name: tensor.clone() for name, tensor in tensors.items()}, dict(info)
    other = nn.Linear(4, 1)
    others = make_optimizers(other)
    again, generators = restore(kept, other, others)
    assert torch.equal(generators["cpu"], generator)
    assert all(torch.equal(again.best[name], tensor) for name, tensor in state.best.items())
    assert (again.phase, again.epoch, again.history) == (1, 3, state.history)
    assert (again.best_epoch, again.best_value, again.values) == (2, 0.75, [0.25, 0.75, 0.5])
    assert again.stops == [1]
    assert [(pos.tolist(), unl.tolist()) for pos, unl in again.held] == [
        (pos.tolist(), unl.tolist()) for pos, unl in state.held
    ]
    for one in (network, other):
        one.zero_grad()
    take_step(network, optimizers)
    take_step(other, others)
    assert all(torch.equal(tensor, other.state_dict()[name]) for name, tensor in network.state_dict().items())


def test_the_record_of_a_finished_stage_has_all_but_the_networks():
    state = make_state(nn.Linear(4, 1))
    again = restore_record(*flatten_record(state))
    assert again.best == {}
    assert (again.history, again.stops, again.values, again.kept_epoch) == (state.history, [1], state.values, 2)
    assert len(again.held) == 3


def test_a_checkpoint_of_another_network_is_refused_in_one_sentence():
    network, other = nn.Linear(4, 1), nn.Linear(5, 1)
    saved = flatten(make_state(network), network, [], {"cpu": torch.get_rng_state()})
    with pytest.raises(ModelError, match=r"^the checkpoint is of another network .*restart") as caught:
        restore(saved, other, [])
    assert "\n" not in str(caught.value)


def test_the_best_epoch_is_a_copy_and_of_equals_the_later():
    network, state = nn.Linear(4, 1), State()
    state.enter(0)
    for value in (0.5, 0.5):
        state.finish_epoch({})
        state.compare(scores(0), value, algorithm=network, selects=True)
    before = state.best["weight"].clone()
    with torch.no_grad():
        network.weight += 1
    assert state.best_epoch == 2
    assert torch.equal(state.best["weight"], before)


def test_an_epoch_of_a_phase_that_does_not_select_is_measured_and_not_kept():
    state = State()
    state.enter(0)
    state.finish_epoch({})
    state.compare(scores(0), 0.9, algorithm=nn.Linear(4, 1), selects=False)
    assert (state.best, state.best_epoch, state.kept_epoch, state.values) == ({}, 0, 1, [0.9])


@pytest.mark.parametrize(
    ("epoch", "best", "patience", "stop", "over"),
    [
        (4, 0, 1, None, False),  # nothing is selected: patience has nothing to wait for
        (5, 0, 1, None, True),
        (3, 2, 2, None, False),
        (4, 2, 2, None, True),
        (2, 2, 2, 3, False),
        (3, 3, 2, 3, True),
    ],
)
def test_a_phase_is_over_with_its_epochs_its_patience_or_at_its_stop(epoch, best, patience, stop, over):
    state = State(epoch=epoch, best_epoch=best)
    assert state.phase_is_over(PHASE, patience=patience, stop=stop) is over


def test_a_new_phase_forgets_the_selection_and_remembers_where_the_last_one_was_left():
    state = make_state(nn.Linear(4, 1))
    state.enter(2)
    assert (state.phase, state.epoch, state.best_epoch, state.best, state.held) == (2, 0, 0, {}, [])
    assert state.stops == [1, 2]
    assert len(state.history) == 4
