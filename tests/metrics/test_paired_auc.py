"""Rankings compared on the same draws: values by hand, and how often a difference is called real."""

import math

import numpy as np
import pytest
from scipy.stats import norm

from angularpu.errors import DataError, SettingError
from angularpu.metrics.paired_auc import compare_auc
from angularpu.metrics.pu import pu_auc


def compare(*scores, n_pos, seed=0, **options):
    pairs = [(each[:n_pos], each[n_pos:]) for each in scores]
    return compare_auc(pairs, rng=np.random.default_rng(seed), **options)


def test_the_interval_of_a_difference_is_the_one_by_hand():
    """Only the pair of the second positive and the first other row is out of order.

    A draw has it X Y times, X and Y both 0, 1/2 or 1 with chances 1/4, 1/2, 1/4. So the difference is 1/4 with
    se^2 = E[X^2]^2 - 1/16 = 9/64 - 4/64 = 5/64, and 15 of 16 draws lie within 1/4 of it: t = (1/4)/se = 2/sqrt(5). With
    two rows of each kind, Student's law has one degree of freedom, of which the upper quantile is cot(pi p).
    """
    sorted_well, one_wrong = np.array([3.0, 3.0, 0.0, 0.0]), np.array([3.0, 1.0, 2.0, 0.0])
    compared = compare(sorted_well, one_wrong, n_pos=2, draws=20_000)
    assert compared.value.tolist() == [1.0, 0.75]
    assert compared.difference.tolist() == [[0.0, 0.25], [-0.25, 0.0]]
    width = math.sqrt(5 / 64) * math.sqrt(2) / math.tan(math.pi * norm.sf(2 / math.sqrt(5)))
    assert compared.difference_low[0, 1] == pytest.approx(0.25 - width, rel=0.03)
    assert compared.difference_high[0, 1] == pytest.approx(0.25 + width, rel=0.03)
    assert (compared.low[1], compared.high[1]) == (0.0, 1.0)
    assert not compared.real.any()


def test_the_values_are_those_of_pu_auc_with_ties_in_both_groups():
    rng = np.random.default_rng(0)
    score = rng.integers(0, 6, 90).astype(np.float32)
    assert compare(score, n_pos=30, draws=2).value[0] == pytest.approx(pu_auc(score[:30], score[30:]), abs=1e-12)


def test_many_rows_are_drawn_in_pieces_and_the_intervals_stay_alike(monkeypatch):
    rng = np.random.default_rng(1)
    scores = [np.append(rng.normal(1, 1, 50), rng.normal(0, 1, 150)) for _ in range(2)]
    whole = compare(*scores, n_pos=50, draws=2000)
    monkeypatch.setattr("angularpu.metrics.paired_auc.AT_ONCE", 450)
    pieces = compare(*scores, n_pos=50, draws=2000)
    assert pieces.low == pytest.approx(whole.low, abs=0.01)
    assert pieces.difference_low == pytest.approx(whole.difference_low, abs=0.02)


def test_what_is_hard_for_both_rankings_does_not_widen_their_difference():
    rng = np.random.default_rng(2)
    common = np.append(rng.normal(1, 1, 100), rng.normal(0, 1, 400))
    compared = compare(common, common + rng.normal(0, 0.1, 500), n_pos=100, draws=300)
    width = compared.high[0] - compared.low[0]
    assert compared.difference_high[0, 1] - compared.difference_low[0, 1] < width / 3


@pytest.mark.parametrize("n_pos", [12, 80])
def test_equally_good_rankings_are_seldom_called_different_and_a_bad_one_is_found(n_pos):
    rng = np.random.default_rng(n_pos)
    mistaken = found = 0
    for _ in range(60):
        y = np.append(np.ones(n_pos), rng.random(300) < 0.3)
        common = 2 * y + rng.normal(size=len(y))
        good, as_good = (common + rng.normal(0, 0.6, len(y)) for _ in range(2))
        compared = compare(good, as_good, rng.normal(size=len(y)), n_pos=n_pos, draws=200)
        mistaken += compared.real[0, 1] or compared.real[1, 0]
        found += compared.real[0, 2]
    assert mistaken <= 6
    assert found >= (54 if n_pos == 80 else 20)


def test_a_ranking_is_never_really_better_than_itself():
    score = np.random.default_rng(3).normal(size=60)
    compared = compare(score, score, n_pos=20, draws=50)
    assert not compared.real.any()
    assert np.isfinite(compared.difference_low).all()


def test_other_rows_and_too_few_of_them_are_refused():
    score = np.arange(10.0)
    rng = np.random.default_rng(0)
    with pytest.raises(DataError, match="same rows, got 6 scores in one and 5 in another"):
        compare_auc([(score[:4], score[4:]), (score[:4], score[5:])], rng=rng)
    with pytest.raises(DataError, match="two labelled positives"):
        compare_auc([(score[:1], score[1:])], rng=rng)
    with pytest.raises(DataError, match="no ranking"):
        compare_auc([], rng=rng)
    with pytest.raises(SettingError, match="draws"):
        compare_auc([(score[:4], score[4:])], rng=rng, draws=1)
