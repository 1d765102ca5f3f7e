import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from angularpu.errors import DataError
from angularpu.geometry.vmf import cosine_variance, log_density, mean_cosine
from angularpu.geometry.vmf_fit import KAPPA_MAX, fit_kappa, fit_vmf
from angularpu.geometry.vmf_sample import sample_vmf

exact = settings(deadline=None, derandomize=True, max_examples=100)


@exact
@given(st.floats(1e-3, 1e4), st.integers(2, 4096))
def test_fitting_kappa_undoes_the_mean_cosine(kappa, d):
    assert fit_kappa(mean_cosine(kappa, d), d) == pytest.approx(kappa, rel=1e-7)


@pytest.mark.parametrize("d", [2, 3, 8, 128])
@pytest.mark.parametrize("kappa", [0.5, 2.0, 10.0, 50.0])
def test_at_everyday_concentrations_kappa_is_exact_to_ten_digits(kappa, d):
    assert fit_kappa(mean_cosine(kappa, d), d) == pytest.approx(kappa, rel=1e-10)


@pytest.mark.parametrize("cosine", [0.0, -0.3, -1.0])
def test_directions_that_point_away_have_no_concentration(cosine):
    assert fit_kappa(cosine, 8) == 0


@pytest.mark.parametrize("cosine", [1.0, 1.0 + 6e-8, 1 - 1e-12])
def test_directions_that_coincide_reach_the_largest_kappa(cosine):
    assert fit_kappa(cosine, 8) == KAPPA_MAX


@pytest.mark.parametrize("cosine", [1.1, -2.0, math.nan])
def test_a_mean_cosine_no_unit_vectors_can_have_is_refused(cosine):
    with pytest.raises(DataError, match="divide the rows by their length"):
        fit_kappa(cosine, 8)


def test_the_fit_finds_the_law_that_was_sampled():
    n, d, kappa = 20_000, 16, 12.0
    mu = np.full(d, 0.25)
    law = fit_vmf(sample_vmf(mu, kappa, n=n, generator=np.random.default_rng(0)))
    assert law.mu @ mu > 1 - 5 * (d - 1) / (2 * n * kappa * mean_cosine(kappa, d))
    # The variance of the most likely kappa is 1 / (n A'(kappa)); its bias, of order d/n, is far smaller here.
    assert abs(law.kappa - kappa) < 5 / math.sqrt(n * cosine_variance(kappa, d))


def test_no_other_law_makes_the_rows_more_likely():
    generator = np.random.default_rng(0)
    z = sample_vmf(np.array([0.0, 0.0, 1.0]), 4.0, n=200, generator=generator)
    law = fit_vmf(z)

    def likelihood(mu, kappa):
        return log_density(z, mu, kappa=kappa).mean()

    best = likelihood(law.mu, law.kappa)
    assert all(likelihood(law.mu, factor * law.kappa) < best for factor in (0.8, 0.99, 1.01, 1.2))
    for _ in range(20):
        mu = law.mu + 0.1 * generator.standard_normal(3)
        assert likelihood(mu / np.linalg.norm(mu), law.kappa) < best


def test_few_uniform_rows_look_concentrated_unless_mu_comes_from_elsewhere():
    n, d = 100, 128
    z = sample_vmf(np.eye(d)[0], 0.0, n=n, generator=np.random.default_rng(0))
    assert fit_vmf(z).kappa > 10
    # With mu fixed beforehand the error is five times sqrt(d/n) at most.
    assert fit_kappa(float(z[:, 0].mean()), d) < 5 * math.sqrt(d / n)


def test_rows_that_cancel_out_have_no_mean_direction():
    with pytest.raises(DataError, match="no direction of its own"):
        fit_vmf(np.array([[1.0, 0.0], [-1.0, 0.0]]))
