"""Hard negatives by loops."""

import math

import numpy as np
import pytest
import torch

from angularpu.geometry.sphere import normalise
from angularpu.losses.hard_negatives import LEAST_DISSIMILARITY, find_hard, weigh


def test_the_nearest_quarter_of_the_other_kind_is_hard():
    generator = torch.Generator().manual_seed(0)
    q, k = (normalise(torch.randn(n, 6, generator=generator)) for n in (4, 37))
    other = torch.rand(4, 37, generator=generator) < 0.6
    hard = find_hard(q @ k.T, other=other)
    for i in range(4):
        distance = ((q[i] - k) ** 2).sum(1).numpy() / 4
        cut = np.quantile(distance[other[i].numpy()], 0.25)
        # rounding decides at the quartile itself
        clear = np.abs(distance - cut) > 1e-6
        expected = other[i].numpy() & (distance <= cut)
        assert (hard[i].numpy() == expected)[clear].all()
        assert hard[i].sum() > 0


def test_a_query_without_keys_of_the_other_kind_has_no_hard_ones():
    assert not find_hard(torch.zeros(2, 3), other=torch.zeros(2, 3, dtype=torch.bool)).any()


def test_a_hard_negative_weighs_one_over_its_distance_and_a_peer_one():
    weights = weigh(
        torch.tensor([[0.5, 0.5, 0.5, 1.0]]),
        torch.tensor([[True, False, False, False]]),
        hard=torch.tensor([[True, True, False, True]]),
    ).exp()
    assert weights[0].tolist() == pytest.approx([1, 4, 0, 1 / LEAST_DISSIMILARITY], rel=1e-5)
    assert math.isfinite(weights.max())
