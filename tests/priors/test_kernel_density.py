import numpy as np
import pytest
from scipy.stats import beta, gaussian_kde

from angularpu.priors.kernel_density import count_on_grid, count_shares, smooth_beta, smooth_gaussian


def test_the_grid_agrees_with_scipy_s_sum_over_all_scores():
    score, at = np.random.default_rng(0).normal(size=300), np.linspace(-6, 6, 500)
    exact = gaussian_kde(score, bw_method=0.3 / score.std(ddof=1))(at)
    assert np.abs(smooth_gaussian(score, 0.3, at=at) - exact).max() < 4e-3 * exact.max()


def test_the_density_s_mass_is_one():
    score, at = np.random.default_rng(0).normal(size=300), np.linspace(-6, 6, 500)
    assert np.trapezoid(smooth_gaussian(score, 0.3, at=at), at) == pytest.approx(1, abs=1e-3)


def test_beta_kernels_agree_with_a_sum_over_all_numbers():
    share = np.random.default_rng(0).beta(2, 5, 200)
    x = np.linspace(0, 1, 32)
    exact = [beta.pdf(share, at / 0.02 + 1, (1 - at) / 0.02 + 1).mean() for at in x]
    np.testing.assert_allclose(smooth_beta(count_shares(share), 0.02, points=32), exact, rtol=0.002, atol=0.001)


def test_counting_keeps_number_and_mean():
    place = np.random.default_rng(0).uniform(0, 9, 100)
    counts = count_on_grid(place, 10)
    assert counts.sum() == pytest.approx(100)
    assert counts @ np.arange(10) / 100 == pytest.approx(place.mean())
