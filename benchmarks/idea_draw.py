"""One draw of rows and labels, on which the ensemble as it is and every idea are fitted, on the same folds."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from trial_data import Population

from angularpu import Truth
from angularpu.algorithms.base import Algorithm
from angularpu.data.assembly import subset
from angularpu.data.prepare.preparation import Preparation, fit_preparation
from angularpu.data.sources import as_rows
from angularpu.methods.configure import make_member
from angularpu.methods.ensemble import deal_folds
from angularpu.methods.member_weights import weigh
from angularpu.methods.neural import NeuralMethod
from angularpu.metrics.evaluation import evaluate
from angularpu.nets.encoder import Encoder
from angularpu.scenario.one_sample import one_sample
from angularpu.scenario.sample import PUSample
from angularpu.train.cross_fitted import CrossFitted, Folds, FoldScores
from angularpu.train.fold_fitting import fit_folds
from angularpu.train.fold_mean import FoldMean, average
from angularpu.train.prepared_rows import prepare_rows

METRICS = ("auc", "best_f1")
VPU_MEMBER = "vpu-unbiased"


@dataclass(frozen=True, eq=False)
class Voice:
    """What a member says: of the rows of the sample out of fold, and of the test rows."""

    held: tuple[np.ndarray, np.ndarray]
    test: np.ndarray


@dataclass(eq=False)
class Draw:
    """One draw of rows and labels, with its folds and what was fitted on it."""

    sample: PUSample
    x: np.ndarray
    x_test: np.ndarray
    y_test: np.ndarray
    preparation: Preparation
    folds: Folds
    seed: int
    network: Mapping[str, Any]
    voices: dict[str, Voice] = field(default_factory=dict)

    def hear(self, name: str, cross: CrossFitted) -> tuple[FoldMean, FoldScores]:
        """Bring a cross-fitted method to the common scale and keep what it says."""
        mean, scores = average(cross)
        self.voices[name] = Voice(scores.join(self.folds), mean.score(self.x_test))
        return mean, scores

    def mix(self, names: Sequence[str]) -> np.ndarray:
        """Return the test scores of an ensemble of these members, weighed as it weighs them."""
        return self.weigh_by([self.voices[name].held for name in names], names)

    def weigh_by(self, judged: Sequence[tuple[np.ndarray, np.ndarray]], names: Sequence[str]) -> np.ndarray:
        """Return the test scores of an ensemble whose members are weighed by these out-of-fold scores."""
        return weigh(judged, self.sample).weight @ np.stack([self.voices[name].test for name in names])


def draw_labels(
    population: Population, *, labelled: int, train: int, test: int, seed: int, network: Mapping[str, Any]
) -> Draw:
    """Draw training rows, test rows and labels, and deal the folds."""
    rng = np.random.default_rng(seed)
    rows, order = as_rows(population.x), rng.permutation(len(population.y))
    learnt, kept = np.sort(order[:train]), np.sort(order[train : train + test])
    truth = Truth(population.y[learnt])
    sample, _ = one_sample(subset(rows, learnt), truth, n_labelled=labelled, rng=rng)
    preparation = fit_preparation(sample.rows)
    x, x_test = (preparation.apply(rows.take(index)) for index in (learnt, kept))
    folds, _ = deal_folds(sample, seed=seed)
    return Draw(sample, x, x_test, population.y[kept], preparation, folds, seed, network)


def measure(draw: Draw, score: np.ndarray) -> dict[str, float]:
    """Return the test AUC and the best F1 of scores of the test rows."""
    found = evaluate(Truth(draw.y_test), score.astype(np.float32), threshold=0.0)
    return {metric: found[metric] for metric in METRICS}


def cross_fit(draw: Draw, name: str) -> CrossFitted:
    """Train a member as the ensemble does."""
    member = make_member(name, draw.network, prior="bbe")
    return member.cross_fit(draw.sample, draw.preparation, folds=draw.folds, seed=draw.seed)


def cross_fit_network(draw: Draw, build: Callable[[Encoder], Algorithm]) -> CrossFitted:
    """Train an algorithm for every fold, with the encoder and the schedule of AngularPU as a member."""
    angular = make_member("angular", draw.network, prior="bbe")
    assert isinstance(angular, NeuralMethod)
    return fit_folds(
        lambda: build(angular.encoder.build_trainable(draw.preparation.out_shape)),
        draw.sample,
        draw.folds,
        prepared=prepare_rows(draw.sample.rows, draw.preparation),
        settings=angular.settings,
        seed=draw.seed,
    )
