import dataclasses
import json
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from angularpu.decide.bayes_vmf import BayesVMF
from angularpu.decide.decision import Decision
from angularpu.decide.held_out import HeldOut
from angularpu.decide.lee_liu import LeeLiu
from angularpu.decide.oracle import OracleF1
from angularpu.decide.precision_floor import PrecisionFloor
from angularpu.decide.prior_quantile import PriorQuantile
from angularpu.decide.pu_f1 import PUF1
from angularpu.decide.recall_target import RecallTarget
from angularpu.decide.rules import RULES, parse_rule
from angularpu.errors import DataError, ModelError, SettingError

RULE_TEXTS = (
    "recall=0.95",
    "recall=1",
    "prior=0.3",
    "prior=0.3,target=unlabelled",
    "lee-liu",
    "lee-liu,target=unlabelled",
    "lee-liu,prior=0.3",
    "recall=0.95,prior=0.3",
    "pu-f1,prior=0.3",
    "pu-f1,prior=0.3,target=unlabelled",
    "proxy-accuracy,prior=0.3",
    "precision=0.9,prior=0.3",
)
ESTIMATING_TEXTS = (
    "pu-f1",
    "prior=bbe",
    "proxy-accuracy",
    "precision=0.9,target=unlabelled,bound=accept",
    "recall=0.9,prior=bbe",
)


def held_of(pos, unl, *, scenario="two-sample", source="held out", n_pos=None, n_unl=None):
    pos, unl = np.asarray(pos, np.float32), np.asarray(unl, np.float32)
    return HeldOut(pos, unl, n_pos or len(pos), n_unl or len(unl), scenario, source)


@pytest.mark.parametrize(
    "text", [*RULE_TEXTS, *ESTIMATING_TEXTS, "margin", "margin,prior=0.3", "bayes-vmf,d=128,scale=2.5", "oracle-f1"]
)
def test_a_rule_gives_its_text_back(text):
    assert str(parse_rule(text)) == text


@given(st.floats(0, 1, exclude_min=True), st.floats(0, 1, exclude_min=True, exclude_max=True))
def test_any_sensible_value_survives_as_text(recall, prior):
    for rule in (RecallTarget(recall), PriorQuantile(prior), PriorQuantile(prior, target="unlabelled")):
        assert parse_rule(str(rule)) == rule


def test_texts_become_the_rules_they_name():
    assert parse_rule(" recall = .9 ") == RecallTarget(0.9)
    assert parse_rule("prior=0.2,target=unlabelled") == PriorQuantile(0.2, target="unlabelled")
    assert parse_rule("lee-liu") == LeeLiu()
    assert parse_rule("pu-f1") == parse_rule("pu-f1,prior=bbe") == PUF1(prior="bbe")
    assert parse_rule("precision=.9, prior=.3") == PrecisionFloor(0.9, prior=0.3)
    assert parse_rule("bayes-vmf,scale=3,d=8") == BayesVMF(d=8, scale=3.0)
    assert parse_rule("oracle-f1") == OracleF1()


