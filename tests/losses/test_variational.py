"""The variational loss: values, slopes, what it is least at, and no underflow."""

import math

import pytest
import torch

from angularpu.losses.variational import log_mean_probability, mean_probability, mixed_consistency

SHARE = torch.tensor([0.1, 0.2, 0.3, 0.4], dtype=torch.float64)  # p(x) of four points
POSTERIOR = torch.tensor([0.9, 0.5, 0.25, 0.05], dtype=torch.float64)  # P(y = 1 | x)
OF_POSITIVES = SHARE * POSTERIOR / (SHARE * POSTERIOR).sum()  # p(x | y = 1)


def variational(phi: torch.Tensor) -> torch.Tensor:
    """L_var on the four points, straight from its definition."""
    return (SHARE @ phi).log() - OF_POSITIVES @ phi.log()


def test_the_log_of_the_mean_by_hand():
    logit = torch.tensor([0.0, math.log(3), -math.log(3)], dtype=torch.float64)  # Phi: 1/2, 3/4, 1/4
    assert log_mean_probability(logit).item() == pytest.approx(math.log(0.5))


def test_the_log_of_the_mean_does_not_underflow():
    assert log_mean_probability(torch.tensor([-1000.0, -1000.0])).item() == pytest.approx(-1000)
    assert log_mean_probability(torch.tensor([1000.0])).item() == 0


def test_equal_shares_of_points_give_the_definition():
    # ten rows that hold the four points in their shares
    phi = torch.tensor([0.7, 0.4, 0.3, 0.2], dtype=torch.float64)
    rows = phi.logit().repeat_interleave(torch.tensor([1, 2, 3, 4]))
    assert log_mean_probability(rows).item() == pytest.approx((SHARE @ phi).log().item())


@pytest.mark.parametrize("factor", [0.01, 0.5, 1.0, 1.1])
def test_it_is_least_where_phi_is_proportional_to_the_posterior(factor):
    phi = (factor * POSTERIOR).requires_grad_()
    value = variational(phi)
    (slope,) = torch.autograd.grad(value, phi)
    torch.testing.assert_close(slope, torch.zeros_like(slope), rtol=0, atol=1e-12)
    divergence = (OF_POSITIVES * (OF_POSITIVES / SHARE).log()).sum()
    assert value.item() == pytest.approx(-divergence.item())
    for seed in range(20):
        other = torch.rand(4, generator=torch.Generator().manual_seed(seed), dtype=torch.float64)
        assert variational(other) > value


def test_the_mean_by_hand():
    logit = torch.tensor([0.0, math.log(3), -math.log(3), 1000.0], dtype=torch.float64)  # Phi: 1/2, 3/4, 1/4, 1
    assert mean_probability(logit).item() == pytest.approx(0.625)


@pytest.mark.parametrize(
    "factor", [0.1, 0.325, 0.5]
)  # 0.325 is the share of positives, above it the first point is cut
def test_with_the_mean_phi_tends_to_the_factor_times_the_ratio_of_densities_cut_at_one(factor):
    logit = torch.zeros(4, dtype=torch.float64, requires_grad=True)
    optimizer = torch.optim.LBFGS([logit], max_iter=200, tolerance_grad=1e-10, line_search_fn="strong_wolfe")

    def close():
        optimizer.zero_grad()
        rows = logit.repeat_interleave(torch.tensor([1, 2, 3, 4]))  # ten rows that hold the points in their shares
        loss = mean_probability(rows) - factor * OF_POSITIVES @ torch.nn.functional.logsigmoid(logit)
        loss.backward()
        return loss

    optimizer.step(close)
    expected = (factor * OF_POSITIVES / SHARE).clamp(max=1)
    torch.testing.assert_close(logit.detach().sigmoid(), expected, rtol=0, atol=1e-3)


def test_with_the_mean_it_bounds_the_published_form_and_touches_it():
    for seed in range(20):
        phi = torch.rand(4, generator=torch.Generator().manual_seed(seed), dtype=torch.float64)
        for factor in (0.2, 0.5, (SHARE @ phi).item()):
            bound = (SHARE @ phi - factor * OF_POSITIVES @ phi.log()) / factor + math.log(factor) - 1
            assert bound >= variational(phi) - 1e-12
        assert bound.item() == pytest.approx(variational(phi).item())


def test_the_distance_from_a_mixture_by_hand():
    gamma = torch.tensor(0.5, dtype=torch.float64)
    logit, mixed = torch.tensor([[0.0, math.log(3)], [math.log(3), 0.0]], dtype=torch.float64)
    # targets 1/2 1/2 + 1/2 = 3/4 and 1/2 3/4 + 1/2 = 7/8, found 3/4 and 1/2
    assert mixed_consistency(logit, mixed, gamma=gamma).tolist() == pytest.approx([0, math.log(7 / 4) ** 2])


@pytest.mark.parametrize("gamma", [0.0, 0.3, 1.0])
def test_slopes_are_those_of_the_values_at_every_mixture(gamma):
    draws = torch.randn(2, 5, generator=torch.Generator().manual_seed(0), dtype=torch.float64).requires_grad_()
    assert torch.autograd.gradcheck(
        lambda x: mixed_consistency(*x, gamma=torch.tensor(gamma, dtype=torch.float64)), draws
    )
    assert torch.autograd.gradcheck(log_mean_probability, draws[0])
    assert torch.autograd.gradcheck(mean_probability, draws[0])
