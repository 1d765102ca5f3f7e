import numpy as np
import pytest

from angularpu.priors.dedpul import _mean_posterior, estimate_dedpul


@pytest.mark.parametrize("alpha", [0.1, 0.3, 0.5, 0.7])
def test_it_finds_the_share_of_well_separated_scores(draw_scores, alpha):
    estimates = [estimate_dedpul(*draw_scores(alpha, separation=2.83, seed=seed)).alpha for seed in range(5)]
    assert abs(np.mean(estimates) - alpha) < 0.03


def test_the_mean_posterior_is_that_of_a_loop():
    ratio = np.sort(np.random.default_rng(0).gamma(1.0, 1.0, 50))
    shares = np.linspace(0, 1, 11)
    naive = [np.mean(np.maximum(0, 1 - ratio * (1 - share))) for share in shares]
    np.testing.assert_allclose(_mean_posterior(ratio, shares), naive, atol=1e-12)


def climb_by_em(ratio):
    share = 0.0
    for _ in range(100_000):
        before, share = share, np.mean(np.maximum(0, 1 - ratio * (1 - share)))
        if abs(share - before) < 1e-12:
            return share
    raise AssertionError("EM did not come to rest")


def test_the_fixed_point_is_where_em_comes_to_rest(monkeypatch):
    ratio = np.sort(np.random.default_rng(1).uniform(0.0, 2.2, 300))
    monkeypatch.setattr("angularpu.priors.dedpul._smooth_ratio", lambda *_, **__: ratio)
    found = estimate_dedpul(np.arange(20.0), np.arange(20.0) - 9)
    assert found.diagnostics["fixed_point"] == 1
    assert 1 - found.alpha == pytest.approx(climb_by_em(ratio), abs=1e-4)


def test_without_a_fixed_point_the_bend_decides(monkeypatch):
    # 39 rows in a hundred have the ratio 1/0.4: the mean is just below one, and bends where 1 - a_N = 0.4.
    ratio = np.repeat([0.0, 2.5], [61, 39])
    monkeypatch.setattr("angularpu.priors.dedpul._smooth_ratio", lambda *_, **__: ratio)
    found = estimate_dedpul(np.arange(20.0), np.arange(20.0) - 9)
    assert found.diagnostics["fixed_point"] == 0
    assert found.alpha == pytest.approx(0.4, abs=0.002)


def test_a_million_scores_take_seconds_at_most_and_agree_with_fewer(draw_scores):
    many = estimate_dedpul(*draw_scores(0.3, n_pos=100_000, n_unl=900_000))
    assert many.alpha == pytest.approx(0.3, abs=0.01)


def test_shifting_and_stretching_the_scores_changes_next_to_nothing(draw_scores):
    pos, unl = draw_scores(0.4)
    assert estimate_dedpul(3 * pos + 5, 3 * unl + 5).alpha == pytest.approx(estimate_dedpul(pos, unl).alpha, abs=0.003)
