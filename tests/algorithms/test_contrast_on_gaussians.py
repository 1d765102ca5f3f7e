"""The methods of two stages or of contrast against naive, on two Gaussians; and on images, through a convolution."""

import numpy as np
import pytest

from angularpu.data.prepare.preparation import fit_preparation
from angularpu.data.sources import as_rows
from angularpu.methods.table import find_method
from angularpu.nets.build import build
from angularpu.scenario.one_sample import one_sample
from angularpu.scenario.sample import Truth
from angularpu.train.fitting import fit
from angularpu.train.prepared_rows import prepare_rows
from angularpu.train.settings import Settings

METHODS = ["dense_pu", "punce", "pico", "wconpu"]
ALPHA = 0.44


def train(method: str, x: np.ndarray, y: np.ndarray, *, n_labelled: int, encoder: str = "mlp", **settings):
    """Train a method and return what scores new rows."""
    once = {"selection": "last", "validation": "hold-out"}  # few positives: one training, on all rows
    quick = {"epochs": 12, "batch_size": 64, "learning_rate": 1e-3, "device": "cpu", **once, **settings}
    sample, _ = one_sample(as_rows(x), Truth(y), n_labelled=n_labelled, rng=np.random.default_rng(0))
    card, preparation = find_method(method), fit_preparation(sample.rows)
    share = {"alpha": ALPHA} if "prior" in card.traits else {}
    scorer = fit(
        lambda: card.load()(build(encoder, preparation.out_shape), **share),
        sample,
        prepared=prepare_rows(sample.rows, preparation),
        settings=Settings(**quick),
        seed=0,
    ).scorer
    return lambda new: scorer.score(preparation.apply(new))


def draw(n: int, seed: int) -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(seed)
    y = (rng.random(n) < 0.5).astype(np.int8)
    return rng.normal(size=(n, 6)) + 1.3 * y[:, None], y


def accuracy(method: str) -> float:
    x, y = draw(600, seed=1)
    return float(np.mean((train(method, *draw(600, seed=0), n_labelled=60)(x) > 0) == y))


@pytest.fixture(scope="module")
def naive() -> float:
    return accuracy("naive")


@pytest.mark.parametrize("method", METHODS)
def test_more_rows_fall_on_the_right_side_of_zero_than_naive_has(method, naive):
    assert accuracy(method) > max(naive + 0.05, 0.8)


@pytest.mark.parametrize("method", METHODS)
def test_images_train_through_convolutions(method):
    rng = np.random.default_rng(0)
    y = (np.arange(40) % 2).astype(np.int8)
    x = rng.random((40, 3, 9, 11)).astype(np.float32) * 0.5 + 0.5 * y[:, None, None, None]
    score = train(method, x, y, n_labelled=10, encoder="cnn13", epochs=2, batch_size=20)(x)
    assert np.isfinite(score).all()
    assert np.ptp(score) > 0
