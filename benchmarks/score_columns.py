"""Trees that get AngularPU's cross-fitted score as one more column.

Of a row of the sample the column is the score by the one network that did not learn from it; of a new row it is the
mean of all networks' scores. All scores are on the common scale of log-odds, because every network has a cosine of its
own. Embeddings cannot be columns in this way: every network has a sphere of its own.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial

import numpy as np
from idea_draw import Draw, Voice

from angularpu.data.prepare.preparation import Preparation, fit_preparation
from angularpu.data.sources import as_rows
from angularpu.methods.configure import make_member
from angularpu.methods.protocol import Member
from angularpu.scenario.sample import PUSample
from angularpu.train.cross_fitted import Folds, FoldScores
from angularpu.train.fold_mean import FoldMean, average

TREES = ("extra_trees", "gradient_boosting")


@dataclass(frozen=True, eq=False)
class TreesWithColumn:
    """Trees of all folds that know the column."""

    mean: FoldMean
    scores: FoldScores
    preparation: Preparation
    copies: int

    def score(self, x: np.ndarray, column: np.ndarray) -> np.ndarray:
        """Return the scores of prepared rows with their column."""
        return self.mean.score(self.preparation.apply(add_column(x, column, copies=self.copies)))

    def score_in_turn(self, x: np.ndarray, columns: list[np.ndarray]) -> np.ndarray:
        """Return the mean of the scores with each network's column, spread as those that the trees have learnt from."""
        return np.mean([self.score(x, column) for column in columns], axis=0)


def add_column(x: np.ndarray, column: np.ndarray, *, copies: int) -> np.ndarray:
    """Put the column beside prepared rows, as often as it is to be there."""
    return np.column_stack([x, *[column.astype(np.float32)] * copies])


def score_out_of_fold(scores: FoldScores, folds: Folds, *, n: int) -> np.ndarray:
    """Return every row's score by the model that did not learn from it, in the order of the sample's rows."""
    column = np.full(n, np.nan)
    for number in range(2):  # labelled positives, unlabelled rows
        rows = np.sort(np.concatenate([held[number] for held in folds.held]))
        column[rows] = scores.join(folds)[number]
    assert np.isfinite(column).all(), "a row was never held out"
    return column


def fit_with_column(
    member: Member, x: np.ndarray, *, column: np.ndarray, sample: PUSample, folds: Folds, seed: int, copies: int
) -> TreesWithColumn:
    """Cross-fit a member on prepared rows and the column, on the folds that the networks had."""
    rows = as_rows(add_column(x, column, copies=copies))
    preparation = fit_preparation(rows)
    cross = member.cross_fit(PUSample(rows, sample.s, sample.scenario), preparation, folds=folds, seed=seed)
    return TreesWithColumn(*average(cross), preparation, copies)


def score_by_network(networks: FoldMean, x: np.ndarray) -> list[np.ndarray]:
    """Return every network's scores of prepared rows, on the common scale."""
    pairs = zip(networks.models, networks.scales, strict=True)
    return [scale.apply(network.score(x)) for network, scale in pairs]


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