def test_every_rule_s_example_is_one_of_it():
    for name, rule in RULES.items():
        assert rule.name == name
        assert type(parse_rule(rule.example)) is rule


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("recall=1.5", r"recall must lie in \(0, 1\], got 1\.5"),
        ("recall=0", r"recall must lie in \(0, 1\], got 0"),
        ("recall=nan", r"recall must lie in \(0, 1\]"),
        ("recall=abc", "recall must be a number, got 'abc'"),
        ("recall", "recall must be a number, got ''"),
        ("prior=0", r"prior must lie in \(0, 1\), got 0"),
        ("prior=1", r"prior must lie in \(0, 1\), got 1"),
        ("prior=0.3,target=test", "target must be"),
        ("prior=0.3,precision=0.9", "no setting 'precision'; it has prior, target"),
        ("lee-liu=3", "takes no value, got '3'"),
        ("prior", "prior must be a number or an estimator's name"),
        ("pu-f1,prior=0", r"prior must lie in \(0, 1\), got 0"),
        ("pu-f1,prior=nan", r"prior must lie in \(0, 1\)"),
        ("pu-f1,prior=bb", "got 'bb'; did you mean 'bbe'"),
        ("pu-f1,prior=best", "got 'best'; known are bbe, tedn"),
        ("pu-f1=3", "takes no value"),
        ("precision=0", r"precision must lie in \(0, 1\], got 0"),
        ("precision=1.1", r"precision must lie in \(0, 1\]"),
        ("precision=0.9,recall=0.9", "no setting 'recall'; it has prior, target, precision"),
        ("bayes-vmf", "needs d and scale; write, for example, bayes-vmf,d=128,scale=3"),
        ("bayes-vmf,d=8", "needs scale"),
        ("bayes-vmf,d=8.5,scale=3", "d must be a whole number, got '8.5'"),
        ("bayes-vmf,d=1,scale=3", "d must be at least 2"),
        ("bayes-vmf,d=8,scale=0", "scale must be above 0"),
        ("foo", "pu-f1, recall=0.95, precision=0.9, prior=0.3, .*scale=3; choose one"),
        ("", "there is no rule ''"),
        ("leeliu", "did you mean lee-liu"),
        ("recal=0.9", "did you mean recall=0.95"),
        ("oracle", "scale=3; choose one of them"),
    ],
)
def test_nonsense_is_refused_with_advice(text, message):
    with pytest.raises(SettingError, match=message):
        parse_rule(text)


scores = st.lists(st.floats(-10, 10, width=32), min_size=1, max_size=30)


@pytest.mark.parametrize("scenario", ["one-sample", "two-sample"])
@pytest.mark.parametrize(
    "text",
    [
        "recall=0.9",
        "prior=0.99",
        "prior=0.2,target=unlabelled",
        "lee-liu",
        "pu-f1,prior=0.99",
        "precision=0.9,prior=0.99",
    ],
)
@given(pos=scores, unl=scores)
def test_a_decision_says_what_its_threshold_does(text, scenario, pos, unl):
    if len({*pos, *unl}) == 1:
        return
    held = held_of(pos, unl, scenario=scenario)
    decision = parse_rule(text).choose(held)
    assert decision.rule == text
    assert not np.isin(np.float32(decision.threshold), np.concatenate([held.score_pos, held.score_unl]))
    assert decision.recall == np.mean(held.score_pos > decision.threshold)
    assert decision.positive_share == np.mean(held.score_unl > decision.threshold)
    assert 0 <= decision.recall_low <= decision.recall_high <= 1
    if decision.precision is not None:
        assert 0 <= decision.precision_low <= decision.precision <= decision.precision_high <= 1
    assert decision.n_pos_used == len(pos)


@pytest.mark.parametrize("text", [*RULE_TEXTS, *ESTIMATING_TEXTS])
def test_a_shift_and_a_stretch_of_the_scores_move_the_threshold_along(text):
    rng = np.random.default_rng(0)
    pos, unl = rng.integers(50, 200, 40), rng.integers(0, 150, 400)
    plain = parse_rule(text).choose(held_of(pos, unl))
    moved = parse_rule(text).choose(held_of(4 * pos - 64, 4 * unl - 64))
    assert (moved.precision, moved.precision_low) == (plain.precision, plain.precision_low)
    assert moved.threshold == 4 * plain.threshold - 64
    assert (moved.recall, moved.positive_share) == (plain.recall, plain.positive_share)


def test_a_decision_survives_json():
    decision = parse_rule("recall=0.5,prior=0.3").choose(held_of([1, 2], [0, 3], source="training"))
    assert decision.notes
    assert decision.precision is not None
    assert json.loads(json.dumps(decision.to_json())) == decision.to_json()
    assert Decision.from_json(decision.to_json()) == decision


def test_a_decision_of_version_0_1_0_is_still_read():
    golden = Path(__file__).parents[1] / "golden" / "0.1.0" / "model" / "model.json"
    content = json.loads(golden.read_text())["decision"]
    assert "precision" not in content
    decision = Decision.from_json(content)
    assert decision.rule == "lee-liu"
    assert decision.precision is decision.prior is None


@pytest.mark.parametrize("content", [{}, {"notes": []}, {"notes": [], "colour": "red"}])
def test_a_damaged_decision_is_refused(content):
    with pytest.raises(ModelError, match="fit the model again"):
        Decision.from_json(content)


