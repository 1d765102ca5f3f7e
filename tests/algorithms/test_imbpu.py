"""ImbPU: nnPU's risk in a balanced population."""

import pytest
import torch

from angularpu.algorithms.imbpu import ImbPU
from angularpu.algorithms.nnpu import NNPU
from angularpu.errors import SettingError


@pytest.mark.parametrize("sizes", [(2, 6), (6, 2), (0, 3), (3, 0)])
@pytest.mark.parametrize("loss", ["sigmoid", "logistic"])
def test_it_is_nnpu_where_alpha_is_one_half(linear, drawn_batch, sizes, loss):
    balanced = ImbPU(linear(), alpha=0.5, loss=loss).double()
    plain = NNPU(linear(), alpha=0.5, loss=loss).double()
    plain.load_state_dict(balanced.state_dict())
    step, expected = balanced.step(drawn_batch(*sizes)), plain.step(drawn_batch(*sizes))
    torch.testing.assert_close(step.loss, expected.loss, rtol=0, atol=0)
    torch.testing.assert_close(step.objective, expected.objective, rtol=0, atol=0)


@pytest.mark.parametrize(("sizes", "back"), [((1, 8), False), ((8, 1), True)])
def test_values_equal_a_loop_over_the_rows(linear, drawn_batch, sizes, back):
    algorithm, batch = ImbPU(linear(), alpha=0.2).double(), drawn_batch(*sizes)
    n = sizes[0]
    s = torch.sigmoid(algorithm.score(batch.x)).tolist()
    r = sum(s[n:]) / sizes[1] - 0.2 * 0.7 * sum(s[:n])
    positive = 0.5 * 0.7 * sum(1 - v for v in s[:n])
    assert (r < 0) is back
    step = algorithm.step(batch)
    assert step.loss.item() == pytest.approx(-0.5 / 0.8 * r if back else positive + 0.5 / 0.8 * r)
    assert step.objective.item() == pytest.approx(positive + 0.5 / 0.8 * max(0, r))


def test_the_slope_is_that_of_the_loss(linear, drawn_batch, gradcheck):
    for sizes in ((1, 8), (8, 1)):
        assert gradcheck(ImbPU(linear(), alpha=0.2).double(), drawn_batch(*sizes))


def test_a_balance_that_is_no_share_is_refused(linear):
    with pytest.raises(SettingError, match=r"balanced_prior must lie in \(0, 1\), got 0"):
        ImbPU(linear(), alpha=0.2, balanced_prior=0)
