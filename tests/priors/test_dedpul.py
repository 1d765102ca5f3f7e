import numpy as np
import pytest

from angularpu.priors.dedpul import _Posterior, estimate_dedpul, find_negatives


@pytest.mark.parametrize("alpha", [0.1, 0.3, 0.5, 0.7])
def test_it_finds_the_share_of_well_separated_scores(draw_scores, alpha):
    estimates = [estimate_dedpul(*draw_scores(alpha, separation=2.83, seed=seed)).alpha for seed in range(5)]
    assert abs(np.mean(estimates) - alpha) < 0.03


def test_no_positive_in_u_gives_next_to_none(draw_scores):
    pos, unl = draw_scores(0.5, separation=2.83)
    assert estimate_dedpul(pos, unl[2000:]).alpha < 0.05


def test_the_mean_posterior_is_that_of_a_loop():
    ratio = np.sort(np.random.default_rng(0).gamma(1.0, 1.0, 50))
    shares = np.linspace(0, 0.99, 11)
    naive = [np.mean(np.maximum(0, 1 - ratio * (1 - share))) for share in shares]
    np.testing.assert_allclose(_Posterior(ratio).average(shares), naive, atol=1e-12)


def climb_by_em(ratio):
    share = 0.0
    for _ in range(100_000):
        before, share = share, np.mean(np.maximum(0, 1 - ratio * (1 - share)))
        if abs(share - before) < 1e-12:
            return share
    raise AssertionError("EM did not come to rest")


def test_the_fixed_point_is_where_em_comes_to_rest():
    ratio = np.sort(np.random.default_rng(1).uniform(0.0, 2.2, 300))
    negatives, fixed = find_negatives(ratio)
    assert fixed
    assert negatives == pytest.approx(climb_by_em(ratio), abs=1e-4)


def test_without_a_fixed_point_the_bend_decides():
    # 39 rows in a hundred have the ratio 1/0.4: the mean is just below one, and bends where 1 - a_N = 0.4.
    negatives, fixed = find_negatives(np.repeat([0.0, 2.5], [61, 39]))
    assert not fixed
    assert negatives == pytest.approx(0.6, abs=0.002)


def test_a_bend_that_is_far_above_the_share_is_passed_over():
    # The mean exceeds a_N by 0.2 at the sharper bend, 1 - 1/1.5, and by 0.03 at the other one, 1 - 1/10.
    negatives, fixed = find_negatives(np.repeat([0.0, 1.5, 10.0], [61, 38, 3]))
    assert not fixed
    assert negatives == pytest.approx(0.9, abs=0.002)


def test_a_million_scores_take_seconds_at_most_and_agree_with_fewer(draw_scores):
    many = estimate_dedpul(*draw_scores(0.3, n_pos=100_000, n_unl=900_000))
    assert many.alpha == pytest.approx(0.3, abs=0.01)


def test_shifting_and_stretching_the_scores_changes_next_to_nothing(draw_scores):
    pos, unl = draw_scores(0.4)
    assert estimate_dedpul(3 * pos + 5, 3 * unl + 5).alpha == pytest.approx(estimate_dedpul(pos, unl).alpha, abs=0.003)
