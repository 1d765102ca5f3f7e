"""What every method of the table must do, each on two small Gaussians; a new method is tested by being in the table."""

import dataclasses

import numpy as np
import pytest
import torch

from angularpu.data.sources import as_rows
from angularpu.methods import METHODS
from angularpu.metrics.ranking import auc
from angularpu.neural import Fitted, NeuralMethod
from angularpu.scenario.one_sample import one_sample
from angularpu.scenario.sample import PUSample, Truth
from angularpu.train.settings import Settings

LEGACY = np.random.mtrand._rand  # what np.random.seed seeds
pytestmark = pytest.mark.parametrize("method", METHODS)


def draw(n: int, seed: int) -> tuple[np.ndarray, Truth]:
    """Rows of two Gaussians in four columns, their means four deviations apart, and which is which."""
    rng = np.random.default_rng(seed)
    y = (rng.random(n) < 0.5).astype(np.int8)
    return rng.normal(size=(n, 4)) + 2.0 * y[:, None], Truth(y)


def draw_sample(labels: int = 0) -> tuple[PUSample, Truth]:
    x, truth = draw(240, seed=0)
    return one_sample(as_rows(x), truth, n_labelled=40, rng=np.random.default_rng(labels))


def fit(method: str, sample: PUSample, *, seed: int = 0, **settings) -> Fitted:
    quick = {"epochs": 3, "batch_size": 32, "learning_rate": 1e-3, "selection": "last", "device": "cpu", **settings}
    return NeuralMethod(method, settings=Settings(**quick)).fit(sample, seed=seed)


def scores(fitted: Fitted) -> bytes:
    return fitted.score(as_rows(draw(100, seed=1)[0])).tobytes()


def test_it_ranks_new_positives_above_new_negatives(method):
    x, truth = draw(400, seed=1)
    score = fit(method, draw_sample()[0], epochs=5, selection="pu-auc").score(as_rows(x))
    assert score.dtype == np.float32
    assert np.isfinite(score).all()
    assert auc(score[truth.y == 1], score[truth.y == 0]) > 0.95


def test_its_history_and_embeddings_are_finite(method):
    fitted = fit(method, draw_sample()[0])
    assert [entry["epoch"] for entry in fitted.history] == [1, 2, 3]
    numbers = [value for entry in fitted.history for value in entry.values() if isinstance(value, float)]
    assert np.isfinite(numbers).all()
    embedding = fitted.embed(as_rows(draw(10, seed=1)[0]))
    assert embedding.shape == (10, 128)
    assert np.isfinite(embedding).all()


def test_one_seed_gives_one_model_and_another_seed_another(method):
    sample, _ = draw_sample()
    one = scores(fit(method, sample))
    assert scores(fit(method, sample)) == one
    assert scores(fit(method, sample, seed=1)) != one


def test_the_global_generators_neither_matter_nor_move(method):
    sample, _ = draw_sample()
    results, kept = [], LEGACY.get_state()
    with torch.random.fork_rng():
        for seed in (1, 2):
            torch.manual_seed(seed)
            LEGACY.seed(seed)
            before = torch.get_rng_state(), LEGACY.get_state()[1].copy()
            results.append(scores(fit(method, sample)))
            assert torch.equal(torch.get_rng_state(), before[0])
            assert (LEGACY.get_state()[1] == before[1]).all()
    LEGACY.set_state(kept)
    assert results[0] == results[1]


def test_it_never_sees_the_truth(method):
    sample, truth = draw_sample()
    assert {field.name for field in dataclasses.fields(sample)} == {"rows", "s", "scenario"}
    honest = scores(fit(method, sample))
    truth.y[:] = 1 - truth.y
    assert scores(fit(method, sample)) == honest
    # whereas other labels on the same rows do change the scores
    assert scores(fit(method, draw_sample(labels=1)[0])) != honest


def test_a_single_positive_or_a_single_unlabelled_row_is_enough_to_train(method):
    sample, _ = draw_sample()
    for pos, unl in [(1, 20), (20, 1), (1, 1)]:
        few = sample.take(np.concatenate([sample.pos[:pos], sample.unl[:unl]]))
        assert np.isfinite(fit(method, few).score(sample.rows)).all()
