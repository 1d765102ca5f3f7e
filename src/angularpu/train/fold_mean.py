"""The models of all folds as one scorer: their mean on a common scale."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.linear_model import LogisticRegression

from angularpu.train.outcome import Scorer

Scores = NDArray[np.float32]
# A single model's vote lies between plus and minus this many log-odds, so none outvotes all others.
LARGEST = 8.0
LEAST_SLOPE = 1e-6  # not 0, which would make all scores equal
SCALES = "scales"
QUANTILES = 257


@dataclass(frozen=True)
class Scale:
    """A rising map from a model's own scores to log-odds of "labelled", as if positives were as many as the rest.

    Attributes
    ----------
    slope, shift : float
        The log-odds are slope score + shift, drawn in smoothly to [-8, 8].
    """

    slope: float
    shift: float

    def apply(self, score: NDArray[Any]) -> NDArray[np.float64]:
        """Return scores on the common scale.

        >>> Scale(2.0, 1.0).apply(np.array([0.0, 100.0])).round(3).tolist()
        [0.995, 8.0]
        """
        drawn: NDArray[np.float64] = LARGEST * np.tanh((self.slope * score.astype(np.float64) + self.shift) / LARGEST)
        return drawn


def fit_scale(score_pos: Scores, score_unl: Scores) -> Scale:
    """Fit the scale of one model to the rows that it did not learn from: a balanced logistic regression of the label.

    The scores are standardised first, so that the ridge of the regression means the same for every method. A model that
    ranks its held-out positives no higher than the rest gets a slope of nearly 0, and so no vote.

    Parameters
    ----------
    score_pos, score_unl : float arrays
        Scores of the held-out positives and of the held-out unlabelled rows.

    Examples
    --------
    >>> scale = fit_scale(np.array([2, 3, 4], np.float32), np.array([-1, 0, 1, 2], np.float32))
    >>> bool(scale.slope > 0), bool(abs(scale.apply(np.array([1.75]))[0]) < 0.5)
    (True, True)
    """
    score = np.concatenate([score_pos, score_unl]).astype(np.float64)
    centre, spread = score.mean(), score.std()
    if spread == 0:
        return Scale(LEAST_SLOPE, 0.0)
    label = np.repeat([1, 0], [len(score_pos), len(score_unl)])
    model = LogisticRegression(class_weight="balanced").fit(((score - centre) / spread)[:, None], label)
    slope = max(float(model.coef_[0, 0]) / spread, LEAST_SLOPE)
    return Scale(slope, float(model.intercept_[0]) - slope * centre)


@dataclass(frozen=True, eq=False)
class Spread:
    """The rising map from scores of one model to scores of the mean, which vary less.

    Attributes
    ----------
    single, mean : float64 arrays
        Quantiles of the scores of single models, and the same quantiles of the scores of their means.
    """

    single: NDArray[np.float64]
    mean: NDArray[np.float64]

    def apply(self, score: Scores) -> Scores:
        """Return scores as if the mean had made them; beyond the quantiles the map is continued in parallel."""
        beyond = np.clip(score - self.single[-1], 0, None) - np.clip(self.single[0] - score, 0, None)
        moved: Scores = (np.interp(score, self.single, self.mean) + beyond).astype(np.float32)
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


@dataclass(frozen=True, eq=False)
class FoldArrays:
    """The arrays of a fold mean, model by model, and the scales."""

    models: tuple[dict[str, NDArray[Any]], ...]
    scales: tuple[Scale, ...]


def split_arrays(arrays: Mapping[str, NDArray[Any]]) -> FoldArrays | None:
    """Take apart what :meth:`FoldMean.arrays` returned; None for the arrays of a single model."""
    if SCALES not in arrays:
        return None
    scales = tuple(Scale(float(slope), float(shift)) for slope, shift in arrays[SCALES])
    models: tuple[dict[str, NDArray[Any]], ...] = tuple({} for _ in scales)
    for name, array in arrays.items():
        number, slash, own = name.partition("/")
        if slash:
            models[int(number)][own] = array
    return FoldArrays(models, scales)


@dataclass(frozen=True)
class FoldMean:
    """The mean of the folds' models, each on the common scale.

    Attributes
    ----------
    models : tuple of Scorer
        One for each fold.
    scales : tuple of Scale
    """

    models: tuple[Scorer, ...]
    scales: tuple[Scale, ...]

    def score(self, x: Any) -> Scores:
        """Return the mean score of prepared rows."""
        pairs = zip(self.models, self.scales, strict=True)
        total = sum(scale.apply(model.score(x)) for model, scale in pairs)
        mean: Scores = (np.asarray(total) / len(self.models)).astype(np.float32)
        return mean

    def embed(self, x: Any) -> Scores:
        """Return the embeddings by the first fold's model: every model has a sphere of its own."""
        return self.models[0].embed(x)

    def arrays(self) -> dict[str, NDArray[Any]]:
        """Return the arrays of every model, and the scales."""
        named = {
            f"{number}/{name}": array
            for number, model in enumerate(self.models)
            for name, array in model.arrays().items()
        }
        return {**named, SCALES: np.array([(scale.slope, scale.shift) for scale in self.scales])}

    def structure(self) -> dict[str, Any]:
        """Return nothing: all of it is arrays."""
        return {}

    def numbers(self) -> dict[str, float]:
        """Return nothing: all of it is arrays."""
        return {}
