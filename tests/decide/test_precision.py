import numpy as np
import pytest

from angularpu.decide.held_out import HeldOut
from angularpu.decide.precision import estimate_precision, expect_precision
from angularpu.decide.prior_setting import resolve_prior
from angularpu.decide.rules import parse_rule


def test_the_expected_precision_is_the_prior_s_part_of_the_rows_called():
    expected = expect_precision(np.array([0.8, 0.5, 0.1, 0.0]), np.array([0.4, 0.1, 0.0, 0.0]), share=0.3)
    assert expected == pytest.approx([0.6, 1.0, 1.0, 0.0])


@pytest.mark.parametrize("target", ["population", "unlabelled"])
@pytest.mark.parametrize(("scenario", "n_pos", "alpha"), [("one-sample", 30, 0.5), ("two-sample", 100, 0.2)])
def test_intervals_hold_the_truth_nine_times_in_ten_when_the_prior_is_known(target, scenario, n_pos, alpha, gaussians):
    trial = gaussians(alpha, n_pos=n_pos, n_unl=9 * n_pos, scenario=scenario)
    rule = parse_rule(f"recall=0.9,prior={trial.prior(target)!r},target={target}")
    rng = np.random.default_rng(0)
    recall, precision = [], []
    for _ in range(200):
        decision = rule.choose(trial.draw(rng))
        recall.append(decision.recall_low <= trial.recall(decision.threshold) <= decision.recall_high)
        true = trial.precision(decision.threshold, target)
        precision.append(decision.precision_low <= true <= decision.precision_high)
    assert 0.85 <= np.mean(recall) <= 0.97
    assert 0.85 <= np.mean(precision) <= 0.97


def test_the_wrong_target_s_precision_would_not_pass(gaussians):
    trial = gaussians(0.2, n_pos=500, n_unl=1500)
    decision = parse_rule(f"recall=0.9,prior={trial.prior('population')!r}").choose(
        trial.draw(np.random.default_rng(0))
    )
    assert decision.precision_low > trial.precision(decision.threshold, "unlabelled")


def test_an_estimated_prior_widens_the_interval(gaussians):
    held = gaussians(0.3, n_pos=200, n_unl=1000).draw(np.random.default_rng(0))
    estimated = parse_rule("recall=0.9,prior=bbe").choose(held)
    given = parse_rule(f"recall=0.9,prior={estimated.prior!r}").choose(held)
    assert estimated.precision == pytest.approx(given.precision)
    assert estimated.precision_low < given.precision_low
    assert estimated.precision_high > given.precision_high


def test_equal_scores_give_equal_intervals(gaussians):
    held = gaussians(0.3).draw(np.random.default_rng(0))
    assert parse_rule("pu-f1").choose(held) == parse_rule("pu-f1").choose(held)


def test_where_no_row_is_called_positive_there_is_no_precision():
    held = HeldOut(np.arange(4.0), np.arange(5.0), 4, 5, "two-sample", "held out")
    assert estimate_precision(held, 9.0, resolved=resolve_prior(0.3, held, target="population")).precision is None


def test_an_estimated_prior_gives_a_range_down_to_what_the_known_positives_alone_would_make(gaussians):
    trial = gaussians(0.1, apart=1.0, n_pos=1000, n_unl=4000)
    held = trial.draw(np.random.default_rng(0))
    decision = parse_rule("recall=0.5,prior=bbe").choose(held)
    assert decision.bound == "not reached"
    assert decision.precision > trial.precision(decision.threshold, "population")
    above, unl_above = np.mean(held.score_pos > decision.threshold), np.mean(held.score_unl > decision.threshold)
    certain = 1000 * above / (1000 * above + 4000 * unl_above)
    assert decision.precision_low == pytest.approx(certain, abs=0.03)
    assert decision.precision_low < certain
    heap = parse_rule("recall=0.5,prior=bbe,target=unlabelled").choose(held)
    assert heap.precision_low == 0


def test_a_bound_that_is_reached_has_a_lower_end_that_holds(gaussians):
    trial = gaussians(0.3, apart=4.0, n_pos=1000, n_unl=4000)
    decision = parse_rule("pu-f1,target=unlabelled").choose(trial.draw(np.random.default_rng(0)))
    assert decision.bound == "reached"
    assert 0.5 < decision.precision_low < trial.precision(decision.threshold, "unlabelled") < decision.precision_high
    assert decision.alpha_low < decision.alpha < decision.alpha_high


def test_scores_at_chance_level_state_no_precision(gaussians):
    decision = parse_rule("pu-f1").choose(gaussians(0.3, apart=0.0, n_pos=200).draw(np.random.default_rng(0)))
    assert decision.bound == "chance"
    assert decision.precision is decision.precision_high is decision.unlabelled_precision is None
    assert any("no better than chance" in note for note in decision.notes)


def test_notes_name_the_probabilities_an_upper_bound_unless_the_prior_is_given(gaussians):
    held = gaussians(0.3).draw(np.random.default_rng(0))
    said = "probabilities of predict_proba are upper bounds"
    assert any(said in note for note in parse_rule("pu-f1").choose(held).notes)
    assert not any(said in note for note in parse_rule("pu-f1,prior=0.4").choose(held).notes)
