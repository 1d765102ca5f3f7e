"""Propositions on the vMF-uniform model: the Bayes threshold, isotropic negatives, the prototype's consistency."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.special import expit, logit

from angularpu.geometry.bayes import bayes_threshold
from angularpu.geometry.bounds import even_moment
from angularpu.geometry.vmf import cosine_log_density, kl_to_uniform, log_mgf, mean_cosine
from angularpu.geometry.vmf_fit import fit_kappa, fit_vmf
from angularpu.geometry.vmf_sample import sample_cosine, sample_vmf

exact = settings(deadline=None, derandomize=True, max_examples=50)


def draw(kappa, d, *, n, prior, seed=0):
    """Draw cosines of a vMF-uniform mixture, and their classes."""
    generator = np.random.default_rng(seed)
    positives = generator.binomial(n, prior)
    cosine = [sample_cosine(k, d, n=m, generator=generator) for k, m in ((kappa, positives), (0.0, n - positives))]
    return np.concatenate(cosine), np.arange(n) < positives


@exact
@given(st.floats(0.5, 200), st.integers(2, 300), st.floats(0.01, 0.99))
def test_at_the_bayes_threshold_both_classes_are_equally_likely(kappa, d, prior):
    rule = bayes_threshold(kappa, d, prior=prior)
    evidence = kappa * rule.cosine - log_mgf(kappa, d)
    assert expit(evidence + logit(prior)) == pytest.approx(0.5, abs=1e-9)


@pytest.mark.parametrize(("kappa", "d", "prior"), [(5.0, 8, 0.3), (2.0, 3, 0.6), (20.0, 64, 0.5), (40.0, 128, 0.1)])
def test_no_threshold_errs_less_than_the_bayes_threshold_in_simulation(kappa, d, prior):
    n = 100_000
    cosine, y = draw(kappa, d, n=n, prior=prior)
    tau = bayes_threshold(kappa, d, prior=prior).cosine
    bayes_error = (cosine >= tau) != y
    for shift in (-0.3, -0.1, -0.03, -0.01, 0.01, 0.03, 0.1, 0.3):
        excess = ((cosine >= tau + shift) != y).astype(float) - bayes_error
        standard_error = excess.std() / math.sqrt(n)
        assert excess.mean() > -4 * standard_error
        if abs(shift) >= 0.3:
            assert excess.mean() > 4 * standard_error


@pytest.mark.parametrize(("kappa", "prior", "share"), [(0.5, 0.3, 0.0), (0.5, 0.9, 1.0)])
def test_out_of_reach_the_bayes_rule_is_to_call_all_rows_the_same(kappa, prior, share):
    rule = bayes_threshold(kappa, 128, prior=prior)
    cosine, _ = draw(kappa, 128, n=10_000, prior=prior)
    assert not rule.reachable
    assert (cosine >= rule.cosine).mean() == share


def test_with_the_fitted_concentration_the_threshold_is_found_without_knowing_it():
    d, kappa, prior = 64, 20.0, 0.3
    held_out = sample_cosine(kappa, d, n=1000, generator=np.random.default_rng(0))
    fitted = bayes_threshold(fit_kappa(float(held_out.mean()), d), d, prior=prior).cosine
    assert fitted == pytest.approx(bayes_threshold(kappa, d, prior=prior).cosine, abs=0.01)


def test_in_128_dimensions_a_concentration_of_three_is_nearly_uniform():
    d, n = 128, 100_000
    assert mean_cosine(3.0, d) == pytest.approx(0.0234, abs=5e-5)
    assert kl_to_uniform(3.0, d) == pytest.approx(0.0351, abs=5e-5)
    # P(c of a positive > c of a negative), on a fine grid of the exact laws
    grid = np.linspace(-1, 1, 200_003)[1:-1]
    positive, negative = (np.exp(cosine_log_density(grid, kappa, d=d)) * (grid[1] - grid[0]) for kappa in (3.0, 0.0))
    auc = positive @ (np.cumsum(negative) - negative / 2)
    assert auc == pytest.approx(0.5744, abs=5e-5)
    generator = np.random.default_rng(0)
    first, second = (sample_cosine(kappa, d, n=n, generator=generator) for kappa in (3.0, 0.0))
    assert (first > second).mean() == pytest.approx(auc, abs=4 * math.sqrt(0.25 / n))
    # With three positives in ten the rule finds one positive in a thousand.
    tau = bayes_threshold(3.0, d, prior=0.3).cosine
    assert positive[grid >= tau].sum() == pytest.approx(0.00089, abs=1e-5)


@pytest.mark.parametrize("radius", ["constant", "heavy-tailed"])
def test_whatever_its_radius_an_isotropic_law_has_uniform_directions_on_the_sphere(radius):
    n, d = 50_000, 6
    generator = np.random.default_rng(0)
    x = generator.standard_normal((n, d))
    if radius == "heavy-tailed":
        x *= generator.pareto(1.5, size=(n, 1)) + 1
    cosine = x[:, 0] / np.linalg.norm(x, axis=1)
    for power in range(1, 7):
        expected = 0.0 if power % 2 else even_moment(power // 2, d)
        assert (cosine**power).mean() == pytest.approx(expected, abs=4 * math.sqrt(even_moment(power, d) / n))


def test_the_error_of_the_normalised_mean_falls_like_one_over_the_root_of_n():
    d, kappa, repeats = 8, 5.0, 200
    mu, generator = np.eye(d)[0], np.random.default_rng(0)
    sizes = (100, 400, 1600)
    errors = []
    for n in sizes:
        z = sample_vmf(mu, kappa, n=n * repeats, generator=generator).reshape(repeats, n, d).mean(axis=1)
        z /= np.linalg.norm(z, axis=1, keepdims=True)
        squared = ((z - mu) ** 2).sum(axis=1)
        # The constant: n E|mu_hat - mu|^2 tends to (d-1) / (kappa A_d(kappa)).
        limit = (d - 1) / (kappa * mean_cosine(kappa, d) * n)
        assert squared.mean() == pytest.approx(limit, abs=4 * squared.std() / math.sqrt(repeats) + 10 * limit / n)
        errors.append(math.sqrt(squared.mean()))
    slope = np.polyfit(np.log(sizes), np.log(errors), 1)[0]
    assert slope == pytest.approx(-0.5, abs=0.05)


def test_the_normalised_mean_is_the_most_likely_prototype():
    z = sample_vmf(np.eye(5)[2], 3.0, n=50, generator=np.random.default_rng(0))
    assert fit_vmf(z).mu == pytest.approx(z.mean(axis=0) / np.linalg.norm(z.mean(axis=0)))


def test_at_a_concentration_of_three_a_thousand_positives_do_not_show_the_prototype():
    d, n, repeats = 128, 1000, 20
    z = sample_vmf(np.eye(d)[0], 3.0, n=n * repeats, generator=np.random.default_rng(0))
    mean = z.reshape(repeats, n, d).mean(axis=1)
    alignment = mean[:, 0] / np.linalg.norm(mean, axis=1)
    # The mean has length A along mu and variance (1 - A^2)/n across: alignment A / sqrt(A^2 + 1/n), about 0.6.
    a = mean_cosine(3.0, d)
    assert alignment.mean() == pytest.approx(a / math.sqrt(a**2 + 1 / n), abs=0.02)
    assert alignment.mean() < 0.62
