"""Random labels against a share known from outside."""

import math

import numpy as np
import pytest
from scipy.stats import norm

from angularpu.decide.scar_tests import compare_share
from angularpu.priors.bbe import estimate_bbe

ALPHA = 0.3


def draw(seed, *, seen=ALPHA, apart=2.83, n_pos=500, n_unl=2000):
    """Scores whose unlabelled part holds a share ``seen`` that is like the labelled ones."""
    rng = np.random.default_rng(seed)
    like = round(seen * n_unl)
    return rng.normal(apart, 1, n_pos), np.append(rng.normal(apart, 1, like), rng.normal(0, 1, n_unl - like)), rng


def compare(alpha, seed=0, **options):
    score_pos, score_unl, rng = draw(seed, **options)
    return compare_share(score_pos, score_unl, alpha=alpha, rng=rng)


def test_the_p_value_is_that_of_the_normal_law():
    score_pos, score_unl = np.ones(40), np.repeat([1.0, 0.0], [60, 140])
    check = compare_share(score_pos, score_unl, alpha=0.4, rng=np.random.default_rng(0))
    share = (60.5 / 200) / (40.5 / 40)
    error = math.sqrt(1 / 40.5 - 1 / 41 + 1 / 60.5 - 1 / 201)
    assert check.statistic == pytest.approx(0.4 / share)
    assert check.p_value == pytest.approx(norm.cdf(math.log(share / 0.4) / error))


def test_false_alarms_are_rare_under_random_labels():
    alarms = [not compare(ALPHA, seed).holds for seed in range(200)]
    assert np.mean(alarms) <= 0.08


def test_overlapping_classes_raise_no_alarm():
    assert not any(not compare(ALPHA, seed, apart=1.0).holds for seed in range(50))


def test_half_the_positives_without_a_label_are_noticed():
    found = [not compare(ALPHA, seed, seen=ALPHA / 2).holds for seed in range(30)]
    assert np.mean(found) > 0.9


def test_the_more_rows_are_said_to_be_positive_the_stronger_the_evidence():
    p_values = [compare(alpha).p_value for alpha in (0.2, 0.3, 0.35, 0.5)]
    assert p_values == sorted(p_values, reverse=True)
    assert p_values[0] > 0.9
    assert p_values[-1] < 1e-6


def test_a_share_estimated_from_the_same_scores_passes_even_when_labels_are_uneven():
    score_pos, score_unl, rng = draw(0, seen=ALPHA / 2)
    alpha = estimate_bbe(score_pos, score_unl).alpha
    assert compare_share(score_pos, score_unl, alpha=alpha, rng=rng).holds


def test_the_power_said_is_near_the_share_of_alarms_when_the_alternative_is_true():
    size = {"n_pos": 60, "n_unl": 240}
    said = np.mean([compare(ALPHA, seed, **size).power for seed in range(100)])
    found = np.mean([not compare(ALPHA, seed, seen=ALPHA / 2, **size).holds for seed in range(100)])
    assert 0.2 < found < 0.95
    assert said == pytest.approx(found, abs=0.2)


def test_power_grows_with_the_sample_and_falls_with_the_level():
    score_pos, score_unl, rng = draw(0, n_pos=60, n_unl=240)
    few = compare_share(score_pos, score_unl, alpha=ALPHA, rng=rng)
    assert few.power < compare(ALPHA).power
    strict = compare_share(score_pos, score_unl, alpha=ALPHA, rng=np.random.default_rng(0), level=0.001)
    loose = compare_share(score_pos, score_unl, alpha=ALPHA, rng=np.random.default_rng(0), level=0.1)
    assert strict.power < loose.power
    assert strict.p_value == loose.p_value
