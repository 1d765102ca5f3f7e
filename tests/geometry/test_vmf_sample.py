import math

import numpy as np
import pytest
from scipy.integrate import cumulative_trapezoid
from scipy.stats import kstest

from angularpu.errors import SettingError
from angularpu.geometry.vmf import cosine_log_density, cosine_variance, mean_cosine
from angularpu.geometry.vmf_sample import sample_cosine, sample_vmf

LAWS = [(0.0, 2), (4.0, 2), (1.0, 3), (200.0, 3), (5.0, 8), (3.0, 128), (60.0, 128), (1e4, 4096)]


def unit(d):
    mu = np.arange(1.0, d + 1)
    return mu / np.linalg.norm(mu)


@pytest.mark.parametrize(("kappa", "d"), LAWS)
def test_sampled_cosines_have_the_mean_and_variance_of_the_law(kappa, d):
    n = 50_000
    cosine = sample_cosine(kappa, d, n=n, generator=np.random.default_rng(0))
    variance = cosine_variance(kappa, d)
    assert len(cosine) == n
    assert abs(cosine.mean() - mean_cosine(kappa, d)) < 5 * math.sqrt(variance / n)
    # The fourth moment gives the variance's own standard error.
    error = math.sqrt((((cosine - cosine.mean()) ** 4).mean() - variance**2) / n)
    assert abs(cosine.var() - variance) < 5 * error


@pytest.mark.parametrize(("kappa", "d"), [(4.0, 2), (5.0, 8), (60.0, 128)])
def test_sampled_cosines_follow_the_density(kappa, d):
    cosine = sample_cosine(kappa, d, n=2000, generator=np.random.default_rng(1))
    angle = np.linspace(1e-5, np.pi - 1e-5, 100_001)
    density = np.exp(cosine_log_density(np.cos(angle), kappa, d=d)) * np.sin(angle)
    share = cumulative_trapezoid(density, angle, initial=0)
    assert kstest(np.interp(np.arccos(cosine), angle, share), "uniform").pvalue > 1e-3


@pytest.mark.parametrize(("kappa", "d"), [(0.0, 2), (4.0, 2), (5.0, 8), (60.0, 128)])
def test_directions_are_unit_vectors_whose_mean_is_the_mean_cosine_times_mu(kappa, d):
    n, mu = 5000, unit(d)
    z = sample_vmf(mu, kappa, n=n, generator=np.random.default_rng(0))
    assert z.shape == (n, d)
    assert np.linalg.norm(z, axis=1) == pytest.approx(np.ones(n))
    # Five standard errors of the squared length: the coordinates' variances sum to 1 - A^2.
    a = mean_cosine(kappa, d)
    error = z.mean(axis=0) - a * mu
    spread = math.sqrt(2 / (d - 1))
    assert n * (error @ error) / (1 - a**2) < 1 + 5 * spread + 25 * spread**2


def test_the_rest_of_the_direction_is_uniform_around_mu():
    mu = unit(3)
    z = sample_vmf(mu, 5.0, n=5000, generator=np.random.default_rng(0))
    across = np.cross(mu, [1.0, 0.0, 0.0])
    across /= np.linalg.norm(across)
    angle = np.arctan2(z @ across, z @ np.cross(mu, across))
    assert kstest(angle / (2 * np.pi) + 0.5, "uniform").pvalue > 1e-3


def test_a_seed_fixes_the_sample():
    first, again = (sample_vmf(unit(4), 3.0, n=10, generator=np.random.default_rng(5)) for _ in range(2))
    assert np.array_equal(first, again)


@pytest.mark.parametrize("n", [0, 1])
def test_few_or_no_rows_can_be_drawn(n):
    assert sample_vmf(unit(4), 3.0, n=n, generator=np.random.default_rng(0)).shape == (n, 4)


def test_an_impossible_law_is_refused_before_anything_is_drawn():
    with pytest.raises(SettingError, match="kappa must be finite"):
        sample_cosine(math.nan, 3, n=1, generator=np.random.default_rng(0))
