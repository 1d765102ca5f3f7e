"""Whether one kind of positive gets labels more readily than another."""

import math
import warnings

import numpy as np
from scipy.stats import norm
from sklearn.cluster import KMeans
from sklearn.exceptions import ConvergenceWarning

from angularpu.decide.scar_check import LEVEL, ScarCheck
from angularpu.decide.scar_purest import LEAST_ROWS, count_purest
from angularpu.priors.inputs import Floats

TOLERANCE = 2.0
ALTERNATIVE = 4.0
MOST_KINDS, POSITIVES_PER_KIND = 5, 40
KEPT = 0.8
MOST_ROWS = 5000
DRAWS = 1000


def compare_kinds(
    score_pos: Floats,
    score_unl: Floats,
    x_pos: Floats,
    x_unl: Floats,
    *,
    rng: np.random.Generator,
    level: float = LEVEL,
) -> ScarCheck:
    """Test whether all kinds of positive are labelled about equally often.

    k-means divides the rows that score like positives into two to five kinds, blind to labels. In kind k the purest
    region holds p_k labelled and u_k unlabelled rows; where it is purely positive, SCAR makes p_k/u_k the same for all
    kinds. For two of them let D = |log(p_j/u_j) - log(p_k/u_k)| and e^2 = 1/p_j + 1/u_j + 1/p_k + 1/u_k; the p-value is
    the smallest 2 (1 - Phi((D - log 2)/e)), times the number of pairs. Factors up to 2 are tolerated, since kinds are
    seldom equally pure.

    Parameters
    ----------
    score_pos, score_unl : float64 arrays of shape (n_pos,) and (n_unl,)
        Scores of rows the classifier was not trained on.
    x_pos, x_unl : float64 arrays of shape (n_pos, d) and (n_unl, d)
        The same rows: columns of comparable scale, or embeddings. k-means is fitted to 5000 of them at most.
    rng : numpy.random.Generator
    level : float in (0, 1)
        Level of the test that the power is stated for.

    Returns
    -------
    ScarCheck
        With power 0 and a note when not even two kinds have 13 rows of P and of U each.

    Examples
    --------
    Positives lie left and right; of those on the left one in ten is labelled, of the others one in two:

    >>> rng = np.random.default_rng(0)
    >>> x_pos, x_unl = rng.normal(size=(100, 2)), rng.normal(size=(900, 2))
    >>> x_pos[:20, 0] -= 9; x_pos[20:, 0] += 9; x_unl[:180, 0] -= 9; x_unl[180:260, 0] += 9
    >>> check = compare_kinds(np.abs(x_pos[:, 0]), np.abs(x_unl[:, 0]), x_pos, x_unl, rng=rng)
    >>> check.holds, 5 < check.statistic < 15
    (False, True)
    """
    groups = _divide(score_pos, score_unl, x_pos, x_unl, rng)
    if not groups:
        return _untested(len(score_pos), len(score_unl))
    seen = [count_purest(*group, rng=rng) for group in groups]
    pos, unl = np.array([each.pos for each in seen]), np.array([each.unl for each in seen])
    ratio, variance = np.log(pos / unl), 1 / pos + 1 / unl
    one, other = np.triu_indices(len(seen), 1)
    beyond = _exceed(ratio, variance)
    worst = int(np.argmax(beyond))
    factor = math.exp(abs(ratio[one[worst]] - ratio[other[worst]]))
    return ScarCheck(
        statistic=factor,
        p_value=min(1.0, 2 * len(one) * float(norm.sf(beyond[worst]))),
        power=_simulate_power(pos, unl, level=level, rng=rng),
        alternative=_describe_alternative(len(seen)),
        finding=(
            f"one of {len(seen)} kinds of positive has {factor:.2g} times as many labels per unlabelled row as another"
        ),
        n_pos=len(score_pos),
        n_unl=len(score_unl),
    )


def _divide(
    score_pos: Floats, score_unl: Floats, x_pos: Floats, x_unl: Floats, rng: np.random.Generator
) -> list[tuple[Floats, Floats]]:
    """Return the scores of P and of U kind by kind: as many kinds as leave enough rows in each, or none."""
    alike = np.concatenate([x_pos, x_unl[score_unl >= np.quantile(score_pos, 1 - KEPT)]])
    if len(alike) > MOST_ROWS:
        alike = alike[rng.choice(len(alike), MOST_ROWS, replace=False)]
    most = min(MOST_KINDS, max(2, len(score_pos) // POSITIVES_PER_KIND))
    for kinds in range(most, 1, -1):
        means = KMeans(kinds, n_init=3, random_state=int(rng.integers(2**31)))
        with warnings.catch_warnings():  # fewer distinct rows than kinds leave kinds empty, hence too small
            warnings.simplefilter("ignore", ConvergenceWarning)
            means.fit(alike)
        kind_pos, kind_unl = means.predict(x_pos), means.predict(x_unl)
        groups = [(score_pos[kind_pos == kind], score_unl[kind_unl == kind]) for kind in range(kinds)]
        if min(len(part) for group in groups for part in group) >= LEAST_ROWS:
            return groups
    return []


def _exceed(ratio: Floats, variance: Floats) -> Floats:
    """Return, for every two kinds, by how many standard errors they differ beyond what is tolerated."""
    one, other = np.triu_indices(len(variance), 1)
    apart = np.abs(ratio[..., one] - ratio[..., other])
    return np.asarray((apart - math.log(TOLERANCE)) / np.sqrt(variance[one] + variance[other]))


def _simulate_power(pos: Floats, unl: Floats, *, level: float, rng: np.random.Generator) -> float:
    """Deal the labels anew, sparingly to one kind after another, and count how often the test rejects."""
    kinds = len(pos)
    bar = norm.isf(level / (kinds * (kinds - 1)))
    rejected = 0
    for slighted in range(kinds):
        weight = np.where(np.arange(kinds) == slighted, 1 / ALTERNATIVE, 1.0) * unl
        dealt = pos.sum() * weight / weight.sum()
        variance = 1 / dealt + 1 / unl
        ratio = np.log(dealt / unl) + np.sqrt(variance) * rng.standard_normal((DRAWS, kinds))
        rejected += int(np.count_nonzero(_exceed(ratio, variance).max(axis=1) > bar))
    return rejected / (DRAWS * kinds)


def _describe_alternative(kinds: int) -> str:
    return f"one of {kinds} kinds of positive has a quarter as many labels per unlabelled row as any other"


def _untested(n_pos: int, n_unl: int) -> ScarCheck:
    return ScarCheck(
        statistic=1.0,
        p_value=1.0,
        power=0.0,
        alternative=_describe_alternative(2),
        finding="nothing, for want of rows",
        n_pos=n_pos,
        n_unl=n_unl,
        notes=(f"kinds of positive were not compared: one of two has fewer than {LEAST_ROWS} rows of P or of U",),
    )
