import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from angularpu.data.sources import as_rows
from angularpu.decide.held_out import HeldOut
from angularpu.decide.prior_quantile import PriorQuantile
from angularpu.errors import SettingError
from angularpu.scenario.one_sample import one_sample
from angularpu.scenario.sample import Truth
from angularpu.scenario.two_sample import two_sample


def held_of(pos, unl, scenario, *, n_pos, n_unl):
    return HeldOut(np.array(pos, float), np.array(unl, float), n_pos, n_unl, scenario, "held out")


def test_the_share_called_is_the_one_asked_for():
    unl = np.arange(10)
    two = held_of([20], unl, "two-sample", n_pos=100, n_unl=400)
    assert PriorQuantile(0.3).choose(two).positive_share == 0.3
    # One sample: pi = 0.44 with 100 of 500 rows labelled leaves 120 positives among 400 unlabelled rows.
    one = held_of([20], unl, "one-sample", n_pos=100, n_unl=400)
    assert PriorQuantile(0.44).choose(one).positive_share == 0.3
    assert PriorQuantile(0.3, target="unlabelled").choose(one).positive_share == 0.3


def test_between_two_unlabelled_rows_the_lowest_threshold_is_taken():
    decision = PriorQuantile(0.5).choose(held_of([2.25, 2.5], [1, 2, 3, 4], "two-sample", n_pos=2, n_unl=4))
    assert decision.threshold == 2.125
    assert decision.recall == 1


def test_a_prior_below_the_labelled_share_is_refused():
    held = held_of([1, 2], [0, 3], "one-sample", n_pos=50, n_unl=50)
    with pytest.raises(SettingError, match=r"\[0\.5, 1\] in the one-sample"):
        PriorQuantile(0.3).choose(held)


@given(st.floats(0.01, 0.99), st.lists(st.integers(0, 9), min_size=2, max_size=40))
def test_no_other_threshold_comes_nearer(prior, unl):
    assume(len(set(unl)) > 1)
    decision = PriorQuantile(prior).choose(held_of([5], unl, "two-sample", n_pos=1, n_unl=len(unl)))
    shares = [np.mean(np.array(unl) > value) for value in range(-1, 10)]
    assert abs(decision.positive_share - prior) <= min(abs(share - prior) for share in shares) + 1e-12


@pytest.mark.parametrize("draw", [one_sample, two_sample])
def test_with_the_true_prior_as_many_rows_are_called_positive_as_are(draw):
    rng = np.random.default_rng(0)
    y = (np.arange(20_000) % 10 < 4).astype(np.int8)
    score = rng.normal(size=20_000) + 3 * y
    sample, truth = draw(as_rows(score[:, None]), Truth(y), n_labelled=2000, rng=rng)
    score = sample.rows.take(np.arange(len(sample.rows)))[:, 0]
    held = held_of(score[sample.pos], score[sample.unl], sample.scenario, n_pos=sample.n_pos, n_unl=sample.n_unl)
    decision = PriorQuantile(0.4).choose(held)
    assert decision.positive_share == pytest.approx(truth.y[sample.unl].mean(), abs=1e-3)
