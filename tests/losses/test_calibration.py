"""Self-calibration: growth along a direction, and weights that are those of a small step on the clean rows."""

import pytest
import torch
from torch.nn.functional import binary_cross_entropy_with_logits

from angularpu.losses.calibration import calibrate_losses, differentiate_along

DRAW = torch.Generator().manual_seed(0)
X, CLEAN_X = torch.randn(2, 12, 3, generator=DRAW, dtype=torch.float64)
CLEAN_Y = (torch.rand(12, generator=DRAW) < 0.5).double()


def score(x, weight, hidden):
    return torch.tanh(x @ hidden) @ weight


@pytest.fixture
def network() -> list[torch.Tensor]:
    generator = torch.Generator().manual_seed(1)
    return [torch.randn(size, generator=generator, dtype=torch.float64).requires_grad_() for size in ((4,), (3, 4))]


def test_the_growth_along_a_direction_is_a_difference_of_outputs(network):
    direction = [torch.randn_like(part) for part in network]
    found = differentiate_along(score(X, *network), network, direction)
    ahead, behind = (
        score(X, *(part + step * change for part, change in zip(network, direction, strict=True)))
        for step in (1e-5, -1e-5)
    )
    torch.testing.assert_close(found, (ahead - behind) / 2e-5, rtol=1e-6, atol=1e-8)


def test_a_parameter_that_the_output_does_not_use_changes_nothing(network):
    idle = torch.ones(2, dtype=torch.float64, requires_grad=True)
    direction = [torch.ones_like(part) for part in network]
    with_idle = differentiate_along(score(X, *network), [*network, idle], [*direction, torch.ones_like(idle)])
    torch.testing.assert_close(with_idle, differentiate_along(score(X, *network), network, direction))


def test_the_output_can_still_be_differentiated_afterwards(network):
    output = score(X, *network)
    differentiate_along(output, network, [torch.ones_like(part) for part in network])
    assert torch.isfinite(torch.autograd.grad(output.sum(), network[0])[0]).all()


def test_weights_are_what_a_small_step_on_each_loss_does_for_the_clean_rows(network):
    """The source's meta-gradient by row: w = max(-dL_clean(theta - rate w dl)/dw, 0) at w = 0, scaled to a sum of 1."""
    clean = binary_cross_entropy_with_logits(score(CLEAN_X, *network), CLEAN_Y)
    slope = torch.autograd.grad(clean, network)
    g = score(X, *network)
    negative, entropy = calibrate_losses(g, differentiate_along(g, network, slope), cap=100.0)

    def gain(loss, row: int) -> float:
        own = torch.autograd.grad(loss(score(X[row : row + 1], *network))[0], network)
        moved = [(part - 1e-5 * change).detach() for part, change in zip(network, own, strict=True)]
        after = binary_cross_entropy_with_logits(score(CLEAN_X, *moved), CLEAN_Y)
        return max(0.0, (clean - after).item())

    def uncertainty(g):
        p = g.sigmoid()
        return -p * p.log() - (1 - p) * (1 - p).log()

    for row in range(len(X)):
        gains = [gain(torch.sigmoid, row), gain(uncertainty, row)]
        total = sum(gains)
        expected = [value / total for value in gains] if total else [1, 0]
        assert [negative[row].item(), entropy[row].item()] == pytest.approx(expected, abs=1e-3)
    assert {bool(w > 0) for w in entropy} == {True, False}


def test_entropies_weigh_no_more_than_the_cap_together_and_weights_are_constants():
    logit = torch.tensor([3.0, 3.0, -1.0, 0.0], requires_grad=True)
    drift = torch.tensor([-1.0, -2.0, 1.0, 0.0])
    negative, entropy = calibrate_losses(logit, drift, cap=0.5)
    assert negative.tolist() == pytest.approx([0.8, 0.8, 0.9, 1])  # 1, 1, 1/2 and 0 before, five times too much
    assert entropy.tolist() == pytest.approx([0.2, 0.2, 0.1, 0])
    assert not negative.requires_grad
    assert not entropy.requires_grad
    assert calibrate_losses(logit, drift, cap=0.0)[1].tolist() == [0, 0, 0, 0]
