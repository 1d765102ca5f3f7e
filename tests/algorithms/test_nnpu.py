"""nnPU: the objective never below zero, uPU's while the negative part is not negative, a step back otherwise."""

import pytest
import torch

from angularpu.algorithms.nnpu import NNPU
from angularpu.algorithms.upu import UPU

# With these seeds r is above zero, or well below it because alpha is large.
ABOVE, BELOW = 0.1, 0.9


def pair(linear, *, alpha: float, **options) -> tuple[NNPU, UPU]:
    """Both methods with the same weights."""
    torch.manual_seed(0)
    corrected = NNPU(linear(), alpha=alpha, **options).double()
    plain = UPU(linear(), alpha=alpha, loss=options.get("loss", "sigmoid")).double()
    plain.load_state_dict(corrected.state_dict())
    return corrected, plain


@pytest.mark.parametrize("loss", ["sigmoid", "logistic"])
def test_it_is_upu_while_the_negative_part_is_not_negative(linear, drawn_batch, loss):
    corrected, plain = pair(linear, alpha=ABOVE, loss=loss)
    step, expected = corrected.step(drawn_batch(3, 6)), plain.step(drawn_batch(3, 6))
    assert step.terms["negative"] >= 0
    assert step.objective == expected.objective
    assert step.loss == expected.loss


@pytest.mark.parametrize("loss", ["sigmoid", "logistic"])
def test_below_zero_it_steps_back_along_the_negative_part(linear, drawn_batch, loss):
    corrected, plain = pair(linear, alpha=BELOW, loss=loss, gamma=0.5)
    step, expected = corrected.step(drawn_batch(4, 6)), plain.step(drawn_batch(4, 6))
    assert step.terms["negative"] < 0
    torch.testing.assert_close(step.loss, -0.5 * expected.terms["negative"])
    torch.testing.assert_close(step.objective, expected.terms["positive"])


@pytest.mark.parametrize("alpha", [ABOVE, 0.5, BELOW])
@pytest.mark.parametrize("seed", range(5))
def test_with_beta_zero_the_objective_is_at_least_zero(linear, drawn_batch, alpha, seed):
    algorithm = NNPU(linear(seed), alpha=alpha).double()
    assert algorithm.step(drawn_batch(4, 4, seed=seed)).objective >= 0


def test_beta_lets_the_negative_part_fall_that_far(linear, drawn_batch):
    corrected, plain = pair(linear, alpha=BELOW, beta=10.0)
    expected = plain.step(drawn_batch(4, 6))
    assert expected.terms["negative"] < 0
    assert corrected.step(drawn_batch(4, 6)).loss == expected.loss
    corrected.beta = 0.01
    step = corrected.step(drawn_batch(4, 6))
    torch.testing.assert_close(step.objective, expected.terms["positive"] - 0.01)
    torch.testing.assert_close(step.loss, -expected.terms["negative"])


@pytest.mark.parametrize("alpha", [ABOVE, BELOW])
def test_the_slope_is_that_of_the_loss(linear, drawn_batch, gradcheck, alpha):
    assert gradcheck(NNPU(linear(), alpha=alpha).double(), drawn_batch(4, 6))
