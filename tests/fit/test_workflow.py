"""One fit, front to back: what it tells on the way."""

import numpy as np
import pytest

from angularpu.fit.workflow import fit_method
from angularpu.methods.configure import configure
from angularpu.scenario.sample import PUSample, make_sample


@pytest.fixture
def sample() -> PUSample:
    rng = np.random.default_rng(0)
    x = rng.normal(size=(200, 3)) + 2.0 * (np.arange(200) < 100)[:, None]
    return make_sample(x, np.arange(200) < 50, scenario="one-sample")


def test_the_hook_sees_every_epoch_of_every_stage(sample):
    told = []
    method = configure(method="naive", options={"epochs": 2, "encoder": "linear", "refit": True})
    fitted = fit_method(method, sample, seed=0, on_epoch=told.append)
    assert [(one.stage, one.epoch) for one in told] == [(entry["stage"], entry["epoch"]) for entry in fitted.history]
    assert {one.stage for one in told} == {*(f"fold {k} of 5" for k in range(1, 6)), "all rows"}
    assert len({id(one.algorithm) for one in told}) == 6


def test_a_method_without_epochs_never_calls_it(sample):
    told = []
    fitted = fit_method(configure(method="elkan_noto", options={}), sample, seed=0, on_epoch=told.append)
    assert told == []
    assert [len(rows) for rows in fitted.held_rows] == [50, 150]
