"""DEDPUL: the share of positives that a smooth, rising ratio of two densities of the score implies."""

import numpy as np

from angularpu.metrics.cuts import Score
from angularpu.priors.alpha import Alpha
from angularpu.priors.density_ratio import choose_bandwidths, estimate_ratio
from angularpu.priors.inputs import Floats, check_groups
from angularpu.priors.likeness import note_likeness

_STEP = 0.001
_MOST_GAP = 0.05
_TOLERANCE = 1e-5
_ROUNDS = 1000


def estimate_dedpul(score_pos: Score, score_unl: Score) -> Alpha:
    """Find the share of negatives that equals the mean of its own posterior, by the ratio r = f_P/f_U.

    The posterior of a negative is max(0, 1 - r (1 - a_N)) with a_N the share of negatives; EM starts at 0 and repeats
    a_N = the mean of it over U, until a_N rests or every posterior exceeds 0. If the mean nowhere falls below a_N,
    there is no fixed point, and a_N is at most where the mean bends most: the largest second difference on a grid of
    0.001, among the a_N that the mean exceeds by less than 0.05 (Ivanov 2020, DEDPUL). alpha = 1 - a_N.

    Parameters
    ----------
    score_pos, score_unl : float arrays of shape (n_pos,) and (n_unl,)
        Scores from a classifier not trained on these rows, best on the logit scale. Another unit or origin changes
        nothing.

    Returns
    -------
    Alpha
        With the diagnostics bandwidth (of P), mean_ratio (1 for exact densities), top_ratio (the largest) and
        fixed_point (1 if EM's a_N was taken, 0 if the bend was).

    Examples
    --------
    >>> rng = np.random.default_rng(0)
    >>> score_pos, score_unl = rng.normal(4, 1, 1000), np.append(rng.normal(4, 1, 1000), rng.normal(-1, 1, 3000))
    >>> abs(estimate_dedpul(score_pos, score_unl).alpha - 0.25) < 0.03
    True
    """
    pos, unl = check_groups(score_pos, score_unl)
    ratio = estimate_ratio(pos, unl)
    negatives, fixed = find_negatives(ratio)
    diagnostics = {
        "bandwidth": choose_bandwidths(pos, unl)[0],
        "mean_ratio": float(ratio.mean()),
        "top_ratio": float(ratio[-1]),
        "fixed_point": float(fixed),
    }
    return Alpha(1 - negatives, diagnostics, note_likeness(pos, unl))


def find_negatives(ratio: Floats) -> tuple[float, bool]:
    """Return a_N for an ascending ratio, and whether EM found it.

    >>> negatives, fixed = find_negatives(np.repeat([0.0, 2.0], 50))
    >>> round(negatives, 4), fixed
    (0.5, True)
    """
    posterior = _Posterior(ratio)
    climbed = posterior.climb()
    share_neg = np.arange(0, 1, _STEP)
    gap = posterior.average(share_neg) - share_neg
    near = np.flatnonzero(gap[1:-1] < _MOST_GAP)
    bend = float(share_neg[1:-1][near[np.argmax(np.diff(gap, 2)[near])]])
    crosses = np.count_nonzero(gap < 0) > 1 and climbed < 1 - _STEP
    return (climbed, True) if crosses or climbed <= bend else (bend, False)


class _Posterior:
    """The mean over U of the posterior of a negative, max(0, 1 - r (1 - a_N)), as a function of a_N below 1."""

    def __init__(self, ratio: Floats) -> None:
        self.ratio, self.total = ratio, np.concatenate([[0.0], np.cumsum(ratio)])

    def average(self, share_neg: Floats | float) -> Floats:
        kept = np.searchsorted(self.ratio, 1 / (1 - share_neg))
        mean: Floats = (kept - self.total[kept] * (1 - share_neg)) / len(self.ratio)
        return mean

    def climb(self) -> float:
        """Repeat EM's step from 0 until a_N rests, or until no posterior is cut off at 0."""
        share = 0.0
        for _ in range(_ROUNDS):
            mean = float(self.average(share))
            if abs(mean - share) < _TOLERANCE or self.ratio[-1] * (1 - share) < 1:
                break
            share = mean
        return share
