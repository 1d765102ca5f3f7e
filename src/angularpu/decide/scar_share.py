"""Whether as many unlabelled rows can be positive as is known from elsewhere, if labels fell at random."""

import math

import numpy as np
from scipy.stats import norm

from angularpu.decide.scar_check import LEVEL, ScarCheck
from angularpu.decide.scar_purest import Purest, count_purest
from angularpu.priors.inputs import Floats

MISSED = 0.5


def compare_share(
    score_pos: Floats, score_unl: Floats, *, alpha: float, rng: np.random.Generator, level: float = LEVEL
) -> ScarCheck:
    """Test whether random labels allow the share of positives that is known from outside.

    Under SCAR f_U = alpha f_P + (1 - alpha) f_N, hence q_U >= alpha q_P in every region, whatever the classes look
    like. Where P is densest against U the test compares log(q_U/q_P) with log(alpha), one-sided. Overlapping classes
    make it cautious, never rash.

    Parameters
    ----------
    score_pos, score_unl : float64 arrays, at least 13 scores each
        Scores of rows the classifier was not trained on.
    alpha : float in (0, 1)
        Share of positives among the unlabelled rows, known otherwise: one estimated from these scores always passes.
    rng : numpy.random.Generator
    level : float in (0, 1)
        Level of the test that the power is stated for.

    Examples
    --------
    A tenth of the unlabelled rows look like the labelled ones, and three tenths are said to be positive:

    >>> rng = np.random.default_rng(0)
    >>> score_pos, score_unl = rng.normal(4, 1, 500), np.append(rng.normal(4, 1, 200), rng.normal(0, 1, 1800))
    >>> compare_share(score_pos, score_unl, alpha=0.3, rng=rng).holds
    False
    """
    seen = count_purest(score_pos, score_unl, rng=rng)
    factor = alpha / seen.share
    # Negatives in the region raise the share; what SCAR leaves unexplained stays when positives are missed.
    missed = alpha * (1 - MISSED) + max(0.0, seen.share - alpha)
    expected = Purest(seen.pos, missed * seen.unl / seen.share, seen.n_pos, seen.n_unl)
    slack = math.log(alpha / missed) / _error(expected)
    return ScarCheck(
        statistic=factor,
        p_value=float(norm.sf(math.log(factor) / _error(seen))),
        power=float(norm.cdf(slack - norm.isf(level))),
        alternative=f"{MISSED:.0%} of the unlabelled positives are of a kind that never gets a label",
        finding=(
            f"random labels would allow a share of {min(1.0, seen.share):.2g} of the unlabelled rows to be positive "
            f"at most, and {alpha:.2g} are said to be"
        ),
        n_pos=seen.n_pos,
        n_unl=seen.n_unl,
    )


def _error(seen: Purest) -> float:
    """Return the standard error of log(q_U/q_P)."""
    return math.sqrt(1 / seen.pos - 1 / (seen.n_pos + 1) + 1 / seen.unl - 1 / (seen.n_unl + 1))
