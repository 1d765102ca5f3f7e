"""What extra trees and random forests share: many trees of P against U, whose votes are averaged."""

from abc import abstractmethod
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from angularpu.checks import check_whole
from angularpu.classical.against_unlabelled import AgainstUnlabelled
from angularpu.classical.base import Learnt
from angularpu.classical.base_classifier import Matrix, compute_probability, draw_seed, to_log_odds
from angularpu.classical.storage.trees import TreeVotes, take_votes
from angularpu.errors import ModelError

HALF_A_VOTE = 0.5


@dataclass(frozen=True, kw_only=True, eq=False)
class Forest(AgainstUnlabelled):
    """Score a row by the mean over trees of P against U.

    Every tree grows on a bootstrap draw of the rows, in which P and U weigh the same, and looks at the square root of
    the number of columns for each split. The score is the log-odds of the mean share of P in the row's leaves, with
    half a tree's vote added for either side: a row that no tree takes for positive has log-odds too.

    Parameters
    ----------
    trees : int, default 200
        How many trees are averaged, at least 1.
    rows_in_leaf : int, default 5
        The least number of rows in a leaf, at least 1.
    """

    rounds_by_size: ClassVar[bool] = False  # a tree compares numbers, it does not add them up
    _made_of: ClassVar[tuple[type, ...]] = (TreeVotes,)

    trees: int = 200
    rows_in_leaf: int = 5

    def __post_init__(self) -> None:
        check_whole("trees", self.trees, low=1)
        check_whole("rows_in_leaf", self.rows_in_leaf, low=1)

    @abstractmethod
    def _grow(self, **settings: Any) -> Any:
        """Return scikit-learn's forest of the kind, not fitted."""

    def _tell_apart(self, x: Matrix, s: NDArray[np.int8], rng: np.random.Generator) -> tuple[Any, dict[str, float]]:
        forest = self._grow(
            n_estimators=self.trees,
            min_samples_leaf=self.rows_in_leaf,
            max_features="sqrt",
            bootstrap=True,
            class_weight="balanced_subsample",
            random_state=draw_seed(rng),
        )
        return take_votes(forest.fit(x, s)), {}

    def _score(self, x: Matrix, learnt: Learnt) -> NDArray[np.float64]:
        votes = self.trees * compute_probability(learnt.parts["classifier"], x)
        return to_log_odds((votes + HALF_A_VOTE) / (self.trees + 2 * HALF_A_VOTE))

    def _check(self, learnt: Learnt) -> None:
        super()._check(learnt)
        count = len(learnt.parts["classifier"].nodes.sizes)
        if count != self.trees:
            raise ModelError(f"a model of {self.trees} trees has as many, got {count}")
