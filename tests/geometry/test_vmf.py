import math

import mpmath
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from angularpu.errors import SettingError
from angularpu.geometry.vmf import (
    cosine_log_density,
    cosine_variance,
    kl_to_uniform,
    log_density,
    log_mgf,
    log_normaliser,
    log_uniform,
    mean_cosine,
)

exact = settings(deadline=None, derandomize=True, max_examples=100)
kappas = st.floats(1e-3, 1e4)
dimensions = st.integers(2, 4096)

# Both sides of every switch between formulas: kappa^2 = 4d, and the order of the Bessel function at 50 (d = 102).
GRID = [
    (kappa, d) for d in (2, 3, 16, 101, 102, 128, 1024, 4096) for kappa in (1e-3, 0.1, 2.8, 2.9, 22.0, 23.0, 1e3, 1e4)
]


def reference(kappa, d):
    """log C_d, A_d and the KL divergence in 50 digits, straight from the Bessel functions."""
    with mpmath.workdps(50):
        nu, k = mpmath.mpf(d) / 2 - 1, mpmath.mpf(kappa)
        bessel = mpmath.besseli(nu, k)
        log_c = nu * mpmath.log(k) - (nu + 1) * mpmath.log(2 * mpmath.pi) - mpmath.log(bessel)
        log_u = mpmath.loggamma(nu + 1) - mpmath.log(2) - (nu + 1) * mpmath.log(mpmath.pi)
        a = mpmath.besseli(nu + 1, k) / bessel
        variance = 1 - a**2 - (d - 1) * a / k
        return tuple(float(x) for x in (log_c, log_u - log_c, a, variance, k * a + log_c - log_u))


@pytest.mark.parametrize(("kappa", "d"), GRID)
def test_constants_agree_with_fifty_digits(kappa, d):
    log_c, log_ratio, a, variance, divergence = reference(kappa, d)
    assert log_normaliser(kappa, d) == pytest.approx(log_c, rel=1e-12)
    assert log_mgf(kappa, d) == pytest.approx(log_ratio, rel=1e-12)
    assert mean_cosine(kappa, d) == pytest.approx(a, rel=1e-11)
    assert cosine_variance(kappa, d) == pytest.approx(variance, rel=1e-6)
    assert kl_to_uniform(kappa, d) == pytest.approx(divergence, rel=1e-10)


@pytest.mark.parametrize(("d", "area"), [(2, 2 * math.pi), (3, 4 * math.pi), (4, 2 * math.pi**2)])
def test_the_uniform_density_is_one_over_the_area(d, area):
    assert math.exp(-log_uniform(d)) == pytest.approx(area)


@pytest.mark.parametrize("kappa", [0.01, 1.0, 30.0])
def test_in_three_dimensions_the_mean_cosine_is_the_langevin_function(kappa):
    assert mean_cosine(kappa, 3) == pytest.approx(1 / math.tanh(kappa) - 1 / kappa)


@exact
@given(dimensions)
def test_without_concentration_the_law_is_uniform(d):
    assert log_normaliser(0.0, d) == log_uniform(d)
    assert mean_cosine(0.0, d) == kl_to_uniform(0.0, d) == 0
    assert cosine_variance(0.0, d) == pytest.approx(1 / d)


@exact
@given(kappas, dimensions)
def test_the_mean_cosine_rises_with_kappa_and_stays_between_its_bounds(kappa, d):
    a = mean_cosine(kappa, d)
    assert a < mean_cosine(1.01 * kappa, d) < 1
    # Amos (1974): the two sides pinch the ratio of neighbouring Bessel functions.
    assert kappa / (d / 2 + math.hypot(d / 2, kappa)) <= a * (1 + 1e-10)
    assert a <= kappa / (d / 2 - 1 + math.hypot(d / 2, kappa)) * (1 + 1e-10)


@exact
@given(st.floats(0.1, 100), st.integers(2, 300))
def test_the_mean_is_the_slope_of_the_log_mgf_and_the_variance_the_slope_of_the_mean(kappa, d):
    h = 1e-4 * kappa
    slope = (log_mgf(kappa + h, d) - log_mgf(kappa - h, d)) / (2 * h)
    assert mean_cosine(kappa, d) == pytest.approx(slope, rel=1e-6)
    slope = (mean_cosine(kappa + h, d) - mean_cosine(kappa - h, d)) / (2 * h)
    assert cosine_variance(kappa, d) == pytest.approx(slope, rel=1e-5)


@exact
@given(kappas, dimensions)
def test_the_divergence_from_uniform_is_positive_and_rises_with_kappa(kappa, d):
    assert 0 < kl_to_uniform(kappa, d) < kl_to_uniform(1.1 * kappa, d)


@pytest.mark.parametrize(("kappa", "d"), [(0.0, 2), (4.0, 2), (4.0, 3), (7.0, 10), (60.0, 128)])
def test_the_cosine_density_integrates_to_one_and_has_the_stated_moments(kappa, d):
    # The midpoint rule in the angle, where the density is bounded even for d = 2.
    angle = (np.arange(20_000) + 0.5) * np.pi / 20_000
    cosine = np.cos(angle)
    weight = np.exp(cosine_log_density(cosine, kappa, d=d)) * np.sin(angle) * np.pi / 20_000

    def moment(power):
        return float(weight @ cosine**power)

    assert moment(0) == pytest.approx(1, abs=1e-7)
    assert moment(1) == pytest.approx(mean_cosine(kappa, d), abs=1e-7)
    assert moment(2) - moment(1) ** 2 == pytest.approx(cosine_variance(kappa, d), abs=1e-7)


def test_the_density_integrates_to_one_over_the_circle():
    angle = np.linspace(0, 2 * np.pi, 1000, endpoint=False)
    z = np.stack([np.cos(angle), np.sin(angle)], axis=1)
    density = np.exp(log_density(z, np.array([0.6, 0.8]), kappa=5.0))
    assert density.mean() * 2 * np.pi == pytest.approx(1, abs=1e-12)
    assert angle[density.argmax()] == pytest.approx(math.atan2(0.8, 0.6), abs=0.01)


def test_the_ratio_of_cosine_densities_is_the_ratio_of_densities():
    z = np.random.default_rng(0).standard_normal((6, 9))
    z /= np.linalg.norm(z, axis=1, keepdims=True)
    mu = z[0]
    ratio = log_density(z[1:], mu, kappa=4.0) - log_uniform(9)
    cosine = z[1:] @ mu
    assert cosine_log_density(cosine, 4.0, d=9) - cosine_log_density(cosine, 0.0, d=9) == pytest.approx(ratio)


@pytest.mark.parametrize("kappa", [-1.0, math.nan, math.inf])
def test_an_impossible_concentration_is_refused(kappa):
    with pytest.raises(SettingError, match="kappa must be finite and at least 0"):
        log_normaliser(kappa, 3)


def test_a_sphere_needs_two_dimensions():
    with pytest.raises(SettingError, match="d must be at least 2, got 1"):
        mean_cosine(1.0, 1)
