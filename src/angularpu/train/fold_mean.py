"""The models of all folds as one scorer: their mean on a common scale."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from angularpu.train.cross_fitted import CrossFitted, FoldScores
from angularpu.train.outcome import Scorer

Scores = NDArray[np.float32]
# A single model's vote lies between plus and minus this many log-odds, so none outvotes all others.
LARGEST = 8.0
LEAST_SLOPE = 1e-6  # not 0, which would make all scores equal
SCALES = "scales"


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
    from sklearn.linear_model import LogisticRegression  # late: scoring does without, and it takes long to import

    score = np.concatenate([score_pos, score_unl]).astype(np.float64)
    centre, spread = score.mean(), score.std()
    if spread == 0:
        return Scale(LEAST_SLOPE, 0.0)
    label = np.repeat([1, 0], [len(score_pos), len(score_unl)])
    model = LogisticRegression(class_weight="balanced").fit(((score - centre) / spread)[:, None], label)
    slope = max(float(model.coef_[0, 0]) / spread, LEAST_SLOPE)
    return Scale(slope, float(model.intercept_[0]) - slope * centre)


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
        """Return what is no array of every model that has such, by its number."""
        structures = {str(number): model.structure() for number, model in enumerate(self.models)}
        return {number: structure for number, structure in structures.items() if structure}

    def numbers(self) -> dict[str, float]:
        """Return the estimates of every model, by its number."""
        return {
            f"{number}/{name}": value
            for number, model in enumerate(self.models)
            for name, value in model.numbers().items()
        }


def average(cross: CrossFitted) -> tuple[FoldMean, FoldScores]:
    """Bring the models of all folds to the common scale, and their scores with them."""
    scales = [fit_scale(*scores) for scores in cross.held]
    pairs = list(zip(scales, cross.held, strict=True))
    seen = np.stack([scale.apply(score) for scale, score in zip(scales, cross.seen, strict=True)])
    held = tuple((scale.apply(pos), scale.apply(unl)) for scale, (pos, unl) in pairs)
    return FoldMean(cross.models, tuple(scales)), FoldScores(held, seen)
