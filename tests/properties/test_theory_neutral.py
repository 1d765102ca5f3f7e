"""Lemma on the neutral cross-entropy log(2 cosh(s/2)): bounds, curvature, gradient on the sphere, and its error."""

import math
from functools import lru_cache

import numpy as np
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.special import roots_jacobi
from torch.nn.functional import softplus

from angularpu.geometry.bounds import even_moment, neutral_bound, neutral_mean_bound
from angularpu.geometry.sphere import sample_uniform
from angularpu.geometry.vmf import cosine_variance, mean_cosine
from angularpu.geometry.vmf_sample import sample_vmf

exact = settings(deadline=None, derandomize=True, max_examples=50)
scores = st.floats(-50, 50)
dimensions = st.sampled_from([2, 3, 8, 64, 128])


def neutral(s):
    return softplus(s) - s / 2


def scalar(s):
    return torch.tensor(s, dtype=torch.float64, requires_grad=True)


@lru_cache
def nodes(d):
    return roots_jacobi(200, (d - 3) / 2, (d - 3) / 2)


def expectation(function, kappa, d):
    """E[function(c)] under vMF by Gauss quadrature, which no formula of the package enters."""
    cosine, weight = nodes(d)
    weight = weight * np.exp(kappa * (cosine - 1))
    return float(weight @ function(cosine) / weight.sum())


def mean_pull(sharpness, margin, *, kappa, d):
    """The mean gradient along mu, in units of a/2: E[tanh(a(c-m)/2)(1-c^2)]."""
    return expectation(lambda c: np.tanh(sharpness * (c - margin) / 2) * (1 - c**2), kappa, d)


def sphere_gradient(z, mu, *, sharpness, margin):
    """The gradient of the neutral loss along the sphere, by autograd."""
    z = z.clone().requires_grad_()
    (slope,) = torch.autograd.grad(neutral(sharpness * (z @ mu - margin)).sum(), z)
    z = z.detach()
    return slope - (slope * z).sum(1, keepdim=True) * z


@exact
@given(scores)
def test_the_loss_lies_between_log_two_and_its_quadratic_bound(s):
    value = neutral(scalar(s)).item()
    assert value == pytest.approx(math.log(2 * math.cosh(s / 2)))
    assert math.log(2) - 1e-12 <= value <= neutral_bound(s) + 1e-12


@exact
@given(scores)
def test_the_derivatives_are_those_of_the_lemma(s):
    # torch's softplus becomes the identity above 20, which is exact to exp(-20) = 2e-9.
    x = scalar(s)
    (first,) = torch.autograd.grad(neutral(x), x, create_graph=True)
    assert first.item() == pytest.approx(math.tanh(s / 2) / 2, abs=3e-9)
    (second,) = torch.autograd.grad(first, x)
    sigmoid = torch.sigmoid(x).item()
    assert second.item() == pytest.approx(sigmoid * (1 - sigmoid), abs=3e-9)
    assert second.item() <= 0.25


@exact
@given(st.floats(0, 100), st.floats(0.1, 20), st.floats(-1, 1), dimensions)
def test_the_population_bound_holds_for_any_law_and_margin(kappa, sharpness, margin, d):
    mean = expectation(lambda c: np.logaddexp(0, sharpness * (c - margin)) - sharpness * (c - margin) / 2, kappa, d)
    mean_square = expectation(lambda c: (c - margin) ** 2, kappa, d)
    assert math.log(2) - 1e-9 <= mean <= neutral_mean_bound(sharpness, mean_square) + 1e-9


@exact
@given(st.floats(0, 100), st.floats(0.1, 20), dimensions)
def test_with_the_margin_at_the_mean_the_bound_is_a_variance(kappa, sharpness, d):
    m = mean_cosine(kappa, d)
    mean_square = expectation(lambda c: (c - m) ** 2, kappa, d)
    assert mean_square == pytest.approx(cosine_variance(kappa, d), abs=1e-9)
    assert neutral_mean_bound(sharpness, mean_square) <= neutral_mean_bound(sharpness, mean_square + (0.1 - m) ** 2)


