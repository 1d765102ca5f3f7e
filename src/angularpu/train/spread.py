"""How the scores of a mean of models are spread, compared with those of one model."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

QUANTILES = 257


@dataclass(frozen=True, eq=False)
class Spread:
    """A rising map from scores of one model to scores of another, such as the mean of several, which vary less.

    Attributes
    ----------
    single, mean : float arrays
        Quantiles of the scores of the one, and the same quantiles of the scores of the other.
    """

    single: NDArray[Any]
    mean: NDArray[Any]

    def apply(self, score: NDArray[Any]) -> NDArray[np.float32]:
        """Return scores as if the other had made them; beyond the quantiles the map is continued in parallel."""
        beyond = np.clip(score - self.single[-1], 0, None) - np.clip(self.single[0] - score, 0, None)
        moved: NDArray[np.float32] = (np.interp(score, self.single, self.mean) + beyond).astype(np.float32)
        return moved


def fit_spread(score: NDArray[np.float64], *, learnt_from: NDArray[np.bool_]) -> Spread:
    """Find how the mean of several models spreads its scores, compared with one of them.

    A threshold is chosen by scores that single models give to rows they did not learn from; new rows are scored by the
    mean. The two differ in the noise that averaging takes out. It is seen on the unlabelled rows: all but one of the
    models learnt from each, so that single scores and their mean are alike in everything but the averaging.

    Parameters
    ----------
    score : float64 array of shape (models, rows)
        Every model's scores of unlabelled rows, on the common scale.
    learnt_from : bool array of shape (models, rows)
        Which model learnt from which row.
    """
    count = learnt_from.sum(axis=0)
    mean = np.where(learnt_from, score, 0).sum(axis=0) / count
    share = np.linspace(0, 1, min(QUANTILES, len(mean)))
    single, of_mean = np.quantile(score[learnt_from], share), np.quantile(mean, share)
    knots, places = np.unique(single, return_index=True)
    return Spread(knots, of_mean[places])
