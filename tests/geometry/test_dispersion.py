import math

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from torch.utils._python_dispatch import TorchDispatchMode

from angularpu.geometry.dispersion import dispersion
from angularpu.geometry.sphere import sample_uniform

exact = settings(deadline=None, derandomize=True, max_examples=30)


def directions(n, d, seed=0):
    return sample_uniform(n, d, generator=torch.Generator().manual_seed(seed)).double()


def pair_by_pair(z, t):
    terms = [math.exp(t * float(z[i] @ z[j])) for i in range(len(z)) for j in range(len(z)) if i != j]
    return math.log(sum(terms) / len(terms))


def naive(z, t):
    return torch.logsumexp((t * z @ z.T)[~torch.eye(len(z), dtype=torch.bool)], 0) - math.log(len(z) * (len(z) - 1))


def gradient(function, z, t, **options):
    z = z.clone().requires_grad_()
    function(z, t, **options).backward()
    return z.grad


def test_two_rows_give_t_times_their_cosine():
    z = torch.tensor([[1.0, 0.0], [0.6, 0.8]])
    assert dispersion(z, 2.0).item() == pytest.approx(1.2)


@exact
@given(st.integers(2, 9), st.integers(2, 5), st.floats(0.01, 20), st.integers(1, 10), st.integers(0, 99))
def test_strips_of_any_size_give_the_value_of_the_plain_double_loop(n, d, t, block, seed):
    z = directions(n, d, seed)
    assert dispersion(z, t, block=block).item() == pytest.approx(pair_by_pair(z, t), rel=1e-12, abs=1e-12)


@pytest.mark.parametrize("block", [64, 100, 511, 512])
def test_gradients_gathered_in_strips_equal_the_naive_ones_at_512_rows(block):
    z = directions(512, 128)
    assert torch.allclose(gradient(dispersion, z, 2.0, block=block), gradient(naive, z, 2.0), rtol=1e-5, atol=1e-14)


def test_single_precision_stays_close_to_double_precision():
    z = directions(700, 64)
    assert dispersion(z.float(), 2.0).item() == pytest.approx(dispersion(z, 2.0).item(), abs=1e-6)
    assert torch.allclose(gradient(dispersion, z.float(), 2.0).double(), gradient(dispersion, z, 2.0), atol=1e-8)


@pytest.mark.parametrize("block", [2, 512])
@pytest.mark.parametrize("length", [0.5, 1.0, 3.0])
def test_the_gradient_is_that_of_the_formula_for_vectors_of_any_length(block, length):
    z = (length * directions(5, 3)).requires_grad_()
    assert torch.autograd.gradcheck(lambda z: dispersion(z, 2.0, block=block), z)


@pytest.mark.parametrize("block", [1, 2, 3, 512])
def test_terms_far_beyond_the_range_of_exp_are_summed_rightly(block):
    z = torch.tensor([[1.0, 0.0], [30.0, 0.0], [0.0, 40.0], [40.0, 0.0]], dtype=torch.float64)
    # The one largest pair has exponent 2 * 1200 and counts twice among the twelve.
    assert dispersion(z, 2.0, block=block).item() == pytest.approx(2400 + math.log(2 / 12), rel=1e-12)
    expected = torch.tensor([[0.0, 0.0], [80.0, 0.0], [0.0, 0.0], [60.0, 0.0]], dtype=torch.float64)
    assert torch.allclose(gradient(dispersion, z, 2.0, block=block), expected, rtol=1e-12, atol=0)
    assert dispersion(-z[:2] * torch.tensor([[1.0], [-1.0]]), 50.0, block=block).item() == pytest.approx(-1500)


@pytest.mark.parametrize("n", [0, 1])
def test_without_a_pair_the_value_and_the_gradient_are_zero(n):
    z = torch.ones(n, 3, requires_grad=True)
    value = dispersion(z, 2.0)
    value.backward()
    assert value.item() == 0
    assert torch.equal(z.grad, torch.zeros(n, 3))


def test_a_row_that_is_not_a_number_shows_in_the_value():
    z = directions(4, 3)
    z[1, 1] = math.nan
    assert math.isnan(dispersion(z, 2.0).item())


@exact
@given(st.integers(2, 20), st.integers(2, 6), st.integers(0, 99))
def test_neither_the_order_of_the_rows_nor_a_rotation_matters(n, d, seed):
    z = directions(n, d, seed)
    rotation, _ = torch.linalg.qr(directions(d, d, seed + 100))
    assert dispersion(z.flip(0) @ rotation, 2.0, block=7).item() == pytest.approx(dispersion(z, 2.0).item(), abs=1e-12)


def test_the_gradient_is_scaled_by_what_follows():
    z = directions(6, 3).requires_grad_()
    (0.5 * dispersion(z, 2.0)).backward()
    assert torch.allclose(z.grad, 0.5 * gradient(naive, z.detach(), 2.0))


def test_a_step_down_the_gradient_spreads_the_rows():
    z = directions(50, 8)
    moved = torch.nn.functional.normalize(z - 0.1 * gradient(dispersion, z, 2.0))
    assert dispersion(moved, 2.0) < dispersion(z, 2.0)


def test_no_matrix_of_all_pairs_is_ever_held():
    class Largest(TorchDispatchMode):
        numel = 0

        def __torch_dispatch__(self, func, types, args=(), kwargs=None):
            out = func(*args, **(kwargs or {}))
            if isinstance(out, torch.Tensor):
                self.numel = max(self.numel, out.numel())
            return out

    z = directions(300, 4).requires_grad_()
    with Largest() as largest:
        dispersion(z, 2.0, block=10).backward()
    assert largest.numel == max(10 * len(z), z.numel())
