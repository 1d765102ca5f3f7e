"""Gradient boosting of P against U: many small trees, each of which mends what those before it got wrong."""

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
import scipy.sparse as sp
from numpy.typing import NDArray
from sklearn.ensemble import HistGradientBoostingClassifier

from angularpu.checks import check_range, check_whole
from angularpu.classical.against_unlabelled import AgainstUnlabelled
from angularpu.classical.base import LEAST_ROWS
from angularpu.classical.base_classifier import Matrix, count_rows_in_leaf, draw_seed
from angularpu.classical.levels import coarsen
from angularpu.classical.storage.boosting import BoostedTrees
from angularpu.errors import DataError


@dataclass(frozen=True, kw_only=True, eq=False)
class GradientBoosting(AgainstUnlabelled):
    """Score a row by boosted trees of P against a draw from U, both weighing the same.

    Histogram gradient boosting on the logistic loss, with a fixed number of rounds: nothing is held out to stop early.
    The score is the sum of the trees, the log-odds. Few unlabelled rows and few columns a split keep it from learning
    by heart which rows are labelled.

    Parameters
    ----------
    rounds : int, default 100
        How many trees are added up, at least 1.
    rate : float in (0, 1], default 0.05
        By how much each of them is shrunk.
    leaves : int, default 30
        How many leaves a tree has at most, at least 2.
    columns : float in (0, 1], default 0.3
        The share of the columns, drawn anew, that a split is chosen from.
    per_positive : float, default 3.0
        How many unlabelled rows it learns from at most for each labelled positive, above 0; every fold draws others.

    Examples
    --------
    >>> rng = np.random.default_rng(0)
    >>> x = np.concatenate([rng.normal(3, 1, (200, 1)), rng.normal(-3, 1, (200, 1))]).astype(np.float32)
    >>> s = (np.arange(400) < 100).astype(np.int8)
    >>> GradientBoosting().fit(x, s, rng=rng).score(x[[0, -1]]) > 0
    array([ True, False])
    """

    rounds_by_size: ClassVar[bool] = False  # the trees are added in one order, row by row
    reads_sparse: ClassVar[bool] = False
    _made_of: ClassVar[tuple[type, ...]] = (HistGradientBoostingClassifier, BoostedTrees)

    rounds: int = 100
    rate: float = 0.05
    leaves: int = 30
    columns: float = 0.3
    per_positive: float = 3.0

    def __post_init__(self) -> None:
        check_whole("rounds", self.rounds, low=1)
        check_range("rate", self.rate, low=0, high=1, open_low=True)
        check_whole("leaves", self.leaves, low=2)
        check_range("columns", self.columns, low=0, high=1, open_low=True)
        check_range("per_positive", self.per_positive, low=0, open_low=True)

    def limit_unlabelled(self, n_pos: int) -> int:
        """Return how many unlabelled rows it learns from at most beside so many labelled positives."""
        return min(super().limit_unlabelled(n_pos), max(LEAST_ROWS, round(self.per_positive * n_pos)))

    def _tell_apart(self, x: Matrix, s: NDArray[np.int8], rng: np.random.Generator) -> tuple[Any, dict[str, float]]:
        if sp.issparse(x):
            raise DataError(
                "gradient boosting cannot read sparse rows; choose extra_trees, random_forest or logistic_regression, "
                "or pass the rows as a dense array"
            )
        booster = HistGradientBoostingClassifier(
            max_iter=self.rounds,
            learning_rate=self.rate,
            max_leaf_nodes=self.leaves,
            max_features=self.columns,
            min_samples_leaf=count_rows_in_leaf(len(s)),
            early_stopping=False,
            class_weight="balanced",
            random_state=draw_seed(rng),
        )
        return booster.fit(coarsen(x), s), {}  # weights would make the binning slow
