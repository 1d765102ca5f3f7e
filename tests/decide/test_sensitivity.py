import numpy as np
import pytest

from angularpu.decide.rules import parse_rule
from angularpu.decide.sensitivity import hold_threshold, sensitivity
from angularpu.errors import SettingError


@pytest.mark.parametrize("rule", ["pu-f1", "precision=0.9", "lee-liu", "pu-f1,target=unlabelled"])
def test_each_point_of_the_curve_is_the_decision_with_that_prior(rule, gaussians):
    held = gaussians(0.3).draw(np.random.default_rng(0))
    curve = sensitivity(held, rule, [0.2, 0.4, 0.6])
    for at, prior in enumerate(curve.prior):
        decision = parse_rule(f"{rule},prior={prior}").choose(held)
        assert curve.threshold[at] == decision.threshold
        assert curve.recall[at] == decision.recall
        assert curve.precision[at] == pytest.approx(decision.precision)


@pytest.mark.parametrize("rule", ["pu-f1", "pu-f1,target=unlabelled"])
def test_a_threshold_that_stays_is_worth_more_the_more_positives_there_are(rule, gaussians):
    held = gaussians(0.3).draw(np.random.default_rng(0))
    decision = parse_rule(f"{rule},prior=0.4").choose(held)
    curve = hold_threshold(held, rule, [0.2, 0.4, 0.6], threshold=decision.threshold)
    assert curve.precision[1] == pytest.approx(decision.precision)
    assert (np.diff(curve.precision) > 0).all()
    assert set(curve.recall) == {decision.recall}
    assert set(curve.threshold) == {decision.threshold}


def test_more_positives_lower_the_threshold_of_pu_f1(gaussians):
    held = gaussians(0.3, n_pos=500, n_unl=2000).draw(np.random.default_rng(0))
    threshold = sensitivity(held, "pu-f1", np.linspace(0.25, 0.9, 14)).threshold
    assert (np.diff(threshold) <= 0).all()
    assert threshold[-1] < threshold[0]


def test_an_impossible_prior_and_the_oracle_are_refused(gaussians):
    held = gaussians(0.3).draw(np.random.default_rng(0))
    with pytest.raises(SettingError, match="already"):
        sensitivity(held, "pu-f1", [0.05])
    with pytest.raises(SettingError, match="true labels"):
        sensitivity(held, "oracle-f1", [0.5])
