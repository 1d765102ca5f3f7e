"""Extra trees: the mean of many trees whose splits are drawn at random, of P against U."""

from dataclasses import dataclass
from typing import Any

from sklearn.ensemble import ExtraTreesClassifier

from angularpu.classical.forest import Forest


@dataclass(frozen=True, kw_only=True, eq=False)
class ExtraTrees(Forest):
    """Score a row by many trees of P against U whose splits are drawn at random.

    For each split one threshold is drawn in each of sqrt(d) columns, and the best of these is taken (Geurts, Ernst and
    Wehenkel 2006). :class:`Forest` has the options and the score.

    Examples
    --------
    >>> import numpy as np
    >>> rng = np.random.default_rng(0)
    >>> x = np.concatenate([rng.normal(3, 1, (200, 1)), rng.normal(-3, 1, (200, 1))]).astype(np.float32)
    >>> s = (np.arange(400) < 100).astype(np.int8)
    >>> ExtraTrees(trees=20).fit(x, s, rng=rng).score(x[[0, -1]]) > 0
    array([ True, False])
    """

    def _grow(self, **settings: Any) -> Any:
        return ExtraTreesClassifier(**settings)
