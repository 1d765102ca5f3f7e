"""PUSB: nnPU with the logistic loss, whose order holds when labels favour clear positives."""

import numpy as np
import torch

from angularpu.algorithms.nnpu import NNPU
from angularpu.algorithms.pusb import PUSB
from angularpu.methods.neural import NeuralMethod
from angularpu.metrics.ranking import auc
from angularpu.scenario.proportions import Proportions
from angularpu.scenario.sample import make_sample
from angularpu.train.settings import Settings


def test_its_step_is_that_of_nnpu_with_the_logistic_loss(linear, drawn_batch, gradcheck):
    algorithm, other = PUSB(linear(), alpha=0.3).double(), NNPU(linear(), alpha=0.3, loss="logistic").double()
    other.load_state_dict(algorithm.state_dict())
    step, expected = algorithm.step(drawn_batch(3, 5)), other.step(drawn_batch(3, 5))
    assert (step.loss, step.objective) == (expected.loss, expected.objective)
    assert gradcheck(algorithm, drawn_batch(3, 5))


def test_the_quantile_of_u_decides_well_where_labels_went_to_clear_positives():
    rng = np.random.default_rng(0)
    pos, unl = rng.normal(1.5, 1, (3000, 4)), np.concatenate([rng.normal(1.5, 1, (400, 4)), rng.normal(0, 1, (400, 4))])
    lean = 1 / (1 + np.exp(-pos.sum(1) + 6))  # grows with the chance of being positive
    pos = pos[rng.random(3000) < lean / lean.max()][:350]
    x, y = np.concatenate([pos, unl]), np.repeat([1, 0], 400)
    sample = make_sample(x, np.arange(len(x)) < len(pos), scenario="two-sample")
    method = NeuralMethod("pusb", settings=Settings(epochs=8, learning_rate=1e-3))
    preparation = method.prepare(sample.rows)
    shares = Proportions(sample.n_pos, sample.n_unl, "two-sample", alpha=0.5)
    score = method.train(sample, preparation, seed=0, shares=shares).scorer.score(preparation.apply(unl))
    assert auc(score[y == 1], score[y == 0]) > 0.95
    by_quantile = np.mean((score > np.quantile(score, 0.5)) == y)
    assert by_quantile > 0.9
    assert by_quantile > np.mean((score > 0) == y)  # the logit itself is biased by the labels
    assert torch.isfinite(torch.from_numpy(score)).all()
