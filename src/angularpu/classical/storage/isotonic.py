"""Curves from a classifier's score to a probability: isotonic regression, and Platt's sigmoid."""

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.interpolate import interp1d
from scipy.special import expit
from sklearn.isotonic import IsotonicRegression

from angularpu.checks import check_range, check_whole
from angularpu.classical.storage.kind import Arrays, Fields, Kind, Pieces, Role, check_floats
from angularpu.errors import ModelError
from angularpu.files import Outline


class Staircase:
    """An isotonic regression that was read: a line through knots, level beyond the outermost.

    Parameters
    ----------
    score, probability : float arrays of shape (m,)
        The knots, checked.
    """

    def __init__(self, score: NDArray[Any], probability: NDArray[Any]) -> None:
        self.score, self.probability = score, probability
        # The same function of SciPy as scikit-learn's, so that the probabilities are the same to the bit.
        self._line = interp1d(score, probability, kind="linear", bounds_error=False) if len(score) > 1 else None

    def predict(self, score: NDArray[Any]) -> NDArray[Any]:
        """Return the probability of each score."""
        inside = np.clip(score.astype(self.score.dtype), self.score[0], self.score[-1])
        if self._line is None:
            return self.probability.repeat(len(inside))
        probability: NDArray[Any] = self._line(inside).astype(inside.dtype)
        return probability


class IsotonicKind(Kind):
    """An isotonic regression as CalibratedClassifierCV makes it: rising, and level beyond the outermost knots."""

    name = "isotonic"
    types = (IsotonicRegression, Staircase)
    field_names = ("knots",)
    role: Role = "calibrator"

    def split(self, model: Any) -> Pieces:
        """Take the knots."""
        if isinstance(model, Staircase):
            score, probability = model.score, model.probability
        else:
            score, probability = model.X_thresholds_, model.y_thresholds_
        return Pieces({"knots": len(score)}, {"score": score, "probability": probability})

    def outline(self, fields: Fields, columns: int) -> dict[str, Outline]:
        """Return the knots."""
        knots = check_whole("knots", fields["knots"], low=1)
        return {"score": Outline((knots,)), "probability": Outline((knots,))}

    def join(self, fields: Fields, arrays: Arrays, *, children: Mapping[str, Any], columns: int) -> Staircase:
        """Check that the curve rises and make it."""
        score, probability = arrays["score"], arrays["probability"]
        check_floats(arrays)
        if np.any(np.diff(score) <= 0) or np.any(np.diff(probability) < 0):
            raise ModelError("the knots of a calibration must ascend")
        return Staircase(score, probability)


class Sigmoid:
    """Platt's sigmoid that was read: 1/(1 + exp(a s + b))."""

    def __init__(self, a: float, b: float) -> None:
        self.a_, self.b_ = a, b

    def predict(self, score: NDArray[Any]) -> NDArray[Any]:
        """Return the probability of each score."""
        probability: NDArray[Any] = expit(-(self.a_ * score + self.b_))
        return probability


class SigmoidKind(Kind):
    """The sigmoid of CalibratedClassifierCV, whose own class is not public: it is known by where it stands."""

    name = "sigmoid"
    types = (Sigmoid,)
    field_names = ("a", "b")
    role: Role = "calibrator"

    def split(self, model: Any) -> Pieces:
        """Take slope and intercept."""
        return Pieces({"a": float(model.a_), "b": float(model.b_)}, {})

    def outline(self, fields: Fields, columns: int) -> dict[str, Outline]:
        """Check slope and intercept; there are no arrays."""
        for name in self.field_names:
            check_range(name, fields[name])
        return {}

    def join(self, fields: Fields, arrays: Arrays, *, children: Mapping[str, Any], columns: int) -> Sigmoid:
        """Make the sigmoid."""
        return Sigmoid(np.float64(fields["a"]), np.float64(fields["b"]))
