"""Batches: every row once, positives spread evenly."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from angularpu.errors import SettingError
from angularpu.train.batches import MixedBatches


def make(n_pos: int, n_unl: int, batch_size: int, seed: int = 0) -> MixedBatches:
    return MixedBatches(np.arange(n_pos), np.arange(n_pos, n_pos + n_unl), batch_size=batch_size, seed=(seed,))


counts = {"n_pos": st.integers(1, 60), "n_unl": st.integers(1, 200), "batch_size": st.integers(2, 64)}


@given(**counts, number=st.integers(0, 5))
def test_every_row_comes_exactly_once_per_epoch(n_pos, n_unl, batch_size, number):
    epoch = make(n_pos, n_unl, batch_size).epoch(number)
    assert sorted(epoch.order) == list(range(n_pos + n_unl))


@given(**counts)
def test_no_batch_is_too_large_and_sizes_differ_by_one_at_most(n_pos, n_unl, batch_size):
    sizes = np.diff(make(n_pos, n_unl, batch_size).epoch(0).bounds)
    assert sizes.max() - sizes.min() <= 1
    # with an odd number of rows and batches of two, three rows must share a batch, or one would stand alone
    assert sizes.max() <= max(batch_size, 3)


@given(**counts)
def test_no_batch_holds_a_single_row(n_pos, n_unl, batch_size):
    assert np.diff(make(n_pos, n_unl, batch_size).epoch(0).bounds).min() >= 2


@given(**counts)
def test_positives_are_spread_evenly_and_stand_first(n_pos, n_unl, batch_size):
    epoch = make(n_pos, n_unl, batch_size).epoch(0)
    assert max(epoch.n_pos) - min(epoch.n_pos) <= 1
    for b, n in enumerate(epoch.n_pos):
        is_pos = epoch.order[epoch.bounds[b] : epoch.bounds[b + 1]] < n_pos
        assert is_pos[:n].all()
        assert not is_pos[n:].any()


def test_the_batch_with_one_positive_more_is_not_always_the_same():
    batches = make(1, 99, 10)
    richest = {int(np.argmax(batches.epoch(k).n_pos)) for k in range(20)}
    assert len(richest) > 3


def test_an_epoch_depends_on_seed_and_number_only():
    one, two = make(5, 40, 8), make(5, 40, 8)
    np.testing.assert_array_equal(one.epoch(3).order, two.epoch(3).order)
    assert (one.epoch(3).order != one.epoch(4).order).any()
    assert (one.epoch(3).order != make(5, 40, 8, seed=1).epoch(3).order).any()


def test_the_weight_of_a_positive_is_batches_by_positives():
    assert make(10, 90, 20).positive_weight == 5 / 10


def test_batches_of_one_row_are_refused():
    with pytest.raises(SettingError, match="batch_size must be at least 2, got 1"):
        make(2, 2, 1)
