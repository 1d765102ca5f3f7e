"""Knowing that U holds positives makes for right calls at the logit 0, where the naive end calls few rows positive."""

import numpy as np
import pytest

from angularpu.data.sources import as_rows
from angularpu.methods.neural import NeuralMethod
from angularpu.scenario.proportions import Proportions
from angularpu.scenario.sample import Truth
from angularpu.scenario.two_sample import two_sample
from angularpu.train.settings import Settings

ALPHA = 0.5


def draw(n: int, seed: int) -> tuple[np.ndarray, np.ndarray]:
    """Rows of two Gaussians in six columns, half of them positive, their means 2.4 deviations apart."""
    rng = np.random.default_rng(seed)
    y = (np.arange(n) < ALPHA * n).astype(np.int8)
    return rng.normal(size=(n, 6)) + y[:, None], y


@pytest.fixture(scope="module")
def judge():
    x, y = draw(600, seed=0)
    sample, _ = two_sample(as_rows(x), Truth(y), n_labelled=60, rng=np.random.default_rng(0))
    test, test_y = draw(1000, seed=1)

    def accuracy(method: str, **options) -> float:
        settings = Settings(epochs=16, batch_size=50, learning_rate=1e-3, selection="last", validation="hold-out")
        chosen = NeuralMethod(method, options=options, settings=settings)
        shares = Proportions(sample.n_pos, sample.n_unl, sample.scenario, ALPHA) if chosen.needs_prior else None
        preparation = chosen.prepare(sample.rows)
        scorer = chosen.train(sample, preparation, seed=0, shares=shares).scorer
        return float(((scorer.score(preparation.apply(test)) > 0) == test_y).mean())

    return accuracy


@pytest.fixture(scope="module")
def naive(judge):
    return judge("naive")


@pytest.mark.parametrize(
    ("method", "options"),
    [
        ("vpu", {}),
        ("pubn", {}),
        ("apu", {}),
        ("apu", {"variant": "wuu"}),
        ("apu", {"variant": "apnu"}),
        ("self_pu", {}),
    ],
)
def test_it_calls_far_more_rows_right_than_the_naive_end(judge, naive, method, options):
    assert judge(method, **options) > naive + 0.2
