import math

import pytest

from angularpu.errors import SettingError
from angularpu.geometry.bayes import BayesRule, bayes_threshold


def test_the_threshold_by_hand_in_three_dimensions():
    # C_3/U_3 = kappa / sinh kappa
    expected = -(math.log(2 / math.sinh(2)) + math.log(0.25 / 0.75)) / 2
    assert bayes_threshold(2.0, 3, prior=0.25).cosine == pytest.approx(expected)


def test_a_rarer_class_asks_for_a_higher_cosine():
    thresholds = [bayes_threshold(10.0, 64, prior=prior).cosine for prior in (0.5, 0.3, 0.1, 0.01)]
    assert thresholds == sorted(thresholds)


@pytest.mark.parametrize(
    ("cosine", "reachable"), [(-1.01, False), (-1.0, True), (0.2, True), (1.0, True), (1.01, False)]
)
def test_a_rule_says_whether_any_cosine_can_reach_it(cosine, reachable):
    assert BayesRule(cosine).reachable is reachable


def test_a_nearly_uniform_positive_class_is_never_accepted():
    rule = bayes_threshold(0.5, 128, prior=0.3)
    assert rule.cosine > 1
    assert not rule.reachable


def test_an_overwhelming_prior_accepts_every_row():
    rule = bayes_threshold(0.5, 128, prior=0.9)
    assert rule.cosine < -1
    assert not rule.reachable


def test_the_margin_score_crosses_its_threshold_where_the_cosine_does():
    rule = bayes_threshold(10.0, 16, prior=0.3)
    sharpness, margin = 10.0, 0.5
    for cosine in (rule.cosine - 1e-6, rule.cosine + 1e-6):
        score = sharpness * (cosine - margin)
        assert (score >= rule.margin_score(sharpness, margin)) == (cosine >= rule.cosine)


@pytest.mark.parametrize("prior", [0.0, 1.0, 1.3, math.nan])
def test_an_impossible_prior_is_refused(prior):
    with pytest.raises(SettingError, match=r"prior must lie in \(0, 1\)"):
        bayes_threshold(3.0, 8, prior=prior)


@pytest.mark.parametrize("kappa", [0.0, -1.0, math.nan])
def test_positives_without_concentration_have_no_threshold(kappa):
    with pytest.raises(SettingError, match="kappa must be above 0"):
        bayes_threshold(kappa, 8, prior=0.3)
