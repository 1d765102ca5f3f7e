"""puNCE's contrast: by loops, and its claim, that it is SupCon when all rows are labelled."""

import math

import pytest
import torch

from angularpu.geometry.sphere import normalise
from angularpu.losses.pu_contrast import punce_loss, share_peers

TAU = 0.3


def views(n: int, seed: int = 0) -> torch.Tensor:
    return normalise(torch.randn(2 * n, 4, generator=torch.Generator().manual_seed(seed), dtype=torch.float64))


def nll(z: torch.Tensor, i: int, j: int) -> float:
    near = [math.exp((z[i] @ z[k]).item() / TAU) for k in range(len(z))]
    return -math.log(near[j] / (sum(near) - near[i]))


def naive(z: torch.Tensor, n_pos: int, alpha: float) -> float:
    """One anchor at a time; the views of row r are numbers r and n + r."""
    n = len(z) // 2
    labelled = [i for i in range(2 * n) if i % n < n_pos]
    costs = []
    for i in range(2 * n):
        other = (i + n) % (2 * n)
        to_labelled = [nll(z, i, j) for j in labelled if j != i]
        if i in labelled:
            costs.append(sum(to_labelled) / len(to_labelled))
        elif to_labelled:
            costs.append((nll(z, i, other) + alpha * sum(to_labelled) / len(to_labelled)) / (1 + alpha))
        else:
            costs.append(nll(z, i, other))
    return sum(costs) / len(costs)


def supcon(z: torch.Tensor, classes: list[int]) -> float:
    """Khosla's loss with the mean outside the logarithm, for classes of the 2n views."""
    costs = []
    for i in range(len(z)):
        peers = [j for j in range(len(z)) if j != i and classes[j] == classes[i]]
        costs.append(sum(nll(z, i, j) for j in peers) / len(peers))
    return sum(costs) / len(costs)


@pytest.mark.parametrize("n_pos", [0, 1, 2, 4, 5])
@pytest.mark.parametrize("alpha", [0.1, 0.9])
def test_it_is_the_mean_over_anchors_of_the_stated_costs(n_pos, alpha):
    z = views(5)
    assert punce_loss(z, n_pos, alpha=alpha, temperature=TAU).item() == pytest.approx(naive(z, n_pos, alpha))


@pytest.mark.parametrize("alpha", [0.2, 0.7])
def test_it_is_supcon_of_one_class_when_all_rows_are_labelled(alpha):
    z = views(4)
    assert punce_loss(z, 4, alpha=alpha, temperature=TAU).item() == pytest.approx(supcon(z, [1] * 8))


def test_it_is_simclr_when_no_row_is_labelled():
    z = views(4)
    assert punce_loss(z, 0, alpha=0.5, temperature=TAU).item() == pytest.approx(supcon(z, [0, 1, 2, 3] * 2))


def test_an_alpha_of_zero_leaves_an_unlabelled_anchor_its_other_view_alone():
    shares = share_peers(3, 1, alpha=1e-12)
    torch.testing.assert_close(shares[1], torch.eye(6)[4])


@pytest.mark.parametrize("n_pos", range(5))
def test_every_anchor_gives_all_of_its_attention_and_none_to_itself(n_pos):
    shares = share_peers(4, n_pos, alpha=0.3)
    torch.testing.assert_close(shares.sum(1), torch.ones(8))
    assert not shares.diagonal().any()


@pytest.mark.parametrize("n_pos", [0, 2, 3])
def test_its_slope_is_right(n_pos):
    assert torch.autograd.gradcheck(
        lambda z: punce_loss(z, n_pos, alpha=0.4, temperature=TAU), views(3).requires_grad_()
    )
