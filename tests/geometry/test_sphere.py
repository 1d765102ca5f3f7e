import math

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from angularpu.geometry.sphere import normalise, sample_uniform

exact = settings(deadline=None, derandomize=True, max_examples=50)


def generator(seed=0):
    return torch.Generator().manual_seed(seed)


def test_three_four_becomes_three_fifths_four_fifths():
    assert torch.equal(normalise(torch.tensor([3.0, 4.0])), torch.tensor([3.0, 4.0]) / 5)


@pytest.mark.parametrize("shape", [(5,), (0, 5), (4, 5), (2, 3, 5)])
def test_every_row_has_length_one_whatever_the_leading_axes(shape):
    z = normalise(torch.randn(shape, generator=generator(), dtype=torch.float64))
    assert z.shape == shape
    assert torch.allclose(z.norm(dim=-1), torch.ones(shape[:-1], dtype=torch.float64))


@exact
@given(st.floats(1e-15, 1e15), st.integers(0, 99))
def test_a_longer_vector_has_the_same_direction(scale, seed):
    x = torch.randn(3, 7, generator=generator(seed), dtype=torch.float64)
    assert torch.allclose(normalise(scale * x), normalise(x), rtol=1e-12, atol=0)


def test_a_zero_row_stays_zero_and_leaves_every_gradient_finite():
    x = torch.tensor([[0.0, 0.0], [3.0, 4.0]], requires_grad=True)
    z = normalise(x)
    z.backward(torch.tensor([[1.0, -2.0], [1.0, 0.0]]))
    assert torch.equal(z[0], torch.zeros(2))
    assert torch.equal(x.grad[0], torch.tensor([1.0, -2.0]))
    assert torch.allclose(x.grad[1], torch.tensor([0.64, -0.48]) / 5)


def test_the_gradient_is_that_of_the_formula():
    x = torch.randn(4, 3, generator=generator(), dtype=torch.float64, requires_grad=True)
    assert torch.autograd.gradcheck(normalise, x)


def test_the_gradient_never_changes_the_length():
    x = torch.randn(4, 3, generator=generator(), dtype=torch.float64, requires_grad=True)
    normalise(x)[:, 0].sum().backward()
    assert torch.allclose((x.grad * x).sum(1), torch.zeros(4, dtype=torch.float64), atol=1e-14)


def test_a_seed_fixes_the_directions():
    assert torch.equal(sample_uniform(6, 4, generator=generator(1)), sample_uniform(6, 4, generator=generator(1)))
    assert not torch.equal(sample_uniform(6, 4, generator=generator(1)), sample_uniform(6, 4, generator=generator(2)))


def test_uniform_directions_have_mean_zero_and_covariance_identity_over_d():
    n, d = 20_000, 5
    z = sample_uniform(n, d, generator=generator()).double()
    # Var(z_i) = 1/d, Var(z_i z_j) <= 3/(d(d+2)); five standard errors over all entries
    assert z.mean(0).abs().max() < 5 / math.sqrt(n * d)
    assert (z.T @ z / n - torch.eye(d, dtype=torch.float64) / d).abs().max() < 5 * math.sqrt(3 / (d * (d + 2)) / n)
