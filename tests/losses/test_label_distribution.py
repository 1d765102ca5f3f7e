"""Dist-PU's losses: zero at the right label distribution, entropies and cross-entropies without overflow."""

import math

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from angularpu.losses.label_distribution import binary_entropy, label_distribution_loss, soft_cross_entropy

exact = settings(deadline=None, derandomize=True, max_examples=50)
LOGITS = torch.linspace(-6, 6, 7, dtype=torch.float64)


def scalar(value: float) -> torch.Tensor:
    return torch.tensor(value, dtype=torch.float64)


@exact
@given(st.floats(0.01, 0.99))
def test_it_is_zero_at_the_right_shares_and_only_there(alpha):
    assert label_distribution_loss(scalar(0.0), scalar(alpha), alpha=alpha) == 0
    assert label_distribution_loss(scalar(1e-3), scalar(alpha), alpha=alpha) > 0
    for off in (-5e-3, 5e-3):
        assert label_distribution_loss(scalar(0.0), scalar(alpha + off), alpha=alpha) > 0


def test_values_by_hand():
    assert label_distribution_loss(scalar(0.25), scalar(0.1), alpha=0.5).item() == pytest.approx(0.25 + 0.4)
    entropy = binary_entropy(torch.tensor([0.0, math.log(3)]))
    assert entropy.tolist() == pytest.approx([math.log(2), 0.75 * math.log(4 / 3) + 0.25 * math.log(4)])
    cross = soft_cross_entropy(torch.tensor([math.log(3)]), torch.tensor([0.5]))
    assert cross.item() == pytest.approx(0.5 * math.log(4 / 3) + 0.5 * math.log(4))


@exact
@given(st.floats(-15, 15), st.floats(0, 1))
def test_entropies_equal_the_textbook_formulas(logit, target):
    s = 1 / (1 + math.exp(-logit))
    rest = 1 / (1 + math.exp(logit))
    g = scalar(logit)[None]
    assert binary_entropy(g).item() == pytest.approx(-s * math.log(s) - rest * math.log(rest), abs=1e-9)
    expected = -target * math.log(s) - (1 - target) * math.log(rest)
    assert soft_cross_entropy(g, scalar(target)[None]).item() == pytest.approx(expected, abs=1e-9)


def test_slopes_are_those_they_claim():
    g = LOGITS.clone().requires_grad_()
    target = torch.linspace(0, 1, 7, dtype=torch.float64)
    assert torch.autograd.gradcheck(binary_entropy, g)
    assert torch.autograd.gradcheck(lambda g: soft_cross_entropy(g, target), g)
    shares = [scalar(0.2).requires_grad_(), scalar(0.7).requires_grad_()]
    assert torch.autograd.gradcheck(lambda gap, mean: label_distribution_loss(gap, mean, alpha=0.4), shares)


def test_far_logits_stay_finite():
    far = torch.tensor([-1e4, 1e4], requires_grad=True)
    assert binary_entropy(far).tolist() == [0, 0]
    assert soft_cross_entropy(far, torch.tensor([0.0, 1.0])).tolist() == [0, 0]