def test_notes_tell_few_positives_and_where_the_scores_come_from():
    many, few = np.arange(30), np.arange(29)
    rule = RecallTarget(0.5)
    assert rule.choose(held_of(many, [0, 40])).notes == ()
    assert "29 positive(s) only" in rule.choose(held_of(few, [0, 40])).notes[0]
    assert "trained on" in rule.choose(held_of(many, [0, 40], source="training")).notes[0]
    assert "cross-fitted" in rule.choose(held_of(many, [0, 40], source="cross-fitted")).notes[0]
    assert "no row" in parse_rule("proxy-accuracy,prior=0.01").choose(held_of(many, np.arange(300))).notes[0]
    assert "every row" in RecallTarget(1).choose(held_of(many, [10, 40])).notes[0]


@pytest.mark.parametrize("text", [*RULE_TEXTS, *ESTIMATING_TEXTS])
def test_equal_scores_are_refused_by_every_rule(text):
    with pytest.raises(DataError, match="scores equal"):
        parse_rule(text).choose(held_of([1, 1], [1, 1, 1]))


def test_held_out_scores_must_be_finite_and_say_where_they_come_from():
    with pytest.raises(DataError, match="NaN or infinite"):
        held_of([np.nan], [1.0])
    with pytest.raises(SettingError, match="source must be one of held out, cross-fitted, training"):
        held_of([1.0], [2.0], source="test")
    with pytest.raises(SettingError, match="scenario"):
        held_of([1.0], [2.0], scenario="both")


def test_held_out_scores_are_kept_in_float32():
    held = HeldOut(np.array([0.1]), np.array([0.2, 0.3]), 1, 2, "one-sample", "held out")
    assert held.score_pos.dtype == held.score_unl.dtype == np.float32


def test_the_population_called_positive_follows_the_scenario():
    one = held_of([1.0], [2.0], scenario="one-sample", n_pos=100, n_unl=300)
    two = dataclasses.replace(one, scenario="two-sample")
    assert one.share_called(0.8, 0.2, target="population") == pytest.approx((80 + 60) / 400)
    assert one.share_called(0.8, 0.2, target="unlabelled") == 0.2
    assert two.share_called(0.8, 0.2, target="population") == 0.2


@pytest.mark.parametrize("text", ["pu-f1,prior=0.3", "recall=0.9,prior=0.3", "prior=0.3"])
def test_a_prior_that_the_counts_rule_out_is_refused_before_training(text):
    with pytest.raises(SettingError, match=r"\[0\.5, 1\] in the one-sample"):
        parse_rule(text).check(n_pos=50, n_unl=50, scenario="one-sample", has_margin=False)
    parse_rule(text).check(n_pos=50, n_unl=50, scenario="two-sample", has_margin=False)


def test_an_estimate_from_too_few_positives_is_refused_before_training():
    parse_rule("pu-f1").check(n_pos=10, n_unl=50, scenario="one-sample", has_margin=False)
    parse_rule("lee-liu").check(n_pos=9, n_unl=50, scenario="one-sample", has_margin=False)
    with pytest.raises(DataError, match=r"at least 10 labelled positives, got 9; .* lee-liu"):
        parse_rule("pu-f1").check(n_pos=9, n_unl=50, scenario="one-sample", has_margin=False)


def test_a_decision_tells_both_shares_of_positives():
    held = held_of(np.arange(40), np.arange(50), scenario="one-sample", n_pos=100, n_unl=400)
    given_prior = parse_rule("recall=0.9,prior=0.4").choose(held)
    given_alpha = parse_rule("recall=0.9,prior=0.25,target=unlabelled").choose(held)
    assert (given_prior.alpha, given_prior.prior) == pytest.approx((0.25, 0.4))
    assert (given_alpha.alpha, given_alpha.prior) == pytest.approx((0.25, 0.4))
    assert parse_rule("recall=0.9").choose(held).prior is None


def test_positives_like_the_unlabelled_rows_are_told():
    decision = parse_rule("pu-f1").choose(held_of(np.arange(60), np.arange(60)))
    assert any("score alike" in note for note in decision.notes)
    assert decision.alpha == 1 - 0.5 / 60
