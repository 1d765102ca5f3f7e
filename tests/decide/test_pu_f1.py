import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from angularpu.decide.held_out import HeldOut
from angularpu.decide.pu_f1 import PUF1
from angularpu.decide.rules import parse_rule
from angularpu.metrics.evaluation import evaluate
from angularpu.scenario.sample import Truth

scores = st.lists(st.integers(0, 12), min_size=1, max_size=25)


@pytest.mark.parametrize("scenario", ["one-sample", "two-sample"])
@pytest.mark.parametrize("target", ["population", "unlabelled"])
@given(pos=scores, unl=scores, prior=st.floats(0.4, 0.9))
def test_no_other_threshold_has_a_greater_estimated_f1(scenario, target, pos, unl, prior):
    assume(len({*pos, *unl}) > 1)
    pos, unl = np.array(pos, float), np.array(unl, float)
    held = HeldOut(pos, unl, 70, 130, scenario, "held out")

    def estimated_f1(threshold):
        recall, called = np.mean(pos > threshold), np.mean(unl > threshold)
        if scenario == "one-sample" and target == "population":
            called = (70 * recall + 130 * called) / 200
        return 2 * prior * recall / (prior + called)

    decision = PUF1(prior=prior, target=target).choose(held)
    best = max(estimated_f1(value + 0.5) for value in range(-1, 13))
    assert estimated_f1(decision.threshold) == pytest.approx(best, rel=1e-12)


@pytest.mark.parametrize("scenario", ["one-sample", "two-sample"])
@pytest.mark.parametrize("rule", ["pu-f1", "pu-f1,target=unlabelled"])
@pytest.mark.parametrize("alpha", [0.1, 0.4])
def test_with_an_estimated_prior_f1_on_the_target_is_near_the_best(scenario, rule, alpha, gaussians):
    rng = np.random.default_rng(0)
    trial = gaussians(alpha, apart=2.8, n_pos=1000, n_unl=4000, scenario=scenario)
    decision = parse_rule(rule).choose(trial.draw(rng))
    y, score = trial.rows(parse_rule(rule).target, n=50_000, rng=rng)
    figures = evaluate(Truth(y), score, threshold=decision.threshold)
    assert figures["f1"] > 0.985 * figures["best_f1"]
