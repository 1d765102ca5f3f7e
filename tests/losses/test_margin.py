"""Weights of unlabelled rows: values, a naive second form, slopes, peaks and limits."""

import math

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from angularpu.losses.margin import boundary_weight, prototype_weight

exact = settings(deadline=None, derandomize=True, max_examples=50)
WEIGHTS = pytest.mark.parametrize("weigh", [prototype_weight, boundary_weight])
cosines = st.lists(st.floats(-1, 1), min_size=1, max_size=8)
margins, sharpnesses = st.floats(-1, 1), st.floats(0.1, 12)


def row(values) -> torch.Tensor:
    return torch.tensor(values, dtype=torch.float64)


def test_values_by_hand():
    # a (c - m) = log 3 makes the sigmoid 3/4, its derivative 3/16
    cosine = row([0.25, 0.25 + math.log(3) / 8, 0.25 - math.log(3) / 8])
    assert prototype_weight(cosine, 0.25, 8.0).tolist() == pytest.approx([1 / 2, 3 / 4, 1 / 4])
    assert boundary_weight(cosine, 0.25, 8.0).tolist() == pytest.approx([1 / 4, 3 / 16, 3 / 16])


@exact
@given(cosines, margins, sharpnesses)
def test_they_are_a_sigmoid_and_its_derivative(values, m, a):
    sigmoid = [1 / (1 + math.exp(-a * (c - m))) for c in values]
    derivative = [1 / (2 + math.exp(a * (c - m)) + math.exp(-a * (c - m))) for c in values]
    assert prototype_weight(row(values), m, a).tolist() == pytest.approx(sigmoid)
    assert boundary_weight(row(values), m, a).tolist() == pytest.approx(derivative)


@WEIGHTS
def test_their_slopes_are_right_in_every_argument(weigh):
    cosine = torch.linspace(-0.9, 0.9, 5, dtype=torch.float64, requires_grad=True)
    m, a = (torch.tensor(value, dtype=torch.float64, requires_grad=True) for value in (0.3, 4.0))
    assert torch.autograd.gradcheck(weigh, (cosine, m, a))


@exact
@given(margins, sharpnesses)
def test_nearer_the_prototype_always_counts_more(m, a):
    weight = prototype_weight(torch.linspace(-1, 1, 21, dtype=torch.float64), m, a)
    assert (weight.diff() > 0).all()
    assert 0 < weight.min() < weight.max() < 1


@exact
@given(margins, sharpnesses, st.floats(0, 1))
def test_nearer_the_margin_always_counts_more_on_either_side(m, a, distance):
    peak, right, left = boundary_weight(row([m, m + distance, m - distance]), m, a).tolist()
    assert peak == 0.25 >= right
    assert right == pytest.approx(left)


@exact
@given(cosines, margins, sharpnesses)
def test_the_boundary_weight_is_the_slope_of_the_prototype_weight(values, m, a):
    cosine = row(values).requires_grad_()
    (slope,) = torch.autograd.grad(prototype_weight(cosine, m, a).sum(), cosine)
    torch.testing.assert_close(slope, a * boundary_weight(cosine, m, a).detach())


def test_a_dull_weight_tells_nothing_apart_and_a_sharp_one_is_a_step():
    cosine = torch.tensor([-1.0, 0.4, 0.6, 1.0])
    assert prototype_weight(cosine, 0.5, 1e-9).tolist() == pytest.approx([0.5] * 4)
    assert prototype_weight(cosine, 0.5, 1e9).tolist() == [0, 0, 1, 1]
    assert boundary_weight(cosine, 0.5, 1e9).tolist() == [0, 0, 0, 0]


@WEIGHTS
def test_a_sharp_weight_has_finite_slopes(weigh):
    cosine = torch.tensor([-1.0, 0.4, 0.6, 1.0], requires_grad=True)
    (slope,) = torch.autograd.grad(weigh(cosine, 0.5, 1e9).sum(), cosine)
    assert torch.isfinite(slope).all()
