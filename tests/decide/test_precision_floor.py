import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from angularpu.decide.held_out import HeldOut
from angularpu.decide.precision_floor import PrecisionFloor

scores = st.lists(st.integers(0, 12), min_size=1, max_size=25)


@given(pos=scores, unl=scores, floor=st.floats(0.05, 1), prior=st.floats(0.05, 0.95))
def test_no_lower_threshold_is_precise_enough(pos, unl, floor, prior):
    assume(len({*pos, *unl}) > 1)
    pos, unl = np.array(pos, float), np.array(unl, float)
    decision = PrecisionFloor(floor, prior=prior).choose(
        HeldOut(pos, unl, len(pos), len(unl), "two-sample", "held out")
    )

    def expected(threshold):
        return min(1, prior * np.mean(pos > threshold) * len(unl) / max(1, np.sum(unl > threshold)))

    def called(threshold):
        return np.sum(pos > threshold) + np.sum(unl > threshold)

    cuts = [value + 0.5 for value in range(-1, 13)]
    if expected(decision.threshold) >= floor - 1e-12:
        assert all(expected(cut) < floor + 1e-12 for cut in cuts if called(cut) > called(decision.threshold))
    if expected(decision.threshold) < floor - 1e-12:
        assert any("no threshold reaches" in note for note in decision.notes)
        assert expected(decision.threshold) == pytest.approx(max(expected(cut) for cut in cuts), rel=1e-12)


def test_the_precision_reached_is_the_one_asked_for(gaussians):
    trial = gaussians(0.3, n_pos=2000, n_unl=6000)
    decision = PrecisionFloor(0.9, prior=trial.prior("population")).choose(trial.draw(np.random.default_rng(0)))
    assert decision.precision >= 0.9
    assert trial.precision(decision.threshold, "population") == pytest.approx(0.9, abs=0.02)
    assert not decision.notes


def test_the_best_that_can_be_had_is_taken_and_said():
    held = HeldOut(np.arange(40.0), np.arange(40.0), 40, 40, "two-sample", "held out")
    decision = PrecisionFloor(0.9, prior=0.5).choose(held)
    assert decision.notes[-1] == "no threshold reaches an estimated precision of 0.9, the best has 0.5"


def test_one_positive_above_all_unlabelled_rows_is_no_proof_of_precision():
    held = HeldOut(np.append(np.zeros(99), 5.0), np.zeros(10), 100, 10, "two-sample", "held out")
    decision = PrecisionFloor(0.9, prior=0.5).choose(held)
    assert "no threshold reaches" in decision.notes[-1]
