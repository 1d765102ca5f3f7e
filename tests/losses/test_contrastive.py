"""The contrastive loss against loops, and its slope."""

import math

import pytest
import torch

from angularpu.losses.contrastive import contrastive_loss, leave_out


def drawn(*shape: int, seed: int = 0) -> torch.Tensor:
    return torch.randn(shape, generator=torch.Generator().manual_seed(seed), dtype=torch.float64)


def test_it_is_the_weighted_mean_of_the_pairs_costs():
    logits, weights = drawn(3, 5), drawn(3, 5, seed=1).abs()
    weights[:, 2] = 0
    peers = torch.softmax(drawn(3, 5, seed=2), dim=1)
    found = contrastive_loss(logits, peers, log_weights=weights.log())
    for i in range(3):
        below = sum(weights[i, k].item() * math.exp(logits[i, k].item()) for k in range(5))
        costs = [peers[i, j].item() * -math.log(math.exp(logits[i, j].item()) / below) for j in range(5)]
        assert found[i].item() == pytest.approx(sum(costs))


def test_without_weights_all_candidates_count_alike():
    logits, peers = drawn(2, 4), torch.full((2, 4), 0.25, dtype=torch.float64)
    torch.testing.assert_close(contrastive_loss(logits, peers), -torch.log_softmax(logits, dim=1).mean(1))


def test_large_similarities_neither_overflow_nor_vanish():
    logits = torch.tensor([[1000.0, -1000.0]])
    assert contrastive_loss(logits, torch.tensor([[1.0, 0.0]])).item() == 0
    assert contrastive_loss(logits, torch.tensor([[0.0, 1.0]])).item() == 2000


def test_its_slope_is_right_with_candidates_left_out():
    out = leave_out(torch.eye(3, 5, dtype=torch.bool)).double()
    peers = torch.full((3, 5), 0.25, dtype=torch.float64).fill_diagonal_(0)
    assert torch.autograd.gradcheck(
        lambda logits: contrastive_loss(logits, peers, log_weights=out), drawn(3, 5).requires_grad_()
    )
