"""The state of prototype contrast: queue, slow copies, prototypes, beliefs."""

import pytest
import torch

from angularpu.algorithms.momentum_pair import EMPTY, KEY_MOMENTUM, MomentumPair, Seen, move_prototypes
from angularpu.algorithms.projector import WIDTH
from angularpu.algorithms.threshold_pair import ThresholdPair
from angularpu.geometry.sphere import normalise


def directions(n: int, seed: int = 0) -> torch.Tensor:
    return normalise(torch.randn(n, WIDTH, generator=torch.Generator().manual_seed(seed), dtype=torch.float64))


def seen(index: list[int], *, marks: list[int], seed: int = 0, belief: float = 0.5) -> Seen:
    q, k = directions(len(index), seed), directions(len(index), seed + 100)
    numbers = torch.tensor(marks)
    return Seen(torch.tensor(index), q, k, labels=numbers % 2, marks=numbers, beliefs=torch.full((len(index),), belief))


@pytest.fixture
def make(linear):
    return lambda *, n_rows=10, queue=5: MomentumPair(linear(), n_rows=n_rows, queue=queue, belief=0.3).double()


def test_the_queue_forgets_the_oldest_first(make, linear):
    pair = make()
    first, second = seen([0, 1, 2], marks=[1, 0, 1]), seen([3, 4, 5, 6], marks=[0, 0, 1, 1], seed=1)
    pair.update_from(first, linear(), momentum=0.9)
    assert pair.marks.tolist() == [1, 0, 1, EMPTY, EMPTY]
    pair.update_from(second, linear(), momentum=0.9)
    assert pair.marks.tolist() == [1, 1, 1, 0, 0]
    torch.testing.assert_close(pair.keys, torch.cat([second.k[2:], first.k[2:], second.k[:2]]))


def test_a_batch_larger_than_the_queue_leaves_its_last_keys(make, linear):
    pair, batch = make(queue=3), seen([0, 1, 2, 3, 4], marks=[0, 0, 1, 0, 1])
    pair.update_from(batch, linear(), momentum=0.9)
    assert sorted(pair.marks.tolist()) == [0, 1, 1]
    torch.testing.assert_close(pair.keys, batch.k[-3:])


def test_the_queue_is_never_longer_than_there_are_rows(make):
    assert len(make(n_rows=4, queue=1000).keys) == 4


def test_the_slow_copies_follow_without_a_slope_of_their_own(make, linear):
    pair, fast = make(), linear(seed=7)
    old = [p.clone() for p in pair.key_encoder.parameters()]
    pair.update_from(seen([0], marks=[1]), fast, momentum=0.9)
    for before, now, target in zip(old, pair.key_encoder.parameters(), fast.parameters(), strict=True):
        torch.testing.assert_close(now, KEY_MOMENTUM * before + (1 - KEY_MOMENTUM) * target)
    parts = [*pair.key_encoder.parameters(), *pair.key_projector.parameters()]
    assert not any(p.requires_grad for p in parts)
    assert all(p.requires_grad for p in pair.projector.parameters())
    x = torch.randn(3, 5, dtype=torch.float64)
    assert not pair.make_keys(x).requires_grad
    torch.testing.assert_close(pair.make_keys(x).norm(dim=1), torch.ones(3, dtype=torch.float64))


def test_prototypes_move_row_by_row():
    start, q, labels = directions(2, seed=5), directions(6), torch.tensor([0, 1, 1, 0, 0, 1])
    expected = start.clone()
    for row, label in zip(q, labels.tolist(), strict=True):
        expected[label] = 0.9 * expected[label] + 0.1 * row
    torch.testing.assert_close(move_prototypes(start, q, labels=labels, momentum=0.9), normalise(expected))


def test_a_class_without_rows_keeps_its_prototype():
    start = directions(2, seed=5)
    moved = move_prototypes(start, directions(3), labels=torch.zeros(3, dtype=torch.long), momentum=0.9)
    torch.testing.assert_close(moved[1], start[1])


def test_beliefs_move_to_the_nearest_prototype_once_the_first_epoch_is_over(make):
    pair, index = make(), torch.tensor([7, 2, 4])
    pair.prototypes.copy_(directions(2))
    q = torch.stack([pair.prototypes[0], pair.prototypes[0], pair.prototypes[1]])
    assert pair.revise(index, q, n_pos=1, keep=0.9).tolist() == pytest.approx([1, 0.3, 0.3])
    pair.started.fill_(1)
    assert pair.revise(index, q, n_pos=1, keep=0.9).tolist() == pytest.approx([1, 0.27, 0.37])
    assert pair.beliefs[index].tolist() == pytest.approx([0.3] * 3)  # nothing is kept before the update


def test_candidates_are_marked_in_the_order_queries_keys_queue(make, linear):
    pair = make(queue=3)
    pair.update_from(seen([0], marks=[1]), linear(), momentum=0.9)
    assert pair.find_own(2).int().tolist() == [[0, 0, 1, 0, 0, 0, 0], [0, 0, 0, 1, 0, 0, 0]]
    assert pair.find_excluded(2).int().tolist() == [[1, 0, 0, 0, 0, 1, 1], [0, 1, 0, 0, 0, 1, 1]]


def test_thresholds_follow_confidence_and_the_shares_of_the_classes(linear):
    pair = ThresholdPair(linear(), n_rows=4, queue=4, belief=0.3)
    assert pair.thresholds().tolist() == [0.5, 0.5]
    pair.adapt(torch.tensor([0.9, 0.2]))
    confidence, positive = 0.999 * 0.5 + 0.001 * 0.85, 0.999 * 0.5 + 0.001 * 0.55
    expected = [(1 - positive) / positive * confidence, confidence]
    assert pair.thresholds().tolist() == pytest.approx(expected, rel=1e-5)
    pair.adapt(torch.empty(0))
    assert pair.thresholds().tolist() == pytest.approx(expected, rel=1e-5)
