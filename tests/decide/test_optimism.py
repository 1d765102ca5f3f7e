import numpy as np
import pytest

from angularpu.decide.lee_liu import LeeLiu
from angularpu.decide.optimism import RESAMPLES, measure_optimism
from angularpu.decide.prior_setting import resolve_prior
from angularpu.decide.rules import RULES, parse_rule
from angularpu.decide.threshold import list_thresholds


def measure(find, held, *, prior=None):
    resolved = None if prior is None else resolve_prior(prior, held, target="population")
    thresholds = list_thresholds(held.score_pos, held.score_unl)
    return measure_optimism(find, held, thresholds=thresholds, resolved=resolved)


def test_a_threshold_that_stays_put_flatters_nobody(gaussians):
    held = gaussians(0.3).draw(np.random.default_rng(0))
    stays = measure(lambda held, thresholds: 500, held, prior=0.4)
    best = measure(LeeLiu().find, held, prior=0.4)
    assert stays.recall < 0.005 < best.recall
    assert stays.precision < 0.005 < best.precision


def test_every_draw_has_as_many_rows_as_the_scores(gaussians):
    held = gaussians(0.3, n_pos=40, n_unl=70).draw(np.random.default_rng(0))
    seen = []

    def find(held, thresholds):
        seen.append((thresholds.pos_above[0], thresholds.rest_above[0], thresholds.pos_above[-1]))
        assert (np.diff(thresholds.pos_above) <= 0).all()
        assert (np.diff(thresholds.rest_above) <= 0).all()
        return 0

    measure(find, held)
    assert seen == [(40, 70, 0)] * RESAMPLES


@pytest.mark.parametrize("text", ["pu-f1", "lee-liu"])
def test_it_is_about_what_new_rows_show(text, gaussians):
    trial = gaussians(0.3, apart=2.83)
    prior = trial.prior("population")
    rng = np.random.default_rng(0)
    guessed, true = [], []
    for _ in range(40):
        held = trial.draw(rng)
        rule = parse_rule(f"{text},prior={prior!r}")
        decision = rule.choose(held)
        guessed.append(measure(rule.find, held, prior=prior).recall)
        true.append(decision.recall - trial.recall(decision.threshold))
    assert 0.4 * np.mean(true) < np.mean(guessed) < 1.2 * np.mean(true)


@pytest.mark.parametrize("text", ["pu-f1", "lee-liu"])
def test_intervals_of_the_best_threshold_hold_the_truth_nine_times_in_ten(text, gaussians):
    trial = gaussians(0.5, apart=2.83)
    rule = parse_rule(f"{text},prior={trial.prior('population')!r}")
    rng = np.random.default_rng(0)
    recall, precision = [], []
    for _ in range(120):
        decision = rule.choose(trial.draw(rng))
        recall.append(decision.recall_low <= trial.recall(decision.threshold) <= decision.recall_high)
        true = trial.precision(decision.threshold, "population")
        precision.append(decision.precision_low <= true <= decision.precision_high)
    assert 0.85 <= np.mean(recall) <= 0.97
    assert 0.85 <= np.mean(precision) <= 0.97


def test_equal_scores_give_equal_optimism(gaussians):
    held = gaussians(0.3).draw(np.random.default_rng(0))
    assert measure(LeeLiu().find, held, prior=0.4) == measure(LeeLiu().find, held, prior=0.4)


def test_the_rules_that_search_for_the_best_say_so():
    assert [name for name, rule in RULES.items() if rule.picks_best] == ["pu-f1", "proxy-accuracy", "lee-liu"]
