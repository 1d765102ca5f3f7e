"""uPU: the parts of the risk, and that they estimate it without bias."""

import math

import numpy as np
import pytest
import torch

from angularpu.algorithms.imbpu import ImbPU
from angularpu.algorithms.nnpu import NNPU
from angularpu.algorithms.pusb import PUSB
from angularpu.algorithms.upu import UPU
from angularpu.errors import SettingError
from angularpu.metrics.pu_risk import upu_risk
from angularpu.scenario.proportions import Proportions

LOSSES = {"sigmoid": lambda g, y: 1 / (1 + math.exp(y * g)), "logistic": lambda g, y: math.log1p(math.exp(-y * g))}
EACH_LOSS = pytest.mark.parametrize("loss", LOSSES)


@pytest.fixture
def line(identity):
    """Make uPU whose logit of a row x >= 0 is a x + b."""

    def make(a: float, b: float, **options) -> UPU:
        algorithm = UPU(identity(1), **options).double()
        with torch.no_grad():
            algorithm.head.weight.fill_(a)
            algorithm.head.bias.fill_(b)
        return algorithm

    return make


def test_values_by_hand(line, batch_of):
    x = torch.tensor([[0.0], [math.log(3)], [math.log(4)]], dtype=torch.float64)  # logits 0, log 3, log 4
    terms = line(1.0, 0.0, alpha=0.5).step(batch_of(x, 1, positive_weight=1.0)).terms
    assert terms["positive"].item() == pytest.approx(0.5 * 0.5)
    assert terms["negative"].item() == pytest.approx((0.75 + 0.8) / 2 - 0.5 * 0.5)


@EACH_LOSS
def test_the_objective_equals_a_loop_over_the_rows(linear, drawn_batch, loss):
    algorithm, batch = UPU(linear(), alpha=0.3, loss=loss).double(), drawn_batch(3, 5)
    g = algorithm.score(batch.x).tolist()
    called_positive = 0.7 * sum(LOSSES[loss](v, 1) for v in g[:3])
    called_negative = 0.7 * sum(LOSSES[loss](v, -1) for v in g[:3])
    unlabelled = sum(LOSSES[loss](v, -1) for v in g[3:]) / 5
    step = algorithm.step(batch)
    assert step.loss.item() == pytest.approx(0.3 * called_positive + unlabelled - 0.3 * called_negative)
    assert step.objective is step.loss


@EACH_LOSS
def test_it_is_the_supervised_risk_when_u_holds_the_positives_in_the_stated_share(linear, batch_of, loss):
    generator = torch.Generator().manual_seed(0)
    pos = torch.randn(4, 5, generator=generator, dtype=torch.float64)
    neg = torch.randn(12, 5, generator=generator, dtype=torch.float64)
    algorithm = UPU(linear(), alpha=0.25, loss=loss).double()
    batch = batch_of(torch.cat([pos, pos, neg]), 4, positive_weight=1 / 4)  # U is the four positives and twelve others
    g_pos, g_neg = algorithm.score(pos).tolist(), algorithm.score(neg).tolist()
    supervised = 0.25 * np.mean([LOSSES[loss](g, 1) for g in g_pos])
    supervised += 0.75 * np.mean([LOSSES[loss](g, -1) for g in g_neg])
    assert algorithm.step(batch).loss.item() == pytest.approx(supervised)


@EACH_LOSS
def test_its_mean_over_the_batches_of_an_epoch_is_the_risk_of_the_training_set(linear, batch_of, loss):
    x = torch.randn(40, 5, generator=torch.Generator().manual_seed(1), dtype=torch.float64)
    algorithm = UPU(linear(), alpha=0.3, loss=loss).double()
    pos, unl = x[:7], x[7:39]
    parts = [(pos[:2], unl[:8]), (pos[2:4], unl[8:16]), (pos[4:7], unl[16:24]), (pos[:0], unl[24:])]
    steps = [algorithm.step(batch_of(torch.cat(part), len(part[0]), positive_weight=4 / 7)) for part in parts]
    g = algorithm.score(x).detach().numpy()
    shares = Proportions(7, 32, "two-sample", alpha=0.3)
    expected = upu_risk(g[:7], g[7:39], shares=shares, target="unlabelled", loss=loss)
    assert np.mean([step.objective.item() for step in steps]) == pytest.approx(expected)


def test_the_logistic_loss_gives_the_convex_form_of_2015(linear, drawn_batch):
    algorithm, batch = UPU(linear(), alpha=0.3, loss="logistic").double(), drawn_batch(3, 5)
    g = algorithm.score(batch.x)
    convex = -0.3 * 0.7 * g[:3].sum() + torch.nn.functional.softplus(g[3:]).mean()
    torch.testing.assert_close(algorithm.step(batch).loss, convex)


@pytest.mark.parametrize("sizes", [(1, 0), (0, 1), (1, 1), (3, 0), (0, 3)])
@pytest.mark.parametrize("make", [UPU, NNPU, ImbPU, PUSB])
def test_a_batch_with_one_or_no_row_of_a_kind_has_a_finite_loss_and_slope(linear, drawn_batch, make, sizes):
    algorithm = make(linear(), alpha=0.4).double()
    step = algorithm.step(drawn_batch(*sizes))
    step.loss.backward()
    assert torch.isfinite(step.loss)
    assert all(torch.isfinite(parameter.grad).all() for parameter in algorithm.parameters())


@EACH_LOSS
def test_the_slope_is_that_of_the_objective(linear, drawn_batch, gradcheck, loss):
    assert gradcheck(UPU(linear(), alpha=0.4, loss=loss).double(), drawn_batch(2, 3))


@pytest.mark.parametrize("alpha", [0, 1, -0.1, 1.3, float("nan")])
@pytest.mark.parametrize("make", [UPU, NNPU, ImbPU, PUSB])
def test_an_alpha_that_is_no_share_is_refused(linear, make, alpha):
    with pytest.raises(SettingError, match=r"alpha must lie in \(0, 1\), got"):
        make(linear(), alpha=alpha)


def test_an_unknown_loss_is_refused(linear, unchecked):
    with pytest.raises(SettingError, match="loss must be one of 'sigmoid', 'logistic', got 'hinge'"):
        UPU(linear(), alpha=0.4, loss="hinge")
