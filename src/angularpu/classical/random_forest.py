"""A random forest: the mean of many trees whose splits are searched for, of P against U."""

from dataclasses import dataclass
from typing import Any

from sklearn.ensemble import RandomForestClassifier

from angularpu.classical.forest import Forest


@dataclass(frozen=True, kw_only=True, eq=False)
class RandomForest(Forest):
    """Score a row by many trees of P against U, each grown on a draw of the rows.

    For each split the best threshold in sqrt(d) columns, themselves drawn at random, is taken (Breiman 2001).
    :class:`Forest` has the options and the score.

    Examples
    --------
    >>> import numpy as np
    >>> rng = np.random.default_rng(0)
    >>> x = np.concatenate([rng.normal(3, 1, (200, 1)), rng.normal(-3, 1, (200, 1))]).astype(np.float32)
    >>> s = (np.arange(400) < 100).astype(np.int8)
    >>> RandomForest(trees=20).fit(x, s, rng=rng).score(x[[0, -1]]) > 0
    array([ True, False])
    """

    def _grow(self, **settings: Any) -> Any:
        return RandomForestClassifier(**settings)
