import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from angularpu.data.sources import as_rows
from angularpu.decide.held_out import HeldOut
from angularpu.decide.lee_liu import LeeLiu
from angularpu.metrics.evaluation import evaluate
from angularpu.scenario.one_sample import one_sample
from angularpu.scenario.sample import Truth
from angularpu.scenario.two_sample import two_sample

scores = st.lists(st.integers(0, 12), min_size=1, max_size=25)


@pytest.mark.parametrize("scenario", ["one-sample", "two-sample"])
@pytest.mark.parametrize("target", ["population", "unlabelled"])
@given(pos=scores, unl=scores)
def test_no_other_threshold_has_a_greater_criterion(scenario, target, pos, unl):
    assume(len({*pos, *unl}) > 1)
    pos, unl = np.array(pos, float), np.array(unl, float)
    held = HeldOut(pos, unl, 70, 130, scenario, "held out")

    def criterion(threshold):
        recall = np.mean(pos > threshold)
        share = max(np.sum(unl > threshold), 1) / len(unl)
        if scenario == "one-sample" and target == "population":
            share = (70 * recall + 130 * share) / 200
        return recall**2 / share

    decision = LeeLiu(target=target).choose(held)
    best = max(criterion(value + 0.5) for value in range(-1, 13))
    assert criterion(decision.threshold) == pytest.approx(best, rel=1e-12)


def test_of_equally_good_thresholds_the_lowest_is_taken():
    # R^2/P_U is 1/1 with all rows called and (1/2)^2/(1/4) with one positive and one unlabelled row called.
    held = HeldOut(np.array([1.0, 9.0]), np.array([2.0, 3.0, 4.0, 10.0]), 2, 4, "two-sample", "held out")
    assert LeeLiu().choose(held).positive_share == 1


def test_positives_above_every_unlabelled_row_do_not_make_it_infinite():
    held = HeldOut(np.array([5.0, 6.0, 20.0]), np.arange(8.0), 3, 8, "two-sample", "held out")
    decision = LeeLiu().choose(held)
    assert np.isfinite(decision.threshold)
    assert decision.recall == 1


@pytest.mark.parametrize("draw", [one_sample, two_sample])
@pytest.mark.parametrize("prior", [0.1, 0.4])
def test_f1_on_the_population_is_near_the_best_in_both_scenarios(draw, prior):
    rng = np.random.default_rng(0)
    y = (np.arange(20_000) % 10 < 10 * prior).astype(np.int8)
    score = rng.normal(size=20_000) + 2.5 * y
    sample, _ = draw(as_rows(score[:, None]), Truth(y), n_labelled=600, rng=rng)
    drawn = sample.rows.take(np.arange(len(sample.rows)))[:, 0]
    held = HeldOut(drawn[sample.pos], drawn[sample.unl], sample.n_pos, sample.n_unl, sample.scenario, "held out")
    figures = evaluate(Truth(y), score, threshold=LeeLiu().choose(held).threshold)
    assert figures["f1"] > figures["best_f1"] - 0.03
