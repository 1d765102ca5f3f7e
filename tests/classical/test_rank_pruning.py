import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from angularpu.classical.rank_pruning import RankPruning, estimate_noise, prune


def state_naively(g, s):
    """Follow the statement row by row, rho0 = 0."""
    labelled = [p for p, label in zip(g, s, strict=True) if label]
    lower = sum(labelled) / len(labelled)
    confident = [label for p, label in zip(g, s, strict=True) if p >= lower]
    rho1 = confident.count(0) / len(confident)
    p_s = len(labelled) / len(g)
    p_y = p_s / (1 - rho1)
    return rho1, p_y, rho1 * p_y / (1 - p_s)


def test_the_rates_by_hand():
    g = np.array([0.875, 0.625, 0.375, 0.8, 0.1, 0.2, 0.1, 0.3, 0.2, 0.1])  # at or above LB: two labelled, one not
    s = np.array([1, 1, 1, 0, 0, 0, 0, 0, 0, 0], np.int8)
    noise = estimate_noise(g, s)
    assert noise.lower_bound == 0.625
    assert noise.rho1 == pytest.approx(1 / 3)
    assert noise.prior == pytest.approx(0.45)
    assert noise.pi0 == pytest.approx(0.15 / 0.7)


@settings(deadline=None)
@given(st.data())
def test_the_rates_are_those_of_a_loop_over_the_rows(data):
    n = data.draw(st.integers(4, 40))
    g = data.draw(arrays(np.float64, n, elements=st.integers(0, 64).map(lambda k: k / 64)))  # sums are exact
    s = (np.arange(n) < data.draw(st.integers(1, n - 1))).astype(np.int8)
    rho1, prior, pi0 = state_naively(g.tolist(), s.tolist())
    noise = estimate_noise(g, s)
    assert (noise.rho1, noise.prior, noise.pi0) == (
        pytest.approx(rho1),
        pytest.approx(prior),
        pytest.approx(min(1, pi0)),
    )


def test_equal_probabilities_count_every_row_as_confident():
    noise = estimate_noise(np.full(10, 0.1), (np.arange(10) < 3).astype(np.int8))  # the mean rounds to above 0.1
    assert noise.rho1 == pytest.approx(0.7)


def test_the_highest_unlabelled_rows_go_and_ten_always_stay():
    g, s = np.append([0.0, 0.0], np.linspace(1, 0, 20)), (np.arange(22) < 2).astype(np.int8)
    assert prune(g, s, pi0=0.29).tolist() == [0, 1, *range(7, 22)]
    assert len(prune(g, s, pi0=1.0)) == 12
    assert len(prune(g[:7], s[:7], pi0=1.0)) == 7


def test_the_last_fit_sees_the_rows_left_with_positives_weighing_more(oracle):
    g = np.concatenate([np.full(10, 0.8), np.full(10, 0.9), np.linspace(0, 0.5, 40)])
    s = (np.arange(60) < 10).astype(np.int8)
    model = RankPruning(base=oracle).fit(g[:, None], s, rng=np.random.default_rng(0))
    assert model.numbers()["rho1"] == pytest.approx(0.5)
    assert model.numbers()["pi0"] == pytest.approx(0.2)
    assert model.numbers()["pruned"] == 10
    inside = model.parts()["classifier"]
    assert 0.9 not in inside.x_
    np.testing.assert_allclose(inside.weight_, np.where(inside.y_ == 1, 2.0, 1.0))
