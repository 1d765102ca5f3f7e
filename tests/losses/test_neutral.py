"""The neutral loss: values, the paper's form, slopes, limits; its bounds are in properties/test_theory_neutral.py."""

import math

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from angularpu.losses.neutral import neutral_loss

exact = settings(deadline=None, derandomize=True, max_examples=50)
logits = st.lists(st.floats(-15, 15), min_size=1, max_size=8)


def test_values_by_hand():
    # l = log 3 makes the sigmoid 3/4: -1/2 log(3/4) - 1/2 log(1/4) = log(4/sqrt 3)
    value = neutral_loss(torch.tensor([0.0, math.log(3), -math.log(3)], dtype=torch.float64))
    assert value.tolist() == pytest.approx([math.log(2), math.log(4 / math.sqrt(3)), math.log(4 / math.sqrt(3))])


@exact
@given(logits)
def test_it_is_the_cross_entropy_with_the_target_one_half(values):
    naive = []
    for value in values:
        sigmoid = 1 / (1 + math.exp(-value))
        naive.append(-0.5 * math.log(sigmoid) - 0.5 * math.log(1 - sigmoid))
    assert neutral_loss(torch.tensor(values, dtype=torch.float64)).tolist() == pytest.approx(naive, abs=1e-9)


def test_its_slope_is_the_one_it_claims():
    logit = torch.linspace(-9, 9, 7, dtype=torch.float64, requires_grad=True)
    assert torch.autograd.gradcheck(neutral_loss, logit)
    assert torch.autograd.gradgradcheck(neutral_loss, logit)
    (slope,) = torch.autograd.grad(neutral_loss(logit).sum(), logit)
    torch.testing.assert_close(slope, torch.sigmoid(logit) - 0.5)


@exact
@given(st.lists(st.floats(-1000, 1000), min_size=1, max_size=8))
def test_it_takes_no_side(values):
    logit = torch.tensor(values, dtype=torch.float64)
    torch.testing.assert_close(neutral_loss(logit), neutral_loss(-logit), rtol=0, atol=3e-9)


def test_no_opinion_costs_least():
    logit = torch.linspace(-5, 5, 101, dtype=torch.float64)
    value = neutral_loss(logit)
    assert logit[value.argmin()].item() == pytest.approx(0)
    assert value.min().item() == pytest.approx(math.log(2))


def test_far_logits_cost_half_their_size_and_never_overflow():
    logit = torch.tensor([-1e30, -1e4, 1e4, 1e30], requires_grad=True)
    value = neutral_loss(logit)
    torch.testing.assert_close(value.detach(), logit.detach().abs() / 2)
    assert torch.autograd.grad(value.sum(), logit)[0].tolist() == [-0.5, -0.5, 0.5, 0.5]
