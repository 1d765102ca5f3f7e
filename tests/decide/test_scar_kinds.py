"""Kinds of positive against one another."""

import math

import numpy as np
import pytest
from scipy.stats import norm

from angularpu.decide.scar_tests import compare_kinds

SIDE = 4.0


def draw(seed, *, labelled=(100, 100), unlabelled=(150, 150), negatives=600, d=4):
    """Two kinds of positive at either side of the second column, scored by the first."""
    rng = np.random.default_rng(seed)

    def place(counts):
        kind = np.repeat([0, 1], counts)
        x = rng.standard_normal((len(kind), d))
        x[:, 0] += 4
        x[:, 1] += SIDE * (2 * kind - 1)
        return x

    x_pos = place(labelled)
    x_unl = np.concatenate([place(unlabelled), rng.standard_normal((negatives, d))])
    return x_pos, x_unl, rng


def compare(seed=0, **options):
    x_pos, x_unl, rng = draw(seed, **options)
    return compare_kinds(x_pos[:, 0], x_unl[:, 0], x_pos, x_unl, rng=rng)


def test_the_p_value_is_that_of_the_normal_law():
    x_pos = np.repeat([[5.0, 1.0], [-5.0, 1.0]], [60, 15], axis=0)
    x_unl = np.repeat([[5.0, 1.0], [-5.0, 1.0], [0.0, 0.0]], [40, 50, 200], axis=0)
    check = compare_kinds(x_pos[:, 1], x_unl[:, 1], x_pos, x_unl, rng=np.random.default_rng(0))
    factor = (60.5 / 40.5) / (15.5 / 50.5)
    error = math.sqrt(1 / 60.5 + 1 / 40.5 + 1 / 15.5 + 1 / 50.5)
    assert check.statistic == pytest.approx(factor)
    assert check.p_value == pytest.approx(2 * norm.sf(math.log(factor / 2) / error))
    assert check.finding.startswith("one of 2 kinds of positive has 4.9 times")
    assert (check.n_pos, check.n_unl) == (75, 290)


def test_false_alarms_are_rare_under_random_labels():
    assert np.mean([not compare(seed).holds for seed in range(40)]) <= 0.08


def test_a_kind_that_seldom_gets_a_label_is_noticed():
    found = [not compare(seed, labelled=(160, 40), unlabelled=(120, 180)).holds for seed in range(10)]
    assert np.mean(found) >= 0.9


def test_it_does_not_matter_which_kind_comes_first():
    left, right = (compare(labelled=counts, unlabelled=(150, 150)) for counts in ((180, 20), (20, 180)))
    assert not left.holds
    assert not right.holds


def test_turning_the_rows_changes_nothing():
    x_pos, x_unl, rng = draw(0)
    turn = np.linalg.qr(rng.standard_normal((4, 4)))[0]
    plain, turned = (
        compare_kinds(x_pos[:, 0], x_unl[:, 0], x_pos @ q, x_unl @ q, rng=np.random.default_rng(1))
        for q in (np.eye(4), turn)
    )
    assert plain == turned


def test_one_seed_gives_one_answer():
    assert compare(3) == compare(3)


def test_the_power_said_is_near_the_share_of_alarms_when_the_alternative_is_true():
    even = {"labelled": (40, 40), "unlabelled": (100, 100)}
    uneven = {"labelled": (64, 16), "unlabelled": (100, 100)}
    said = np.mean([compare(seed, **even).power for seed in range(40)])
    found = np.mean([not compare(seed, **uneven).holds for seed in range(40)])
    assert 0.1 < found < 0.9
    assert said == pytest.approx(found, abs=0.25)


def test_power_grows_with_the_sample():
    assert compare().power < compare(labelled=(400, 400), unlabelled=(600, 600)).power - 0.1


@pytest.mark.parametrize("counts", [{"labelled": (18, 0)}, {"labelled": (20, 5)}])
def test_too_few_rows_are_said_to_have_told_nothing(counts):
    check = compare(**counts)
    assert check.power == 0
    assert check.holds
    assert "not compared" in check.notes[0]


def test_rows_that_are_all_the_same_are_one_kind():
    x_pos, x_unl = np.ones((50, 2)), np.ones((90, 2))
    check = compare_kinds(np.ones(50), np.repeat([1.0, 0.0], [40, 50]), x_pos, x_unl, rng=np.random.default_rng(0))
    assert check.power == 0


def test_many_rows_are_divided_by_some_of_them(monkeypatch):
    monkeypatch.setattr("angularpu.decide.scar_tests.MOST_ROWS", 100)
    check = compare(labelled=(160, 40), unlabelled=(120, 180))
    assert not check.holds
    assert (check.n_pos, check.n_unl) == (200, 900)
