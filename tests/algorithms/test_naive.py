"""The naive end: the ordinary logistic loss of labelled against unlabelled."""

import math

import pytest
import torch
from torch.nn.functional import binary_cross_entropy_with_logits

from angularpu.algorithms.naive import Naive


def test_the_objective_is_binary_cross_entropy_of_the_label_indicator(linear, drawn_batch):
    algorithm, batch = Naive(linear()).double(), drawn_batch(3, 5)
    expected = binary_cross_entropy_with_logits(algorithm.score(batch.x), torch.tensor([1.0] * 3 + [0.0] * 5).double())
    torch.testing.assert_close(algorithm.step(batch).loss, expected)


def test_terms_by_hand(identity, batch_of):
    algorithm = Naive(identity(1)).double()
    with torch.no_grad():
        algorithm.head.weight.fill_(2)
        algorithm.head.bias.fill_(0)
    x = torch.tensor([[0.0], [0.5 * math.log(3)], [-7.0]], dtype=torch.float64)
    assert algorithm.score(x).tolist() == pytest.approx([0, math.log(3), 0])  # the ReLU hides what is below 0
    terms = algorithm.step(batch_of(x, 1)).terms
    assert terms["positive"].item() == pytest.approx(math.log(2) / 3)
    assert terms["unlabelled"].item() == pytest.approx((math.log(4) + math.log(2)) / 3)


@pytest.mark.parametrize("sizes", [(1, 0), (0, 1), (1, 1), (3, 0), (0, 3)])
def test_a_batch_with_one_or_no_row_of_a_kind_has_a_finite_loss_and_slope(linear, drawn_batch, sizes):
    algorithm = Naive(linear()).double()
    step = algorithm.step(drawn_batch(*sizes))
    step.loss.backward()
    assert torch.isfinite(step.loss)
    assert all(torch.isfinite(parameter.grad).all() for parameter in algorithm.parameters())


def test_the_slope_is_that_of_the_objective(linear, drawn_batch, gradcheck):
    assert gradcheck(Naive(linear()).double(), drawn_batch(2, 3))
