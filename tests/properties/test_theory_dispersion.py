"""Statements on the dispersion term L_reg: its range, its mean under uniform and mixed rows, its temperature."""

import math

import numpy as np
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from angularpu.geometry.bounds import (
    dispersion_mean_bound,
    dispersion_range,
    dispersion_tail_bound,
    log_mgf_bound,
    temperature_scale,
)
from angularpu.geometry.dispersion import dispersion
from angularpu.geometry.sphere import normalise, sample_uniform
from angularpu.geometry.vmf import log_mgf
from angularpu.geometry.vmf_sample import sample_vmf

exact = settings(deadline=None, derandomize=True, max_examples=50)


def uniform(n, d, seed=0):
    return sample_uniform(n, d, generator=torch.Generator().manual_seed(seed)).double()


def simplex(n, d):
    """Put n <= d + 1 directions as far apart as can be: all cosines are -1/(n-1)."""
    centred = torch.eye(n, dtype=torch.float64) - 1 / n
    basis = torch.linalg.svd(centred).U[:, : n - 1]
    z = torch.zeros(n, d, dtype=torch.float64)
    z[:, : n - 1] = normalise(centred @ basis)
    return z


def values(t, n, *, d, repeats):
    return np.array([dispersion(z, t).item() for z in uniform(n * repeats, d).view(repeats, n, d)])


@exact
@given(st.integers(2, 40), st.integers(2, 20), st.floats(0.01, 50), st.floats(0, 3), st.integers(0, 99))
def test_the_term_lies_between_minus_t_over_n_minus_one_and_t(n, d, t, pull, seed):
    z = normalise(uniform(n, d, seed) + pull * uniform(1, d, seed + 100))
    lowest, highest = dispersion_range(t, n)
    assert lowest - 1e-9 <= dispersion(z, t).item() <= highest + 1e-9


@exact
@given(st.integers(2, 40), st.floats(0.01, 50))
def test_rows_that_coincide_reach_the_upper_bound(n, t):
    assert dispersion(uniform(1, 5).expand(n, 5), t).item() == pytest.approx(t)


@exact
@given(st.integers(2, 30), st.integers(0, 5), st.floats(0.01, 50))
def test_a_simplex_reaches_the_lower_bound_whenever_it_fits(n, spare, t):
    z = simplex(n, n - 1 + spare)
    assert z.norm(dim=1).numpy() == pytest.approx(np.ones(n))
    assert dispersion(z, t).item() == pytest.approx(dispersion_range(t, n)[0])


def test_a_batch_of_128_in_128_dimensions_is_best_a_simplex_and_not_uniform():
    lowest = dispersion_range(2.0, 128)[0]
    assert dispersion(simplex(128, 128), 2.0).item() == pytest.approx(lowest) == pytest.approx(-0.01575, abs=1e-5)
    assert values(2.0, 128, d=128, repeats=20).min() > 0


def test_beyond_d_plus_one_rows_the_lower_bound_is_out_of_reach():
    # Four directions in the plane: the square is the best arrangement, and it stays above the bound.
    square = torch.tensor([[1.0, 0.0], [0.0, 1.0], [-1.0, 0.0], [0.0, -1.0]], dtype=torch.float64)
    assert dispersion(square, 2.0).item() == pytest.approx(math.log((2 + math.exp(-2)) / 3))
    assert dispersion(square, 2.0).item() > dispersion_range(2.0, 4)[0] + 0.3


def test_descending_the_term_finds_the_simplex():
    z = uniform(5, 4)
    for _ in range(500):
        z.requires_grad_()
        (slope,) = torch.autograd.grad(dispersion(z, 2.0), z)
        z = normalise(z.detach() - 0.5 * slope)
    assert dispersion(z, 2.0).item() == pytest.approx(-0.5, abs=1e-4)


@pytest.mark.parametrize(("t", "n", "d"), [(2.0, 128, 128), (2.0, 30, 8), (5.0, 50, 16)])
def test_uniform_rows_have_a_mean_below_t_squared_over_two_d(t, n, d):
    value = values(t, n, d=d, repeats=200)
    standard_error = value.std() / math.sqrt(len(value))
    assert value.mean() < log_mgf(t, d) + 4 * standard_error
    assert log_mgf(t, d) <= dispersion_mean_bound(t, d) == log_mgf_bound(t, d)


