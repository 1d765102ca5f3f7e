"""What moves AngularPU: the slopes of its objective, and what becomes of mu and m after a step."""

import math

import pytest
import torch
from torch import nn
from torch.autograd.gradcheck import GradcheckError

from angularpu.algorithms.angular import Angular

SMOOTH = [
    {},
    {"weight": "boundary", "sharpness": "learnable"},
    {"weight": None, "positives": "batch"},
    {"lambda_": 0.0},
    {"dispersion_on": "all"},
    {"logit": "margin", "positive_loss": "logistic", "margin": "softplus"},
    {"logit": "margin", "positive_loss": "logistic", "sharpness": "learnable", "weight": "boundary"},
    {"logit": "margin", "margin": 0.5, "weight": None, "dispersion_on": "all"},
]


def angular(encoder, **options) -> Angular:
    return Angular(encoder, **options).double()


@pytest.mark.parametrize("options", SMOOTH, ids=lambda options: "-".join(map(str, options.values())) or "default")
def test_the_slope_is_that_of_the_objective_in_encoder_and_prototype_and_scalars(
    linear, drawn_batch, gradcheck, options
):
    assert gradcheck(angular(linear(), **options), drawn_batch(2, 4))


def test_with_a_detached_weight_the_slope_is_not_that_of_the_objective(linear, drawn_batch, gradcheck):
    with pytest.raises(GradcheckError):
        gradcheck(angular(linear(), detach_weight=True), drawn_batch(2, 4))


def slope_in_the_logit(algorithm, x, batch_of) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
    """Return the unlabelled term's slope in each row's logit, times the rows; and the weights and the logits."""
    (slope,) = torch.autograd.grad(algorithm.step(batch_of(x, 0)).terms["unlabelled"], x)
    z, length = nn.functional.normalize(x.detach()), x.detach().norm(dim=1, keepdim=True)
    mu = algorithm.mu[0].detach()
    cosine = z @ mu
    along = (mu - cosine[:, None] * z) / length  # how a row's cosine changes with the row
    per_cosine = (slope * along).sum(1) / (along * along).sum(1)
    weight = torch.sigmoid(algorithm.sharpness * (cosine - algorithm.m))
    return len(x) * per_cosine / algorithm.kappa, weight.detach(), algorithm.kappa * cosine


@pytest.mark.parametrize("detach", [True, False])
def test_the_papers_slope_holds_if_and_only_if_the_weight_is_detached(identity, batch_of, detach):
    algorithm = angular(identity(4), detach_weight=detach, margin=0.1, sharpness=5.0, lambda_=0.0)
    x = torch.randn(6, 4, generator=torch.Generator().manual_seed(0), dtype=torch.float64, requires_grad=True)
    slope, w, logit = slope_in_the_logit(algorithm, x, batch_of)
    stated = w * (torch.sigmoid(logit) - 0.5)
    rest = 5.0 / 3.0 * w * (1 - w) * torch.log(2 * torch.cosh(logit / 2))
    torch.testing.assert_close(slope, stated if detach else stated + rest)
    assert (rest > 0.01).all()


def test_a_detached_weight_leaves_the_margin_of_the_cosine_logit_without_a_slope(linear, drawn_batch):
    algorithm = angular(linear(), detach_weight=True)
    algorithm.step(drawn_batch(3, 4)).loss.backward()
    assert algorithm.raw_margin.grad is None
    assert algorithm.mu.grad.abs().sum() > 0


def test_under_the_margin_logit_the_margin_has_a_slope_even_so(linear, drawn_batch):
    algorithm = angular(linear(), detach_weight=True, logit="margin")
    algorithm.step(drawn_batch(3, 4)).loss.backward()
    assert algorithm.raw_margin.grad.abs() > 1e-3


@pytest.mark.parametrize("seed", range(5))
def test_an_attached_weight_always_pushes_the_margin_up(linear, drawn_batch, seed):
    algorithm = angular(linear(seed))
    algorithm.step(drawn_batch(3, 4, seed=seed)).loss.backward()
    assert algorithm.raw_margin.grad < 0


@pytest.mark.parametrize(("before", "after"), [(3.0, 1.0), (-3.0, -1.0), (0.4, 0.4)])
def test_after_a_step_mu_is_on_the_sphere_and_m_in_its_range(linear, drawn_batch, before, after):
    algorithm = angular(linear())
    direction = algorithm.mu.detach().clone()
    with torch.no_grad():
        algorithm.mu.mul_(7)
        algorithm.raw_margin.fill_(before)
    algorithm.after_step(drawn_batch(1, 1))
    torch.testing.assert_close(algorithm.mu.detach(), direction)
    assert algorithm.m.item() == pytest.approx(after)


def test_large_updates_leave_mu_on_the_sphere_and_m_in_its_range(linear, drawn_batch):
    algorithm = angular(linear())
    optimizer = torch.optim.SGD(algorithm.parameters(), lr=10.0)
    for seed in range(5):
        algorithm.update(drawn_batch(3, 4, seed=seed), [optimizer])
        assert algorithm.mu.norm().item() == pytest.approx(1)
        assert -1 <= algorithm.m.item() <= 1


def test_a_softplus_margin_is_positive_and_knows_no_upper_end(linear, drawn_batch):
    algorithm = angular(linear(), margin="softplus")
    assert algorithm.m.item() == pytest.approx(0.5)
    for raw in (-40.0, 3.0):
        with torch.no_grad():
            algorithm.raw_margin.fill_(raw)
        algorithm.after_step(drawn_batch(1, 1))
        assert algorithm.m.item() == pytest.approx(math.log1p(math.exp(raw)), rel=1e-6)


def test_scalars_start_where_the_fixed_ones_stand(linear):
    algorithm = angular(linear(), margin="learnable", sharpness="learnable")
    assert algorithm.m.item() == 0.5
    assert algorithm.a.item() == pytest.approx(10)


def test_what_is_fixed_is_no_parameter(linear):
    names = {name for name, _ in angular(linear(), margin=0.5).named_parameters()}
    assert names == {"mu", "encoder.embedding.weight", "encoder.embedding.bias"}
