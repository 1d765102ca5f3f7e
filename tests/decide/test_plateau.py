"""Whether the bound on the share of positives is reached, by scores whose density ratio is known."""

import numpy as np
import pytest

from angularpu.decide.plateau import find_plateau


def verdicts(trial, draws=40):
    rng = np.random.default_rng(0)
    held = [trial.draw(rng) for _ in range(draws)]
    return [find_plateau(each.score_pos, each.score_unl) for each in held]


def share(found, bound):
    return np.mean([each.bound == bound for each in found])


def test_classes_that_hardly_overlap_reach_the_bound_and_leave_a_true_lower_end(gaussians):
    found = verdicts(gaussians(0.3, apart=4.0, n_pos=1000, n_unl=4000))
    assert share(found, "reached") > 0.8
    reached = [each for each in found if each.bound == "reached"]
    assert np.mean([0.15 < each.least_alpha <= 0.3 for each in reached]) > 0.9


@pytest.mark.parametrize("alpha", [0.1, 0.3])
def test_classes_that_overlap_are_seen_not_to_reach_it(alpha, gaussians):
    found = verdicts(gaussians(alpha, apart=1.0, n_pos=1000, n_unl=4000))
    assert share(found, "not reached") > 0.8
    assert share(found, "reached") == 0
    assert all(each.least_alpha == 0 for each in found)


def test_a_weak_score_is_level_all_over_and_yet_reaches_nothing(gaussians):
    found = verdicts(gaussians(0.6, apart=0.5, n_pos=1000, n_unl=4000))
    assert share(found, "reached") == 0


def test_thirty_positives_cannot_tell(gaussians):
    found = verdicts(gaussians(0.3, apart=2.0, n_pos=30, n_unl=2000))
    assert share(found, "cannot tell") > 0.6


def test_scores_of_one_law_are_at_chance_level(gaussians):
    found = verdicts(gaussians(0.3, apart=0.0, n_pos=200))
    assert share(found, "chance") > 0.9
    assert found[0].rise is None


def test_reversed_scores_are_no_better_than_chance():
    assert find_plateau(np.arange(50.0), np.arange(50.0) + 100).bound == "chance"


def test_equal_scores_at_the_top_leave_nothing_to_compare():
    found = find_plateau(np.append(np.ones(90), np.zeros(10)), np.append(np.ones(100), np.zeros(900)))
    assert (found.bound, found.rise) == ("cannot tell", None)


def test_the_rise_is_the_quotient_of_the_two_slices_ratios():
    pos = np.arange(100.0, 200.0)
    unl = np.concatenate([np.linspace(180, 199, 30), np.linspace(150, 179.5, 90), np.zeros(2000)])
    found = find_plateau(pos, unl)
    assert found.rise == pytest.approx((90.5 / 30) / (30.5 / 20))
    assert found.rise_low < found.rise < found.rise_high