@pytest.mark.parametrize("d", [3, 16, 128])
@pytest.mark.parametrize("sharpness", [1.0, 10.0])
def test_uniform_rows_pay_at_most_a_squared_over_eight_d(sharpness, d):
    n = 20_000
    z = sample_uniform(n, d, generator=torch.Generator().manual_seed(0)).double()
    value = neutral(sharpness * z[:, 0])
    bound = neutral_mean_bound(sharpness, even_moment(1, d))
    assert bound == pytest.approx(math.log(2) + sharpness**2 / (8 * d))
    assert value.mean().item() < bound + 4 * value.std().item() / math.sqrt(n)


@exact
@given(st.floats(0.1, 20), st.floats(-1, 1), st.integers(0, 99))
def test_the_gradient_on_the_sphere_is_that_of_the_lemma(sharpness, margin, seed):
    z = sample_uniform(6, 4, generator=torch.Generator().manual_seed(seed)).double()
    mu, z = z[0], z[1:]
    s = sharpness * (z @ mu - margin)
    across = mu - (z @ mu)[:, None] * z
    expected = sharpness / 2 * torch.tanh(s / 2)[:, None] * across
    assert torch.allclose(sphere_gradient(z, mu, sharpness=sharpness, margin=margin), expected, atol=1e-12)


def test_the_mean_gradient_does_not_vanish_when_the_margin_is_the_mean_cosine():
    d, kappa, sharpness = 8, 5.0, 10.0
    margin = mean_cosine(kappa, d)
    pull = mean_pull(sharpness, margin, kappa=kappa, d=d)
    assert pull == pytest.approx(-0.09665, abs=1e-5)
    n, mu = 50_000, torch.eye(d, dtype=torch.float64)[0]
    z = torch.tensor(sample_vmf(mu.numpy(), kappa, n=n, generator=np.random.default_rng(0)))
    gradient = sphere_gradient(z, mu, sharpness=sharpness, margin=margin) / (sharpness / 2)
    standard_error = gradient.std(0) / math.sqrt(n)
    assert abs(gradient.mean(0)[0].item() - pull) < 4 * standard_error[0]
    assert (gradient.mean(0)[1:].abs() < 4 * standard_error[1:]).all()
    assert pull < -20 * standard_error[0]


def test_the_proof_fails_at_both_of_its_steps():
    d, kappa, sharpness = 8, 5.0, 10.0
    margin = mean_cosine(kappa, d)
    # Centring c does not centre tanh, and a margin that does centre it leaves an even larger gradient.
    assert expectation(lambda c: np.tanh(sharpness * (c - margin) / 2), kappa, d) == pytest.approx(0.0661, abs=1e-4)
    assert expectation(lambda c: np.tanh(sharpness * (c - 0.519566) / 2), kappa, d) == pytest.approx(0, abs=1e-5)
    assert mean_pull(sharpness, 0.519566, kappa=kappa, d=d) == pytest.approx(-0.1432, abs=1e-4)


@exact
@given(st.floats(0.1, 50), st.floats(0.1, 20), dimensions)
def test_at_the_mean_cosine_the_mean_gradient_descends_towards_the_prototype(kappa, sharpness, d):
    assert mean_pull(sharpness, mean_cosine(kappa, d), kappa=kappa, d=d) < 0


@exact
@given(st.floats(0.1, 20), st.floats(0, 20), dimensions)
def test_the_mean_gradient_vanishes_when_the_cosine_is_symmetric_about_zero_and_the_margin_is_zero(sharpness, kappa, d):
    assert mean_pull(sharpness, 0.0, kappa=0.0, d=d) == pytest.approx(0, abs=1e-12)
    # Half of the rows around mu, half around -mu: symmetric about zero, though not uniform.
    both = mean_pull(sharpness, 0.0, kappa=kappa, d=d)
    mirrored = expectation(lambda c: np.tanh(-sharpness * c / 2) * (1 - c**2), kappa, d)
    assert both + mirrored == pytest.approx(0, abs=1e-12)


def test_the_loss_does_prefer_the_equator():
    # All rows at c = m pay log 2, the least there is; uniform rows pay 0.090 more at a = 10, d = 128.
    uniform = expectation(lambda c: np.log(2 * np.cosh(5 * c)), 0.0, 128)
    assert uniform - math.log(2) == pytest.approx(0.0900, abs=1e-4)
    assert neutral(scalar(0.0)).item() == pytest.approx(math.log(2))
