"""Lemma on the cosines of uniform directions: moments, moment generating function, tails, the largest of all pairs."""

import math

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.special import betainc

from angularpu.geometry.bounds import even_moment, largest_cosine_bound, log_mgf_bound, tail_bound
from angularpu.geometry.sphere import sample_uniform
from angularpu.geometry.vmf import log_mgf

exact = settings(deadline=None, derandomize=True, max_examples=100)
dimensions = st.integers(2, 4096)


def uniform(n, d, seed=0):
    return sample_uniform(n, d, generator=torch.Generator().manual_seed(seed)).double()


def tail(u, d):
    """P(|c| >= u), exactly: c^2 is Beta(1/2, (d-1)/2)."""
    return 1 - betainc(0.5, (d - 1) / 2, u**2)


@pytest.mark.parametrize("d", [2, 3, 16, 128])
def test_cosines_of_uniform_pairs_have_the_stated_moments(d):
    n = 30_000
    cosine = (uniform(n, d) * uniform(n, d, seed=1)).sum(1)
    for power in range(1, 9):
        expected = 0.0 if power % 2 else even_moment(power // 2, d)
        standard_error = math.sqrt(even_moment(power, d) / n)
        assert (cosine**power).mean().item() == pytest.approx(expected, abs=5 * standard_error)


@exact
@given(dimensions)
def test_the_variance_of_a_cosine_is_one_over_d(d):
    assert even_moment(1, d) == pytest.approx(1 / d)


@exact
@given(st.integers(0, 20), dimensions)
def test_even_moments_are_the_ratio_of_gamma_functions(k, d):
    log_moment = (
        math.lgamma(d / 2) - math.lgamma(k + d / 2) + math.lgamma(2 * k + 1) - k * math.log(4) - math.lgamma(k + 1)
    )
    assert math.log(even_moment(k, d)) == pytest.approx(log_moment, abs=1e-9)


@exact
@given(st.floats(0, 1e4), dimensions)
def test_the_moment_generating_function_is_sub_gaussian(scale, d):
    assert 0 <= log_mgf(scale, d) <= log_mgf_bound(scale, d) * (1 + 1e-12)


@exact
@given(st.floats(0, 0.999), dimensions)
def test_the_tail_is_sub_gaussian(u, d):
    assert tail(u, d) <= tail_bound(u, d) + 1e-12


@exact
@given(st.floats(0.01, 0.5), dimensions)
def test_the_remark_called_sharper_is_the_looser_bound(x, d):
    assert log_mgf_bound(x, d) < log_mgf_bound(x, d - 1)
    assert tail_bound(x, d) < tail_bound(x, d - 1)


def test_the_dimension_in_the_mgf_bound_cannot_be_improved():
    # log E[exp(l c)] is l^2/2d to first order: with any constant above d the bound breaks near zero.
    assert log_mgf(0.01, 16) / log_mgf_bound(0.01, 16) == pytest.approx(1, abs=1e-5)
    assert log_mgf(0.01, 16) > log_mgf_bound(0.01, 17)


@pytest.mark.parametrize("delta", [0.5, 0.1])
def test_the_largest_of_all_cosines_stays_below_its_bound_as_often_as_promised(delta):
    n, d, repeats = 40, 16, 500
    z = uniform(repeats * n, d).view(repeats, n, d)
    cosine = (z @ z.mT).abs() - torch.eye(n, dtype=torch.float64)
    broken = (cosine.amax((1, 2)) > largest_cosine_bound(n, d, delta=delta)).double().mean().item()
    assert broken <= delta + 4 * math.sqrt(delta * (1 - delta) / repeats)
