"""What every method of the table must do, each on two small Gaussians; a new method is tested by being in the table."""

import dataclasses
import functools
from pathlib import Path

import numpy as np
import pyarrow as pa
import pytest
import torch
from sklearn.linear_model import LogisticRegression

from angularpu.data.prepare.preparation import Preparation
from angularpu.data.sources import as_rows
from angularpu.methods.configure import classical_options, configure
from angularpu.methods.protocol import Outcome
from angularpu.methods.table import METHODS
from angularpu.metrics.ranking import auc
from angularpu.scenario.one_sample import one_sample
from angularpu.scenario.proportions import Proportions
from angularpu.scenario.sample import PUSample, Truth

LEGACY = np.random.mtrand._rand  # what np.random.seed seeds
ALPHA = 0.4
ONCE = {"selection": "last", "validation": "hold-out", "device": "cpu"}  # few positives: one training, on all rows
COUNTS = ("complement_nb",)  # takes sparse rows only: tests/classical/test_complement_nb.py
CERTAIN = ("logistic_regression",)  # nothing in the last fit is drawn, at most its penalty
HONEST = [name for name, card in METHODS.items() if not card.oracle and name not in COUNTS]
NEURAL = [name for name in HONEST if METHODS[name].is_neural]
FEW = {"bagging": {"rounds": 3}, "extra_trees": {"trees": 20}, "random_forest": {"trees": 20}}
every_method = pytest.mark.parametrize("method", HONEST)
every_network = pytest.mark.parametrize("method", NEURAL)


@dataclasses.dataclass
class Model:
    """A trained method and how it prepares rows."""

    preparation: Preparation
    outcome: Outcome

    def score(self, x: np.ndarray) -> np.ndarray:
        return self.outcome.scorer.score(self.preparation.apply(x))

    def embed(self, x: np.ndarray) -> np.ndarray:
        return self.outcome.scorer.embed(self.preparation.apply(x))


def draw(n: int, seed: int) -> tuple[np.ndarray, Truth]:
    """Rows of two Gaussians in four columns, their means four deviations apart, and which is which."""
    rng = np.random.default_rng(seed)
    y = (rng.random(n) < 0.5).astype(np.int8)
    return rng.normal(size=(n, 4)) + 2.0 * y[:, None], Truth(y)


def draw_sample(labels: int = 0) -> tuple[PUSample, Truth]:
    x, truth = draw(240, seed=0)
    return one_sample(as_rows(x), truth, n_labelled=40, rng=np.random.default_rng(labels))


def around(method: str) -> dict[str, object]:
    """Options by which a method around a classifier, or an ensemble, is quick."""
    if METHODS[method].kind == "ensemble":
        return {"members": ["angular", "logistic_regression"], "epochs": 3, "device": "cpu"}
    base = {"base": LogisticRegression()} if "base" in classical_options(method) else {}
    return {**base, **FEW.get(method, {})}


def fit(method: str, sample: PUSample, *, seed: int = 0, keep: Path | None = None, report=None, **settings) -> Model:
    quick = {"epochs": 3, "batch_size": 32, "learning_rate": 1e-3, **ONCE, **settings}
    chosen = configure(method=method, options=quick if method in NEURAL else around(method))
    shares = Proportions(sample.n_pos, sample.n_unl, sample.scenario, ALPHA) if chosen.needs_prior else None
    preparation = chosen.prepare(sample.rows)
    outcome = chosen.train(sample, preparation, seed=seed, shares=shares, checkpoint_dir=keep, report=report)
    return Model(preparation, outcome)


@functools.cache
def fit_once(method: str) -> Model:
    """Return the model of the standard sample, made once for all tests that only look at it."""
    return fit(method, draw_sample()[0])


def scores(model: Model) -> bytes:
    return model.score(draw(100, seed=1)[0]).tobytes()


class KilledError(Exception):
    """Stands for the moment a process dies."""


def die_after(reports: int):
    left = [reports]

    def report(done: int, total: int, text: str) -> None:
        left[0] -= 1
        if left[0] < 0:
            raise KilledError

    return report


@every_method
def test_it_ranks_new_positives_above_new_negatives(method):
    x, truth = draw(400, seed=1)
    score = fit(method, draw_sample()[0], epochs=5).score(x)
    assert score.dtype == np.float32
    assert np.isfinite(score).all()
    assert auc(score[truth.y == 1], score[truth.y == 0]) > 0.95


@every_network
def test_its_history_and_embeddings_are_finite(method):
    model = fit_once(method)
    history = model.outcome.history
    phases = list(dict.fromkeys(entry["phase"] for entry in history))
    assert len(history) == 3
    for phase in phases:
        epochs = [entry["epoch"] for entry in history if entry["phase"] == phase]
        assert epochs == list(range(1, len(epochs) + 1))
    numbers = [value for entry in history for value in entry.values() if isinstance(value, float)]
    assert np.isfinite(numbers).all()
    embedding = model.embed(draw(10, seed=1)[0])
    assert embedding.shape == (10, 128)
    assert np.isfinite(embedding).all()


@every_method
def test_one_seed_gives_one_model_and_another_seed_another(method):
    sample, _ = draw_sample()
    one = scores(fit_once(method))
    assert scores(fit(method, sample)) == one
    assert scores(fit(method, sample, seed=1)) != one or method in CERTAIN


@every_method
def test_equal_values_in_float32_float64_and_a_frame_give_equal_models_and_scores(method):
    sample, _ = draw_sample()
    single = (sample.rows.take(np.arange(len(sample.s))) * [1, 10, 0.1, 3] + [0, 100, 5, -40]).astype(np.float32)
    sources = single, single.astype(np.float64), pa.table({f"c{i}": single[:, i] for i in range(4)})
    models = [fit(method, dataclasses.replace(sample, rows=as_rows(source))) for source in sources]
    assert len({model.score(source).tobytes() for model in models for source in sources}) == 1
    assert len({held.tobytes() for model in models for held in [model.outcome.held.score_pos]}) == 1


@every_method
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


@every_method
def test_it_never_sees_the_truth(method):
    sample, truth = draw_sample()
    assert {field.name for field in dataclasses.fields(sample)} == {
        "rows",
        "s",
        "scenario",
        "reviews",
    }  # what a person said
    honest = scores(fit_once(method))
    truth.y[:] = 1 - truth.y
    assert scores(fit(method, sample)) == honest
    # whereas other labels on the same rows do change the scores
    assert scores(fit(method, draw_sample(labels=1)[0])) != honest


@every_network
def test_a_single_positive_or_a_single_unlabelled_row_is_enough_to_train(method):
    sample, _ = draw_sample()
    for pos, unl in [(1, 20), (20, 1), (1, 1)]:
        few = sample.take(np.concatenate([sample.pos[:pos], sample.unl[:unl]]))
        assert np.isfinite(fit(method, few).score(draw(10, seed=1)[0])).all()


@every_network
@pytest.mark.parametrize("reports", [0, 1])
def test_a_run_that_died_goes_on_and_ends_as_if_it_had_not(method, tmp_path, reports):
    sample, _ = draw_sample()
    whole = fit_once(method)
    with pytest.raises(KilledError):
        fit(method, sample, keep=tmp_path / "part", report=die_after(reports))
    resumed = fit(method, sample, keep=tmp_path / "part")
    assert resumed.outcome.history == whole.outcome.history
    assert scores(resumed) == scores(whole)


@every_network
def test_what_only_training_needs_is_not_in_the_shipped_model(method):
    algorithm = fit_once(method).outcome.scorer.algorithm
    assert not [name for name in algorithm.state_dict() if name.startswith("scaffold")]
