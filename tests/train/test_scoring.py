"""Scoring: a row's score is its own."""

import numpy as np
import pytest
import torch

from angularpu.algorithms.angular import Angular
from angularpu.nets.build import build
from angularpu.train.scoring import embed_block, score_block


@pytest.fixture(params=[("mlp", (20,)), ("linear", (20,)), ("cnn13", (1, 8, 8))], ids=lambda p: p[0])
def scored(request):
    name, shape = request.param
    torch.manual_seed(0)
    x = torch.randn(300 if len(shape) == 1 else 40, *shape)
    return Angular(build(name, shape)), x


def test_a_row_scores_the_same_bytes_alone_in_a_batch_or_in_another_place(scored):
    algorithm, x = scored
    whole = score_block(algorithm, x)
    for k in (0, 7, len(x) - 1):
        assert score_block(algorithm, x[k : k + 1])[0].tobytes() == whole[k].tobytes()
    order = torch.randperm(len(x), generator=torch.Generator().manual_seed(1))
    assert score_block(algorithm, x[order]).tobytes() == whole[order.numpy()].tobytes()


def test_scoring_neither_trains_nor_drops(scored):
    algorithm, x = scored
    algorithm.train()
    before = {name: tensor.clone() for name, tensor in algorithm.state_dict().items()}
    first, second = score_block(algorithm, x), score_block(algorithm, x)
    np.testing.assert_array_equal(first, second)
    assert algorithm.training
    assert all(torch.equal(before[name], tensor) for name, tensor in algorithm.state_dict().items())


def test_embeddings_lie_on_the_sphere(scored):
    algorithm, x = scored
    np.testing.assert_allclose(np.linalg.norm(embed_block(algorithm, x), axis=1), 1, rtol=1e-5)
