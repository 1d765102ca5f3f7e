"""A fitted method: scores in blocks, and probabilities without a calibration."""

import numpy as np
import pytest

from angularpu.data.sources import as_rows
from angularpu.fit.workflow import fit_method
from angularpu.methods import fitted as module
from angularpu.methods.configure import configure
from angularpu.methods.fitted import Fitted, compute_probability
from angularpu.scenario.sample import make_sample

X = np.random.default_rng(0).normal(size=(60, 3))


@pytest.fixture(scope="module")
def fitted() -> Fitted:
    method = configure(method="naive", options={"epochs": 1, "encoder": "linear"})
    return fit_method(method, make_sample(X, np.arange(60) < 20, scenario="one-sample"), seed=0)


def test_without_a_calibration_no_score_is_too_far_from_the_threshold():
    score = np.array([-1000, -709, 0, 709, 1000], np.float32)
    chance = compute_probability(score, threshold=0.0, calibration=None)
    assert chance.tolist() == [0.0, pytest.approx(0, abs=1e-300), 0.5, 1.0, 1.0]
    assert (np.diff(compute_probability(score, threshold=0.25, calibration=None)) >= 0).all()


def test_blocks_of_rows_give_the_scores_of_the_whole(fitted, monkeypatch):
    whole = fitted.score(as_rows(X))
    monkeypatch.setattr(module, "BLOCK_ROWS", 7)
    assert fitted.score(as_rows(X)).tobytes() == whole.tobytes()


def test_the_rows_whose_scores_choose_the_threshold_are_known_after_a_fit(fitted):
    pos, unl = fitted.held_rows
    assert (pos.tolist(), unl.tolist()) == (list(range(20)), list(range(20, 60)))
    assert fitted.decide("recall=0.9").held_rows is fitted.held_rows
