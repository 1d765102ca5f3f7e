"""How far sampling moves BBE's bound: an interval for q_U/q_P at the cut that BBE chose."""

import math

import numpy as np

from angularpu.metrics.cuts import Score
from angularpu.priors.alpha import Alpha
from angularpu.priors.bbe import estimate_bbe

TAILS = (0.05, 0.95)
DRAWS = 4000
SEED = 0  # equal scores, equal intervals


def measure_gain(drawn: Alpha, score_pos: Score, score_unl: Score) -> float:
    """Return log of how much greater the ratio at a draw's cut is among the scores it was drawn from.

    BBE takes a cut where chance left few unlabelled rows, so its ratio is too small on the scores that chose it. The
    mean over draws estimates by how much. ``drawn`` is BBE's estimate from a draw of the scores with replacement.
    """
    cut = drawn.diagnostics["threshold"]
    n_pos, n_unl = len(score_pos), len(score_unl)
    pos, unl = np.count_nonzero(score_pos >= cut), np.count_nonzero(score_unl >= cut)
    seen = (drawn.diagnostics["share_unl"] * n_unl + 0.5) / (drawn.diagnostics["share_pos"] * n_pos + 0.5)
    return math.log((unl + 0.5) / (pos + 0.5) / seen)


def bound_ratio(found: Alpha, *, n_pos: int, n_unl: int, gain: float) -> tuple[float, float]:
    """Return a 90 % interval for the bound q_U/q_P at BBE's cut, given the mean gain over draws.

    q_U and q_P are drawn from the Beta laws that their counts leave open (Jeffreys); the gain, which may be an
    accident of the draws where it is small, raises the upper end alone.

    Examples
    --------
    >>> found = Alpha(0.25, {"share_pos": 1.0, "share_unl": 0.25})
    >>> low, high = bound_ratio(found, n_pos=50, n_unl=400, gain=0.0)
    >>> round(low, 2), round(high, 2)
    (0.22, 0.29)
    """
    rng = np.random.default_rng(SEED)
    share_pos, share_unl = found.diagnostics["share_pos"], found.diagnostics["share_unl"]
    drawn_pos, drawn_unl = (
        rng.beta(share * n + 0.5, (1 - share) * n + 0.5, DRAWS) for share, n in ((share_pos, n_pos), (share_unl, n_unl))
    )
    low, high = np.quantile(drawn_unl / drawn_pos, TAILS)
    return min(1.0, float(low), found.alpha), min(1.0, max(found.alpha, float(high) * math.exp(max(0.0, gain))))


def bootstrap_bound(
    score_pos: Score, score_unl: Score, *, draws: int = 200, rng: np.random.Generator
) -> tuple[float, float]:
    """Return a 90 % interval for BBE's bound: where the ratio at its cut would lie without sampling error.

    Parameters
    ----------
    score_pos, score_unl : float arrays
        Scores of rows the classifier was not trained on.
    draws : int
        How often the scores are drawn again, to see how much BBE gains by choosing its cut.
    rng : numpy Generator
        Makes the draws.

    Examples
    --------
    >>> score_pos, score_unl = np.linspace(2, 3, 50), np.append(np.linspace(2, 3, 100), np.linspace(0, 1, 300))
    >>> low, high = bootstrap_bound(score_pos, score_unl, rng=np.random.default_rng(0))
    >>> round(low, 2), round(high, 2)
    (0.22, 0.3)
    """
    found = estimate_bbe(score_pos, score_unl)
    n_pos, n_unl = len(score_pos), len(score_unl)
    gains = [
        measure_gain(
            estimate_bbe(score_pos[rng.integers(n_pos, size=n_pos)], score_unl[rng.integers(n_unl, size=n_unl)]),
            score_pos,
            score_unl,
        )
        for _ in range(draws)
    ]
    return bound_ratio(found, n_pos=n_pos, n_unl=n_unl, gain=float(np.mean(gains)))
