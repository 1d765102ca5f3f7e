"""The chance that a row is positive as a rising function of its score, from positives and unlabelled rows alone."""

import numpy as np
from numpy.typing import NDArray

from angularpu.metrics.cuts import Score, list_cuts
from angularpu.metrics.mixture import contains_labelled, mean_called
from angularpu.scenario.proportions import Proportions, Target

Floats = NDArray[np.float64]
LARGEST_SCALE = 1e6
LARGEST_RATIO = 1e12
SEED = 0  # equal scores, equal probabilities
RESAMPLES = 50
KNOTS = 200


def estimate_posterior(
    score_pos: Score, score_unl: Score, *, shares: Proportions, target: Target
) -> tuple[Floats, Floats]:
    """Find the chance that a row of ``target`` is positive, at scores between which it is a straight line.

    Among the unlabelled rows it is alpha f_P/f_U, in the population pi f_P/f_pop. One sample has
    f_pop = (n_P f_P + n_U f_U)/(n_P + n_U), two samples have f_pop = f_U. The ratio of densities is that of an isotonic
    regression of P (as 1) against U (as 0), both with the same total weight, averaged over draws of the scores with
    replacement: with a hundred positives held out, one regression alone is a few steep steps. One factor makes the
    mean over the target's rows, clipped to [0, 1], their share of positives.

    Parameters
    ----------
    score_pos, score_unl : float arrays
        Scores of labelled positives and of unlabelled rows that were not trained on.
    shares : Proportions
        Of the whole sample.
    target : {"population", "unlabelled"}
        The rows the probabilities are for.

    Returns
    -------
    knots : float64 array of shape (m,)
        Scores, ascending.
    probability : float64 array of shape (m,)
        In [0, 1], never falling.
    """
    # Counts, not parts of one: those would round otherwise, and saved probabilities might change.
    weights = (shares.n_pos, shares.n_unl) if contains_labelled(target, shares.scenario) else (0, 1)
    share = shares.share(target)
    knots, regressed = _regress(score_pos, score_unl)
    whole = mean_called(regressed, 1 - regressed, weights=weights)
    # After the division, two averages that differ by a rounding error may be out of order.
    likelihood = np.maximum.accumulate(_divide(regressed, whole))

    def draw(scale: float) -> Floats:
        return np.minimum(1.0, scale * share * likelihood)

    def excess(scale: float) -> float:
        means = (float(np.interp(s.astype(np.float64), knots, draw(scale)).mean()) for s in (score_pos, score_unl))
        return mean_called(*means, weights=weights) - share

    from scipy.optimize import brentq  # late: scoring does without, and it takes long to import

    # Rows that no positive resembles stay at 0 whatever the factor, so the mean may fall short of the share.
    return knots, draw(LARGEST_SCALE if excess(LARGEST_SCALE) <= 0 else float(brentq(excess, 0.0, LARGEST_SCALE)))


def _regress(score_pos: Score, score_unl: Score) -> tuple[Floats, Floats]:
    """Return knots, and at each the mean over draws of f_P/(f_P + f_U) by isotonic regression."""
    cuts = list_cuts(score_pos, score_unl)
    value = cuts.value.astype(np.float64)
    pos, unl = (-np.diff(above) / above[0] for above in (cuts.pos_above, cuts.rest_above))
    # Evenly spaced by the rows of both groups, with the lowest and the highest score among them.
    ranks = np.searchsorted(np.cumsum(pos + unl), np.linspace(0, 2, KNOTS)[1:-1])
    knots = value[np.unique(np.clip([0, *ranks, len(value) - 1], 0, len(value) - 1))]
    rng = np.random.default_rng(SEED)
    total = np.zeros(len(knots))
    for _ in range(RESAMPLES):
        drawn = (rng.multinomial(n, part) / n for n, part in ((len(score_pos), pos), (len(score_unl), unl)))
        total += np.interp(knots, *_pool(value, *drawn))
    return knots, np.clip(total / RESAMPLES, 0, 1)


def _pool(score: Floats, pos: Floats, unl: Floats) -> tuple[Floats, Floats]:
    """Pool neighbouring scores until the share of positives rises; return mean scores and shares."""
    from sklearn.isotonic import isotonic_regression  # late: scoring does without, and it takes long to import

    both = pos + unl
    seen = both > 0
    score, pos, both = score[seen], pos[seen], both[seen]
    rising = isotonic_regression(pos / both, sample_weight=both)
    starts = np.flatnonzero(np.diff(rising, prepend=-1.0) > 0)
    return np.add.reduceat(both * score, starts) / np.add.reduceat(both, starts), rising[starts]


def _divide(part: Floats, whole: Floats) -> Floats:
    """Divide; where only positives were seen the ratio is set so large that clipping makes it 1."""
    return np.minimum(np.divide(part, whole, out=np.full_like(part, LARGEST_RATIO), where=whole > 0), LARGEST_RATIO)
