"""One draw of labels, on which the ensemble as it is and every idea are fitted, on the same folds."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any

import numpy as np
from joint_networks import OneHead, TwoHeads
from prototypes import Balanced, SoftMaximum
from score_columns import TreesWithColumn, fit_with_column, score_by_network, score_out_of_fold
from trial_data import Population

from angularpu import Truth
from angularpu.algorithms.angular import Angular
from angularpu.algorithms.base import Algorithm
from angularpu.data.assembly import subset
from angularpu.data.prepare.preparation import Preparation, fit_preparation
from angularpu.data.sources import as_rows
from angularpu.methods.configure import configure, make_member
from angularpu.methods.ensemble import EnsembleMethod, deal_folds
from angularpu.methods.member_weights import weigh
from angularpu.methods.neural import NeuralMethod
from angularpu.metrics.evaluation import evaluate
from angularpu.nets.encoder import Encoder
from angularpu.scenario.one_sample import one_sample
from angularpu.scenario.sample import PUSample
from angularpu.train.cross_fitted import CrossFitted, Folds, FoldScores, join
from angularpu.train.fold_fitting import fit_folds
from angularpu.train.fold_mean import FoldMean, average, fit_scale
from angularpu.train.prepared_rows import prepare_rows

TREES = ("extra_trees", "gradient_boosting")
VPU = "vpu-unbiased"
JOINT = {"one head": OneHead, "two heads": TwoHeads}
PROTOTYPES = {"one prototype": Angular, "soft maximum": SoftMaximum, "balanced": Balanced}
METRICS = ("auc", "best_f1")


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


def score_ideas(draw: Draw) -> Iterator[tuple[str, np.ndarray]]:
    """Yield the test scores of the ensemble as it is, then those of the three ideas."""
    ensemble = configure(method="ensemble", options=draw.network)
    assert isinstance(ensemble, EnsembleMethod)
    members = list(ensemble.choose_members(draw.sample.rows, draw.preparation))
    cross = {name: cross_fit(draw, name) for name in dict.fromkeys([*members, VPU])}
    fitted = {name: draw.hear(name, each) for name, each in cross.items()}
    yield "ensemble", draw.mix(members)
    yield from add_columns(draw, members, *fitted["angular"])
    yield from join_losses(draw, members)
    yield "weights, unchosen", draw.weigh_by([judge_unchosen(cross[name], draw.folds) for name in members], members)
    yield "equal weights", np.mean([draw.voices[name].test for name in members], axis=0)


def cross_fit(draw: Draw, name: str) -> CrossFitted:
    """Train a member as the ensemble does."""
    member = make_member(name, draw.network, prior="bbe")
    return member.cross_fit(draw.sample, draw.preparation, folds=draw.folds, seed=draw.seed)


def judge_unchosen(cross: CrossFitted, folds: Folds) -> tuple[np.ndarray, np.ndarray]:
    """Return out-of-fold scores of epochs that other folds chose, on the common scale."""
    held = []
    for pos, unl in cross.unchosen:
        scale = fit_scale(pos, unl)
        held.append((scale.apply(pos), scale.apply(unl)))
    return join(held, folds)


def add_columns(
    draw: Draw, members: Sequence[str], networks: FoldMean, scores: FoldScores
) -> Iterator[tuple[str, np.ndarray]]:
    """Yield extra trees alone and the ensemble, with AngularPU's score among the columns of the trees."""
    out_of_fold = score_out_of_fold(scores, draw.folds, n=len(draw.sample.s))
    by_network = score_by_network(networks, draw.x_test)
    mean = np.mean(by_network, axis=0)
    yield "extra trees", draw.voices["extra_trees"].test
    for kind, copies in (("column", 1), ("columns", round(draw.x.shape[1] ** 0.5))):
        trees: dict[str, TreesWithColumn] = {}
        for name in (name for name in members if name in TREES):
            member = make_member(name, {}, prior="bbe")
            add = partial(fit_with_column, member, draw.x, sample=draw.sample, folds=draw.folds, seed=draw.seed)
            trees[name] = add(column=out_of_fold, copies=copies)
        hear_trees(draw, trees, {name: each.score(draw.x_test, mean) for name, each in trees.items()})
        yield from score_with_trees(draw, members, kind)
        if copies == 1:
            in_turn = {name: each.score_in_turn(draw.x_test, by_network) for name, each in trees.items()}
            hear_trees(draw, trees, in_turn)
            yield from score_with_trees(draw, members, "in turn")


def hear_trees(draw: Draw, trees: Mapping[str, TreesWithColumn], test: Mapping[str, np.ndarray]) -> None:
    """Keep what trees with a column say, given their scores of the test rows."""
    for name, each in trees.items():
        draw.voices[f"{name} with column"] = Voice(each.scores.join(draw.folds), test[name])


def score_with_trees(draw: Draw, members: Sequence[str], kind: str) -> Iterator[tuple[str, np.ndarray]]:
    """Yield extra trees with their column, and the ensemble that has such trees."""
    yield f"extra trees, {kind}", draw.voices["extra_trees with column"].test
    yield f"ensemble, {kind}", draw.mix([f"{name} with column" if name in TREES else name for name in members])


def join_losses(draw: Draw, members: Sequence[str]) -> Iterator[tuple[str, np.ndarray]]:
    """Yield AngularPU, VPU, their mean, both forms of one network for both, and ensembles with such a network."""
    yield "AngularPU", draw.voices["angular"].test
    yield "VPU", draw.voices[VPU].test
    yield "mean of both", (draw.voices["angular"].test + draw.voices[VPU].test) / 2
    for name, build in JOINT.items():
        draw.hear(name, cross_fit_network(draw, build))
        yield name, draw.voices[name].test
        yield f"ensemble, {name}", draw.mix([name if each == "angular" else each for each in members])


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


def score_prototypes(draw: Draw) -> Iterator[tuple[str, np.ndarray]]:
    """Yield the test scores of AngularPU with one prototype, and with three in two forms."""
    for name, build in PROTOTYPES.items():
        draw.hear(name, cross_fit_network(draw, build))
        yield name, draw.voices[name].test
