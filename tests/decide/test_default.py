"""The rule a fit follows when its text leaves something open."""

import numpy as np
import pytest

from angularpu.decide.default import choose_rule, decide, decide_again
from angularpu.decide.held_out import HeldOut
from angularpu.errors import DataError, SettingError
from angularpu.scenario.proportions import Proportions

SHARES = Proportions(100, 400, "one-sample", alpha=0.25)  # 0.4 of the population


@pytest.fixture
def held() -> HeldOut:
    rng = np.random.default_rng(0)
    unl = np.append(rng.normal(2, 1, 100), rng.normal(-1, 1, 300))
    return HeldOut(rng.normal(2, 1, 100), unl, n_pos=100, n_unl=400, scenario="one-sample", source="held out")


@pytest.mark.parametrize(
    ("text", "prior", "shares", "n_pos", "expected"),
    [
        ("auto", "bbe", None, 10, "pu-f1"),
        ("auto", "bbe", None, 9, "lee-liu"),
        ("auto", 0.4, SHARES, 9, "pu-f1,prior=0.4"),
        ("auto", "dedpul", None, 100, "pu-f1,prior=dedpul"),
        ("recall=0.9", "bbe", None, 100, "recall=0.9,prior=bbe"),
        ("recall=0.9", "bbe", None, 5, "recall=0.9"),
        ("recall=0.9,target=unlabelled", 0.4, SHARES, 5, "recall=0.9,prior=0.25,target=unlabelled"),
        ("precision=0.9,prior=dedpul", 0.4, SHARES, 100, "precision=0.9,prior=dedpul"),
        ("prior=0.3", 0.4, SHARES, 100, "prior=0.3"),
        ("pu-f1,prior=tice", "tice", None, 100, "pu-f1,prior=tice"),
        ("pu-f1,prior=tice", "tice", SHARES, 100, "pu-f1,prior=0.4"),
    ],
)
def test_the_prior_of_the_fit_fills_in_what_the_rule_leaves_open(text, prior, shares, n_pos, expected):
    assert str(choose_rule(text, prior=prior, shares=shares, n_pos=n_pos)) == expected


def test_an_estimator_that_needs_the_rows_is_the_fits_or_none():
    with pytest.raises(SettingError, match=r"make it the prior of the fit \(prior='tice'\)"):
        choose_rule("pu-f1,prior=tice", prior="bbe", shares=None, n_pos=100)


def test_probabilities_come_with_a_prior_and_not_without(held):
    decision, calibration = decide(choose_rule("auto", prior="bbe", shares=None, n_pos=100), held)
    assert decision.alpha == pytest.approx(0.25, abs=0.06)
    assert calibration.apply(held.score_unl).mean() < calibration.apply(held.score_pos).mean()
    assert decide(choose_rule("lee-liu", prior="bbe", shares=None, n_pos=5), held)[1] is None


def test_a_rule_chosen_again_is_checked_again(held):
    with pytest.raises(SettingError, match="prior must lie"):
        decide_again("prior=0.1", held, prior="bbe", alpha=None)
    few = HeldOut(held.score_pos[:5], held.score_unl, 5, 400, "one-sample", "held out")
    with pytest.raises(DataError, match="at least 10"):
        decide_again("pu-f1", few, prior="bbe", alpha=None)
    assert decide_again("pu-f1", few, prior=0.3, alpha=0.25)[0].alpha == pytest.approx(0.25)


def test_what_training_assumed_for_want_of_positives_decides_nothing(held):
    few = HeldOut(held.score_pos[:5], held.score_unl, 5, 400, "one-sample", "held out")
    decision, calibration = decide_again("auto", few, prior="bbe", alpha=0.5)
    assert (decision.rule, decision.alpha, calibration) == ("lee-liu", None, None)
