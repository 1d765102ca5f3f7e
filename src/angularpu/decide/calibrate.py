"""From scores to the probability that a row is positive, with positives and unlabelled rows alone."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from angularpu.decide.held_out import HeldOut
from angularpu.errors import ModelError
from angularpu.metrics.cuts import Score
from angularpu.metrics.posterior import estimate_posterior
from angularpu.scenario.proportions import Proportions, Target, check_target

Floats = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Calibration:
    """A rising line through knots that gives every score its probability; beyond the outermost knots it is level.

    Attributes
    ----------
    score : float64 array of shape (m,)
        The knots' scores, ascending.
    probability : float64 array of shape (m,)
        The probability of being positive at each knot, in [0, 1], never falling.
    """

    score: Floats
    probability: Floats

    def __post_init__(self) -> None:
        sound = self.score.ndim == 1 and self.score.shape == self.probability.shape and len(self.score) > 0
        if not (sound and (np.diff(self.score) > 0).all() and (np.diff(self.probability) >= 0).all()):
            raise ModelError("a calibration needs equally many scores and probabilities, both ascending; fit it again")
        if not (self.probability[0] >= 0 and self.probability[-1] <= 1):
            raise ModelError("a calibration's probabilities must lie in [0, 1]; fit it again")

    def apply(self, score: Score) -> Floats:
        """Return the probability of each score.

        >>> Calibration(np.array([0.0, 2.0]), np.array([0.1, 0.9])).apply(np.array([-5.0, 0.5, 1.0]))
        array([0.1, 0.3, 0.5])
        """
        return np.interp(score.astype(np.float64), self.score, self.probability)

    def to_json(self) -> dict[str, Any]:
        """Return the knots as a dictionary of JSON types."""
        return {"score": self.score.tolist(), "probability": self.probability.tolist()}

    @classmethod
    def from_json(cls, content: Mapping[str, Any]) -> "Calibration":
        """Restore what :meth:`to_json` returned.

        >>> Calibration.from_json({"score": [0, 1], "probability": [0.2, 0.4]}).apply(np.array([0.5])).round(3)
        array([0.3])
        """
        try:
            return cls(np.array(content["score"], np.float64), np.array(content["probability"], np.float64))
        except (KeyError, TypeError, ValueError):
            raise ModelError(
                f"a stored calibration must have score and probability, got {', '.join(content) or 'none'}; "
                "fit the model again"
            ) from None


def fit_calibration(held: HeldOut, alpha: float, *, target: Target = "population") -> Calibration:
    """Find the probability that a row of ``target`` is positive, as a rising function of its score.

    The formula is that of :func:`angularpu.metrics.posterior.estimate_posterior`.

    Parameters
    ----------
    held : HeldOut
        Scores of rows the model was not trained on.
    alpha : float in [0, 1]
        Share of positives among the unlabelled rows, for either target.
    target : {"population", "unlabelled"}, default "population"
        The rows the probabilities are for: new rows usually follow the population.

    Examples
    --------
    >>> rng = np.random.default_rng(0)
    >>> score_pos, score_unl = rng.normal(2, 1, 1000), np.append(rng.normal(2, 1, 1000), rng.normal(0, 1, 3000))
    >>> held = HeldOut(score_pos, score_unl, n_pos=1000, n_unl=4000, scenario="two-sample", source="held out")
    >>> calibration = fit_calibration(held, 0.25)
    >>> round(float(calibration.apply(score_unl).mean()), 4)
    0.25
    """
    check_target(target)
    shares = Proportions(held.n_pos, held.n_unl, held.scenario, alpha)
    return Calibration(*estimate_posterior(held.score_pos, held.score_unl, shares=shares, target=target))
