import dataclasses

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from angularpu.decide.decision import Decision
from angularpu.decide.held_out import HeldOut
from angularpu.decide.lee_liu import LeeLiu
from angularpu.decide.oracle import OracleF1
from angularpu.decide.prior_quantile import PriorQuantile
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
)


def held_of(pos, unl, *, scenario="two-sample", source="held out", n_pos=None, n_unl=None):
    pos, unl = np.asarray(pos, np.float32), np.asarray(unl, np.float32)
    return HeldOut(pos, unl, n_pos or len(pos), n_unl or len(unl), scenario, source)


@pytest.mark.parametrize("text", [*RULE_TEXTS, "oracle-f1"])
def test_a_rule_gives_its_text_back(text):
    assert str(parse_rule(text)) == text


@given(st.floats(0, 1, exclude_min=True), st.floats(0, 1, exclude_min=True, exclude_max=True))
def test_any_sensible_value_survives_as_text(recall, prior):
    for rule in (RecallTarget(recall), PriorQuantile(prior), PriorQuantile(prior, "unlabelled")):
        assert parse_rule(str(rule)) == rule


def test_texts_become_the_rules_they_name():
    assert parse_rule(" recall = .9 ") == RecallTarget(0.9)
    assert parse_rule("prior=0.2,target=unlabelled") == PriorQuantile(0.2, "unlabelled")
    assert parse_rule("lee-liu") == LeeLiu()
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
        ("oracle-f1,target=population", "no setting 'target'; it has none"),
        ("foo", "recall=0.95, prior=0.3, lee-liu, oracle-f1; choose one"),
        ("", "there is no rule ''"),
        ("leeliu", "did you mean lee-liu"),
        ("recal=0.9", "did you mean recall=0.95"),
        ("oracle", "did you mean oracle-f1"),
    ],
)
def test_nonsense_is_refused_with_advice(text, message):
    with pytest.raises(SettingError, match=message):
        parse_rule(text)


scores = st.lists(st.floats(-10, 10, width=32), min_size=1, max_size=30)


@pytest.mark.parametrize("scenario", ["one-sample", "two-sample"])
@pytest.mark.parametrize("text", ["recall=0.9", "prior=0.99", "prior=0.2,target=unlabelled", "lee-liu"])
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
    assert decision.n_pos_used == len(pos)


@pytest.mark.parametrize("text", RULE_TEXTS)
def test_a_shift_and_a_stretch_of_the_scores_move_the_threshold_along(text):
    rng = np.random.default_rng(0)
    pos, unl = rng.integers(50, 200, 40), rng.integers(0, 150, 400)
    plain = parse_rule(text).choose(held_of(pos, unl))
    moved = parse_rule(text).choose(held_of(4 * pos - 64, 4 * unl - 64))
    assert moved.threshold == 4 * plain.threshold - 64
    assert (moved.recall, moved.positive_share) == (plain.recall, plain.positive_share)


def test_a_decision_survives_json():
    decision = parse_rule("recall=0.5").choose(held_of([1, 2], [0, 3], source="training"))
    assert decision.notes
    assert Decision.from_json(decision.to_json()) == decision


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
    assert "every row" in RecallTarget(1).choose(held_of(many, [10, 40])).notes[0]


@pytest.mark.parametrize("text", RULE_TEXTS)
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
