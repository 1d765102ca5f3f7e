import numpy as np
import pytest
from scipy.stats import beta, gaussian_kde

from angularpu.priors.kernel_density import POINTS, choose_bandwidth, count_on_grid, smooth_beta, smooth_gaussian


def test_the_grid_agrees_with_scipy_s_sum_over_all_scores():
    score = np.random.default_rng(0).normal(size=300)
    grid, density = smooth_gaussian(score, 0.3, low=-6.0, high=6.0)
    exact = gaussian_kde(score, bw_method=0.3 / score.std(ddof=1))(grid)
    assert np.abs(density - exact).max() < 2e-3 * exact.max()


def test_the_density_s_mass_is_one():
    score = np.random.default_rng(0).normal(size=300)
    grid, density = smooth_gaussian(score, 0.3, low=-6.0, high=6.0)
    assert np.trapezoid(density, grid) == pytest.approx(1, abs=1e-6)


def test_beta_kernels_agree_with_a_sum_over_all_numbers():
    share = np.random.default_rng(0).beta(2, 5, 200)
    x = np.linspace(0, 1, POINTS)
    exact = [beta.pdf(share, at / 0.02 + 1, (1 - at) / 0.02 + 1).mean() for at in x]
    np.testing.assert_allclose(smooth_beta(share, 0.02), exact, rtol=0.01, atol=0.01)


def test_counting_keeps_number_and_mean():
    place = np.random.default_rng(0).uniform(0, 9, 100)
    counts = count_on_grid(place, 10)
    assert counts.sum() == pytest.approx(100)
    assert counts @ np.arange(10) / 100 == pytest.approx(place.mean())


def test_scores_that_mostly_tie_still_get_a_bandwidth():
    assert choose_bandwidth(np.repeat([0.0, 1.0], [90, 10])) == pytest.approx(0.9 * 0.3 * 100**-0.2)
