import numpy as np
import pytest
from scipy.special import logit

from angularpu.classical.spy import Spy, choose_negatives


def test_reliable_negatives_are_the_unlabelled_rows_below_the_spies_quantile(oracle):
    x = np.concatenate([np.linspace(0.5, 0.9, 20), np.linspace(0.01, 0.99, 50)])[:, None]
    s = (np.arange(70) < 20).astype(np.int8)
    model = Spy(base=oracle, share=0.25, noise=0.2).fit(x, s, rng=np.random.default_rng(0))
    spies = np.random.default_rng(0).choice(np.arange(20), 5, replace=False)
    threshold = np.quantile(logit(x[spies, 0]), 0.2)
    expected = [p for p in x[20:, 0] if logit(p) <= threshold]
    inside = model.parts()["classifier"]
    np.testing.assert_array_equal(inside.x_[inside.y_ == 0, 0], expected)
    np.testing.assert_array_equal(inside.x_[inside.y_ == 1, 0], x[:20, 0])
    numbers = {"spies": 5, "threshold": pytest.approx(threshold), "reliable_negatives": len(expected)}
    assert model.numbers() == numbers


def test_the_labels_that_came_in_are_not_changed(oracle):
    x, s = np.linspace(0.1, 0.9, 30)[:, None], (np.arange(30) < 10).astype(np.int8)
    Spy(base=oracle).fit(x, s, rng=np.random.default_rng(0))
    assert s.sum() == 10


def test_with_too_few_rows_below_the_lowest_ten_are_taken_and_no_more_than_there_are():
    score = np.array([5.0, 3.0, 4.0])
    assert choose_negatives(score, 0.0).tolist() == [1, 2, 0]
    assert len(choose_negatives(np.arange(30.0), 3.0)) == 10
    assert len(choose_negatives(np.arange(30.0), 12.5)) == 13


def test_one_score_for_all_makes_every_unlabelled_row_a_negative():
    assert len(choose_negatives(np.zeros(30), 0.0)) == 30


def test_two_positives_leave_one_to_spy(oracle):
    x, s = np.linspace(0.1, 0.9, 30)[:, None], (np.arange(30) < 2).astype(np.int8)
    assert Spy(base=oracle).fit(x, s, rng=np.random.default_rng(0)).numbers()["spies"] == 1
