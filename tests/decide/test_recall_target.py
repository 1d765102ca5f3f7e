import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from scipy.stats import norm

from angularpu.data.sources import as_rows
from angularpu.decide.held_out import HeldOut
from angularpu.decide.recall_target import RecallTarget
from angularpu.scenario.one_sample import one_sample
from angularpu.scenario.sample import Truth
from angularpu.scenario.two_sample import two_sample


def choose(recall, pos, unl):
    held = HeldOut(np.array(pos), np.array(unl), len(pos), len(unl), "two-sample", "held out")
    return RecallTarget(recall).choose(held)


def test_the_threshold_lies_right_below_the_last_positive_it_must_catch():
    decision = choose(0.75, [1.0, 2.0, 3.0, 4.0], [1.8, 0.0])
    assert decision.threshold == pytest.approx(1.9)
    assert decision.recall == 0.75


def test_fifty_five_of_a_hundred_is_not_rounded_up_to_fifty_six():
    assert 0.55 * 100 > 55
    assert choose(0.55, np.arange(100.0), [-1.0]).recall == 0.55


def test_tied_positives_are_caught_together():
    assert choose(0.5, [1.0, 1.0, 1.0, 2.0], [0.0]).recall == 1


@given(
    st.floats(0.01, 1),
    st.lists(st.integers(0, 20), min_size=1, max_size=30),
    st.lists(st.integers(0, 20), min_size=1, max_size=30),
)
def test_no_higher_threshold_would_do(recall, pos, unl):
    assume(len({*pos, *unl}) > 1)
    pos, unl = np.array(pos, float), np.array(unl, float)
    decision = choose(recall, pos, unl)
    assert decision.recall >= recall - 1e-9
    both = np.concatenate([pos, unl])
    if (both > decision.threshold).any():
        next_score = both[both > decision.threshold].min()
        assert np.mean(pos > next_score) < recall


@pytest.mark.parametrize("draw", [one_sample, two_sample])
@pytest.mark.parametrize(("recall", "n_labelled"), [(0.9, 60), (0.8, 20)])
def test_the_interval_holds_the_true_recall_nine_times_in_ten(draw, recall, n_labelled):
    rng = np.random.default_rng(0)
    covered, reached = [], []
    for _ in range(400):
        y = (rng.random(600) < 0.4).astype(np.int8)
        score = rng.normal(size=600) + 2 * y
        sample, _ = draw(as_rows(score[:, None]), Truth(y), n_labelled=n_labelled, rng=rng)
        score = sample.rows.take(np.arange(len(sample.rows)))[:, 0]
        decision = choose(recall, score[sample.pos], score[sample.unl])
        true = norm.sf(decision.threshold - 2)
        covered.append(decision.recall_low <= true <= decision.recall_high)
        reached.append(true)
    assert np.mean(covered) == pytest.approx(0.90, abs=0.04)
    # The mean of Beta(k, n + 1 - k), a little below k/n.
    assert np.mean(reached) == pytest.approx(recall * n_labelled / (n_labelled + 1), abs=0.015)
