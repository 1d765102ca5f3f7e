"""The logistic loss: values, the textbook formula, slopes, limits."""

import math

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from angularpu.losses.logistic import logistic_loss

exact = settings(deadline=None, derandomize=True, max_examples=50)
CLASSES = pytest.mark.parametrize("y", [1, -1])


def test_values_by_hand():
    logit = torch.tensor([0.0, math.log(3), -math.log(3)])
    torch.testing.assert_close(logistic_loss(logit, 1), torch.tensor([2.0, 4 / 3, 4.0]).log())
    torch.testing.assert_close(logistic_loss(logit, -1), torch.tensor([2.0, 4.0, 4 / 3]).log())


@CLASSES
@exact
@given(st.lists(st.floats(-15, 15), min_size=1, max_size=8))
def test_it_is_minus_the_log_of_the_sigmoid(y, values):
    naive = [-math.log(1 / (1 + math.exp(-y * value))) for value in values]
    logit = torch.tensor(values, dtype=torch.float64)
    assert logistic_loss(logit, y).tolist() == pytest.approx(naive, abs=1e-9)


@CLASSES
def test_its_slope_is_the_one_it_claims(y):
    logit = torch.linspace(-9, 9, 7, dtype=torch.float64, requires_grad=True)
    assert torch.autograd.gradcheck(lambda g: logistic_loss(g, y), logit)
    (slope,) = torch.autograd.grad(logistic_loss(logit, y).sum(), logit)
    torch.testing.assert_close(slope, -y * torch.sigmoid(-y * logit))


def test_far_logits_neither_overflow_nor_lose_their_slope():
    logit = torch.tensor([-1e30, -1e4, 1e4, 1e30], requires_grad=True)
    loss = logistic_loss(logit, 1)
    assert loss.tolist() == pytest.approx([1e30, 1e4, 0, 0])
    assert torch.autograd.grad(loss.sum(), logit)[0].tolist() == [-1, -1, 0, 0]


@exact
@given(st.lists(st.floats(-100, 100), min_size=1, max_size=8))
def test_being_right_about_one_class_is_being_wrong_about_the_other(values):
    logit = torch.tensor(values, dtype=torch.float64)
    torch.testing.assert_close(logistic_loss(logit, -1), logistic_loss(-logit, 1), rtol=0, atol=0)
    torch.testing.assert_close(logistic_loss(logit, -1) - logistic_loss(logit, 1), logit, atol=1e-8, rtol=0)
