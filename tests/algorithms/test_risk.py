"""Knowing the prior pays: the sign of the logit is right more often than that of the naive end."""

import numpy as np
import pytest

from angularpu.methods.neural import NeuralMethod
from angularpu.scenario.proportions import Proportions
from angularpu.scenario.sample import make_sample
from angularpu.train.settings import Settings


def measure_accuracy(name: str) -> float:
    """Train on two Gaussians in six columns, half of U positive, and call U's rows by the sign of the logit."""
    rng = np.random.default_rng(0)
    y = np.concatenate([np.ones(400), np.arange(800) < 400])
    x = rng.normal(size=(1200, 6)) + 1.2 * y[:, None]
    sample = make_sample(x, np.arange(1200) < 400, scenario="two-sample")
    method = NeuralMethod(name, settings=Settings(epochs=6, learning_rate=1e-3, refit=True))
    shares = Proportions(400, 800, "two-sample", alpha=0.5) if method.needs_prior else None
    preparation = method.prepare(sample.rows)
    scorer = method.train(sample, preparation, seed=0, shares=shares).scorer
    return float(np.mean((scorer.score(preparation.apply(x[400:])) > 0) == (y[400:] == 1)))


@pytest.fixture(scope="module")
def naive() -> float:
    return measure_accuracy("naive")


@pytest.mark.parametrize("name", ["upu", "nnpu", "imbpu", "pusb", "dist_pu", "tedn"])
def test_it_calls_more_rows_right_than_the_naive_end(name, naive):
    assert measure_accuracy(name) > max(0.8, naive + 0.15)  # at best 0.93
