"""The non-negative correction: what is differentiated, what is reported, and their slopes."""

import pytest
import torch

from angularpu.losses.non_negative import correct_negative_part


def scalars(*values: float) -> list[torch.Tensor]:
    return [torch.tensor(value, dtype=torch.float64, requires_grad=True) for value in values]


@pytest.mark.parametrize(
    ("negative", "beta", "gamma", "loss", "objective"),
    [
        (0.25, 0.0, 1.0, 0.75, 0.75),
        (0.0, 0.0, 1.0, 0.5, 0.5),
        (-0.25, 0.0, 1.0, 0.25, 0.5),
        (-0.25, 0.0, 0.5, 0.125, 0.5),
        (-0.25, 0.25, 1.0, 0.25, 0.25),
        (-0.5, 0.25, 2.0, 1.0, 0.25),
    ],
)
def test_values_by_hand(negative, beta, gamma, loss, objective):
    found = correct_negative_part(*scalars(0.5, negative), beta=beta, gamma=gamma)
    assert [value.item() for value in found] == [loss, objective]


@pytest.mark.parametrize("negative", [0.3, -0.3])
def test_the_slope_is_that_of_the_loss(negative):
    assert torch.autograd.gradcheck(lambda p, r: correct_negative_part(p, r, gamma=0.7)[0], scalars(0.5, negative))


def test_a_step_back_raises_the_negative_part_and_leaves_the_positive_one():
    positive, negative = scalars(0.5, -0.1)
    loss, _ = correct_negative_part(positive, negative)
    slope = torch.autograd.grad(loss, (positive, negative), allow_unused=True)
    assert slope[0] is None
    assert slope[1] == -1