def test_the_bound_with_d_minus_one_holds_but_says_less():
    assert dispersion_mean_bound(2.0, 128) < log_mgf_bound(2.0, 127)
    assert dispersion_tail_bound(2.0, 99, d=128, delta=0.1) < dispersion_tail_bound(2.0, 99, d=127, delta=0.1)


@pytest.mark.parametrize("delta", [0.5, 0.1])
def test_uniform_rows_stay_below_the_high_probability_bound_as_often_as_promised(delta):
    t, n, d, repeats = 2.0, 20, 4, 500
    broken = (values(t, n, d=d, repeats=repeats) > dispersion_tail_bound(t, n, d=d, delta=delta)).mean()
    assert broken <= delta + 4 * math.sqrt(delta * (1 - delta) / repeats)


@exact
@given(st.integers(2, 30), st.integers(2, 10), st.floats(0.01, 20), st.integers(0, 99))
def test_the_term_never_exceeds_t_times_the_largest_cosine(n, d, t, seed):
    z = uniform(n, d, seed)
    largest = (z @ z.T).fill_diagonal_(-1).max().item()
    assert dispersion(z, t).item() <= t * largest + 1e-9


@pytest.mark.parametrize(("prior", "kappa", "d"), [(0.0, 9.0, 8), (0.3, 9.0, 8), (0.5, 500.0, 8), (0.9, 3.0, 128)])
def test_the_prior_bound_holds_for_a_mixture_of_vmf_and_uniform_rows(prior, kappa, d):
    t, n, repeats = 2.0, 40, 200
    generator, mu = np.random.default_rng(0), np.eye(d)[0]
    z = sample_vmf(mu, 0.0, n=n * repeats, generator=generator)
    positive = generator.random(n * repeats) < prior
    z[positive] = sample_vmf(mu, kappa, n=int(positive.sum()), generator=generator)
    value = np.array([dispersion(rows, t).item() for rows in torch.tensor(z).view(repeats, n, d)])
    assert value.mean() < dispersion_mean_bound(t, d, prior=prior) + 4 * value.std() / math.sqrt(repeats)


@exact
@given(st.floats(0.01, 20), st.integers(11, 4096), st.floats(0, 1))
def test_the_prior_bound_rises_from_the_uniform_one_to_t(t, d, prior):
    bound = dispersion_mean_bound(t, d, prior=prior)
    by_hand = math.log((1 - prior**2) * math.exp(t**2 / (2 * d)) + prior**2 * math.exp(t))
    assert bound == pytest.approx(by_hand, abs=1e-12)
    assert dispersion_mean_bound(t, d) <= bound + 1e-12
    assert bound <= dispersion_mean_bound(t, d, prior=1.0) + 1e-12 == pytest.approx(t)


def test_the_prior_bound_is_far_from_stable_across_priors():
    # The remark reads it as an increment of order pi^2 t; at t = 2 and pi = 1/2 the bound is 61 times the uniform one.
    assert dispersion_mean_bound(2.0, 128, prior=0.5) / dispersion_mean_bound(2.0, 128) == pytest.approx(61.4, abs=0.1)


@exact
@given(st.integers(3, 10**9), st.integers(2, 4096), st.floats(0.01, 50), st.floats(1e-6, 1))
def test_the_high_probability_bound_vanishes_with_t_over_its_scale(n, d, t, delta):
    ratio = t / temperature_scale(n, d)
    assert dispersion_tail_bound(t, n, d=d, delta=delta) <= ratio * math.sqrt(4 - 2 * math.log(delta) / math.log(n))


def test_far_below_and_even_at_its_scale_the_temperature_lets_no_single_pair_dominate():
    n = d = 128
    z = uniform(n, d)

    def largest_share(t):
        term = torch.exp(t * (z @ z.T)).triu(1)
        return (term.max() / term.sum()).item()

    assert largest_share(2.0) < largest_share(temperature_scale(n, d)) < 0.001
    # Well above it one pair of the 8128 holds a visible part of the sum.
    assert largest_share(10 * temperature_scale(n, d)) > 0.05
