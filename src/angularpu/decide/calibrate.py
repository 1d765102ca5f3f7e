"""From scores to the probability that a row is positive, with positives and unlabelled rows alone."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import brentq
from sklearn.isotonic import isotonic_regression

from angularpu.decide.held_out import HeldOut
from angularpu.errors import ModelError
from angularpu.metrics.cuts import Score, list_cuts
from angularpu.scenario.proportions import Proportions, Target, check_target

Floats = NDArray[np.float64]
LARGEST_SCALE = 1e6
LARGEST_RATIO = 1e12
SEED = 0  # equal scores, equal probabilities
RESAMPLES = 50
KNOTS = 200


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

    Among the unlabelled rows it is alpha f_P/f_U, in the population pi f_P/f_pop. One sample has
    f_pop = (n_P f_P + n_U f_U)/(n_P + n_U), two samples have f_pop = f_U. The ratio of densities is that of an isotonic
    regression of P (as 1) against U (as 0), both with the same total weight, averaged over draws of the scores with
    replacement: with a hundred positives held out, one regression alone is a few steep steps. One factor makes the
    mean over the target's rows, clipped to [0, 1], their share of positives.

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
    score, regressed = _regress(held)
    # After the division, two averages that differ by a rounding error may be out of order.
    likelihood = np.maximum.accumulate(_divide(regressed, held.share_called(regressed, 1 - regressed, target=target)))

    def draw(scale: float) -> Calibration:
        return Calibration(score, np.minimum(1.0, scale * shares.share(target) * likelihood))

    def excess(scale: float) -> float:
        calibration = draw(scale)
        pos_mean, unl_mean = (float(calibration.apply(s).mean()) for s in (held.score_pos, held.score_unl))
        return held.share_called(pos_mean, unl_mean, target=target) - shares.share(target)

    # Rows that no positive resembles stay at 0 whatever the factor, so the mean may fall short of the share.
    return draw(LARGEST_SCALE if excess(LARGEST_SCALE) <= 0 else float(brentq(excess, 0.0, LARGEST_SCALE)))


def _regress(held: HeldOut) -> tuple[Floats, Floats]:
    """Return knots, and at each the mean over draws of f_P/(f_P + f_U) by isotonic regression."""
    cuts = list_cuts(held.score_pos, held.score_unl)
    value = cuts.value.astype(np.float64)
    pos, unl = (-np.diff(above) / above[0] for above in (cuts.pos_above, cuts.rest_above))
    # Evenly spaced by the rows of both groups, with the lowest and the highest score among them.
    ranks = np.searchsorted(np.cumsum(pos + unl), np.linspace(0, 2, KNOTS)[1:-1])
    knots = value[np.unique(np.clip([0, *ranks, len(value) - 1], 0, len(value) - 1))]
    rng = np.random.default_rng(SEED)
    total = np.zeros(len(knots))
    for _ in range(RESAMPLES):
        drawn = (rng.multinomial(n, part) / n for n, part in ((len(held.score_pos), pos), (len(held.score_unl), unl)))
        total += np.interp(knots, *_pool(value, *drawn))
    return knots, np.clip(total / RESAMPLES, 0, 1)


def _pool(score: Floats, pos: Floats, unl: Floats) -> tuple[Floats, Floats]:
    """Pool neighbouring scores until the share of positives rises; return mean scores and shares."""
    both = pos + unl
    seen = both > 0
    score, pos, both = score[seen], pos[seen], both[seen]
    rising = isotonic_regression(pos / both, sample_weight=both)
    starts = np.flatnonzero(np.diff(rising, prepend=-1.0) > 0)
    return np.add.reduceat(both * score, starts) / np.add.reduceat(both, starts), rising[starts]


def _divide(part: Floats, whole: Floats) -> Floats:
    """Divide; where only positives were seen the ratio is set so large that clipping makes it 1."""
    return np.minimum(np.divide(part, whole, out=np.full_like(part, LARGEST_RATIO), where=whole > 0), LARGEST_RATIO)
