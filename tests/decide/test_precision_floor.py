import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from angularpu.decide.held_out import HeldOut
from angularpu.decide.precision_floor import PrecisionFloor
from angularpu.decide.rules import parse_rule
from angularpu.errors import BoundError, SettingError

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


def test_a_precision_whose_bound_is_not_reached_is_refused_with_the_ways_out(gaussians):
    held = gaussians(0.1, apart=1.0, n_pos=1000, n_unl=4000).draw(np.random.default_rng(0))
    with pytest.raises(BoundError, match=r"not reached.*prior=.*angularpu audit.*precision=0.9,bound=accept"):
        parse_rule("precision=0.9").choose(held)
    accepted = parse_rule("precision=0.9,bound=accept").choose(held)
    assert accepted.bound == "not reached"
    assert accepted.precision >= 0.9
    assert parse_rule("precision=0.9,prior=0.28").choose(held).bound is None


def test_a_prior_that_was_estimated_before_training_is_a_bound_too(gaussians):
    held = gaussians(0.1, apart=1.0, n_pos=1000, n_unl=4000).draw(np.random.default_rng(0))
    with pytest.raises(BoundError):
        parse_rule("precision=0.9,prior=0.5").choose(held, estimated=True)


def test_scores_at_chance_level_promise_no_precision_whatever_is_accepted(gaussians):
    held = gaussians(0.3, apart=0.0, n_pos=200).draw(np.random.default_rng(0))
    with pytest.raises(BoundError, match="no better than chance") as refused:
        parse_rule("precision=0.9,bound=accept").choose(held)
    assert "accept" not in str(refused.value)


def test_a_bound_is_refused_or_accepted_and_nothing_else():
    with pytest.raises(SettingError, match=r"bound must be refuse or accept, got 'yes'; write precision=0.9,bound=acc"):
        parse_rule("precision=0.9,bound=yes")
