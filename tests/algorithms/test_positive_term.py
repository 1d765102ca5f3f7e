"""The positive term over the batches of an epoch: what "unbiased" means, and that "batch" is not."""

import numpy as np
import pytest
import torch

from angularpu.algorithms.angular import Angular
from angularpu.algorithms.base import PUBatch
from angularpu.algorithms.euclidean import Euclidean
from angularpu.losses.logistic import logistic_loss
from angularpu.train.batches import MixedBatches

X = torch.randn(100, 5, generator=torch.Generator().manual_seed(0), dtype=torch.float64)


def terms(algorithm, batches: MixedBatches, epoch: int) -> list[float]:
    """The positive term of each batch of an epoch, as the loop makes them; nothing where a batch has none."""
    plan, found = batches.epoch(epoch), []
    for b in range(batches.count):
        index = torch.from_numpy(plan.order[plan.bounds[b] : plan.bounds[b + 1]])
        batch = PUBatch(X[index], plan.n_pos[b], index, batches.positive_weight, 0.0, torch.Generator(), "train")
        found.append(algorithm.step(batch).terms.get("positive"))
    return [term.item() for term in found if term is not None]


def mixed(n_pos: int, batch_size: int) -> MixedBatches:
    return MixedBatches(np.arange(n_pos), np.arange(n_pos, 100), batch_size=batch_size, seed=(0,))


@pytest.mark.parametrize(("n_pos", "batch_size"), [(7, 10), (1, 10), (33, 10), (50, 64), (99, 30)])
@pytest.mark.parametrize("epoch", [0, 1])
def test_the_mean_over_an_epochs_batches_is_the_mean_over_all_positives(linear, n_pos, batch_size, epoch):
    angular, euclidean = Angular(linear()).double(), Euclidean(linear()).double()
    batches = mixed(n_pos, batch_size)
    for algorithm, losses in [
        (angular, -angular.score(X[:n_pos])),
        (euclidean, logistic_loss(euclidean.score(X[:n_pos]), 1)),
    ]:
        found = terms(algorithm, batches, epoch)
        assert len(found) == batches.count
        assert np.mean(found) == pytest.approx(losses.mean().item())


def test_the_mean_slope_over_an_epochs_batches_is_that_of_all_positives(linear):
    algorithm, batches = Angular(linear(), weight=None, lambda_=0.0).double(), mixed(7, 10)
    plan = batches.epoch(0)
    slopes = []
    for b in range(batches.count):
        index = torch.from_numpy(plan.order[plan.bounds[b] : plan.bounds[b + 1]])
        batch = PUBatch(X[index], plan.n_pos[b], index, batches.positive_weight, 0.0, torch.Generator(), "train")
        slopes += torch.autograd.grad(algorithm.step(batch).terms["positive"], algorithm.mu)
    (whole,) = torch.autograd.grad(-algorithm.score(X[:7]).mean(), algorithm.mu)
    torch.testing.assert_close(torch.stack(slopes).mean(0), whole)


def test_the_mean_of_each_batch_loses_the_weight_of_the_batches_without_positives(linear):
    angular, euclidean = (kind(linear(), positives="batch").double() for kind in (Angular, Euclidean))
    batches = mixed(7, 10)
    for algorithm, losses in [
        (angular, -angular.score(X[:7])),
        (euclidean, logistic_loss(euclidean.score(X[:7]), 1)),
    ]:
        found = terms(algorithm, batches, 0)
        assert (len(found), batches.count) == (7, 10)
        assert np.sum(found) / batches.count == pytest.approx(0.7 * losses.mean().item())


def test_the_mean_of_each_batch_favours_positives_that_have_little_company(linear):
    algorithm, batches = Angular(linear(), positives="batch").double(), mixed(33, 10)
    assert np.mean(terms(algorithm, batches, 0)) != pytest.approx(-algorithm.score(X[:33]).mean().item())
