"""Two tests of whether labels fell on the positives at random, and what such a test returns."""

import dataclasses
import math
import warnings
from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy.special import ndtr, ndtri

from angularpu.priors.bbe import LEAST_ROWS, TopRows, count_top_rows
from angularpu.priors.inputs import Floats

LEVEL = 0.05
MISSED = 0.5  # the power of compare_share: this part of the unlabelled positives never gets a label
TOLERANCE = 2.0  # kinds may differ by this factor
ALTERNATIVE = 4.0  # the power of compare_kinds: one kind has so many times fewer labels
MOST_KINDS, POSITIVES_PER_KIND = 5, 40
POSITIVE_LIKE = 0.8  # a row looks positive if it scores no lower than this part of the labelled positives
MOST_ROWS = 5000
DRAWS = 1000


@dataclass(frozen=True)
class ScarCheck:
    """The result of testing whether labels fell on the positives completely at random (SCAR).

    Attributes
    ----------
    statistic : float
        By what factor the labels depart from random ones, 1 for not at all; ``finding`` says it in words.
    p_value : float in [0, 1]
        How often random labels would look at least as uneven.
    power : float in [0, 1]
        How often such a sample would reveal what ``alternative`` describes; if it is near 0, ``holds`` means little.
    alternative : str
        The departure that ``power`` is about.
    finding : str
        What was found.
    n_pos, n_unl : int
        Labelled positives and unlabelled rows that were used.
    notes : tuple of str
        What the user should know, a sentence each.

    Examples
    --------
    >>> check = ScarCheck(1.1, 0.6, 0.9, "one kind never gets a label", "kinds differ by 1.1", 500, 2000)
    >>> check.holds, check.warning()
    (True, None)
    """

    statistic: float
    p_value: float
    power: float
    alternative: str
    finding: str
    n_pos: int
    n_unl: int
    notes: tuple[str, ...] = ()

    @property
    def holds(self) -> bool:
        """Whether the labels look like a random draw of the positives, at the level .05."""
        return self.p_value >= LEVEL

    def warning(self) -> str | None:
        """Return a sentence on what is wrong and what suffers from it, or None when nothing was found."""
        if self.holds:
            return None
        return (
            f"labels do not look like a random draw of the positives: {self.finding} (p = {self.p_value:.2g}); "
            "recall, precision and prior then describe the kind of positive that gets labels, not all of them"
        )

    def to_json(self) -> dict[str, Any]:
        """Return the check as a dictionary of JSON types, ``holds`` and the warning included."""
        return {
            **dataclasses.asdict(self),
            "notes": list(self.notes),
            "holds": self.holds,
            "warning": self.warning(),
        }


def compare_share(
    score_pos: Floats, score_unl: Floats, *, alpha: float, rng: np.random.Generator, level: float = LEVEL
) -> ScarCheck:
    """Test whether random labels allow the share of positives that is known from outside.

    Under SCAR f_U = alpha f_P + (1 - alpha) f_N, so q_U >= alpha q_P in every region, whatever the classes look like.
    Among the rows with the highest scores the test compares log(q_U/q_P) with log(alpha), one-sided. Where classes
    overlap it finds less, and raises no false alarm.

    Parameters
    ----------
    score_pos, score_unl : float64 arrays, at least 13 scores each
        Scores of rows the classifier was not trained on.
    alpha : float in (0, 1)
        Share of positives among the unlabelled rows, known from elsewhere: an estimate from these scores always
        passes.
    rng : numpy.random.Generator
    level : float in (0, 1)
        The level for which the power is stated.

    Examples
    --------
    A tenth of the unlabelled rows look like the labelled ones, but three tenths are stated to be positive:

    >>> rng = np.random.default_rng(0)
    >>> score_pos, score_unl = rng.normal(4, 1, 500), np.append(rng.normal(4, 1, 200), rng.normal(0, 1, 1800))
    >>> compare_share(score_pos, score_unl, alpha=0.3, rng=rng).holds
    False
    """
    seen = count_top_rows(score_pos, score_unl, rng=rng)
    factor = alpha / seen.alpha
    # Negatives with high scores raise seen.alpha above alpha; they stay when positives are missed.
    missed = alpha * (1 - MISSED) + max(0.0, seen.alpha - alpha)
    expected = TopRows(seen.pos, missed * seen.unl / seen.alpha, seen.n_pos, seen.n_unl)
    slack = math.log(alpha / missed) / _standard_error(expected)
    return ScarCheck(
        statistic=factor,
        p_value=float(ndtr(-math.log(factor) / _standard_error(seen))),
        power=float(ndtr(slack + ndtri(level))),
        alternative=f"{MISSED:.0%} of the unlabelled positives are of a kind that never gets a label",
        finding=(
            f"random labels would allow a share of {min(1.0, seen.alpha):.2g} of the unlabelled rows to be positive "
            f"at most, and {alpha:.2g} are said to be"
        ),
        n_pos=seen.n_pos,
        n_unl=seen.n_unl,
    )


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

    k-means divides the rows that score like positives into two to five kinds, without looking at labels. The top rows
    of kind k are p_k labelled and u_k unlabelled ones; if all of them are positive, SCAR makes p_k/u_k the same for all
    kinds. For two kinds let D = |log(p_j/u_j) - log(p_k/u_k)| and e^2 = 1/p_j + 1/u_j + 1/p_k + 1/u_k; the p-value is
    the smallest 2 (1 - Phi((D - log 2)/e)), times the number of pairs. Factors up to 2 are tolerated, because the top
    rows of one kind may hold more negatives than those of another.

    Parameters
    ----------
    score_pos, score_unl : float64 arrays of shape (n_pos,) and (n_unl,)
        Scores of rows the classifier was not trained on.
    x_pos, x_unl : float64 arrays of shape (n_pos, d) and (n_unl, d)
        The same rows: columns of comparable scale, or embeddings. k-means is fitted to 5000 of them at most.
    rng : numpy.random.Generator
    level : float in (0, 1)
        The level for which the power is stated.

    Returns
    -------
    ScarCheck
        With power 0 and a note if the rows cannot be divided into two kinds with 13 rows of P and of U each.

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
    groups = _divide_into_kinds(score_pos, score_unl, x_pos, x_unl, rng)
    if not groups:
        return _untested(len(score_pos), len(score_unl))
    seen = [count_top_rows(*group, rng=rng) for group in groups]
    pos, unl = np.array([each.pos for each in seen]), np.array([each.unl for each in seen])
    ratio, variance = np.log(pos / unl), 1 / pos + 1 / unl
    one, other = np.triu_indices(len(seen), 1)
    beyond = _measure_excess(ratio, variance)
    worst = int(np.argmax(beyond))
    factor = math.exp(abs(ratio[one[worst]] - ratio[other[worst]]))
    return ScarCheck(
        statistic=factor,
        p_value=min(1.0, 2 * len(one) * float(ndtr(-beyond[worst]))),
        power=_simulate_power(pos, unl, level=level, rng=rng),
        alternative=_describe_alternative(len(seen)),
        finding=(
            f"one of {len(seen)} kinds of positive has {factor:.2g} times as many labels per unlabelled row as another"
        ),
        n_pos=len(score_pos),
        n_unl=len(score_unl),
    )


def _standard_error(seen: TopRows) -> float:
    """Return the standard error of log(q_U/q_P)."""
    return math.sqrt(1 / seen.pos - 1 / (seen.n_pos + 1) + 1 / seen.unl - 1 / (seen.n_unl + 1))


def _divide_into_kinds(
    score_pos: Floats, score_unl: Floats, x_pos: Floats, x_unl: Floats, rng: np.random.Generator
) -> list[tuple[Floats, Floats]]:
    """Return the scores of P and of U of each kind: as many kinds as leave enough rows in each, or none."""
    from sklearn.cluster import KMeans  # late: scoring does without, and it takes long to import
    from sklearn.exceptions import ConvergenceWarning

    alike = np.concatenate([x_pos, x_unl[score_unl >= np.quantile(score_pos, 1 - POSITIVE_LIKE)]])
    if len(alike) > MOST_ROWS:
        alike = alike[rng.choice(len(alike), MOST_ROWS, replace=False)]
    most = min(MOST_KINDS, max(2, len(score_pos) // POSITIVES_PER_KIND))
    for kinds in range(most, 1, -1):
        means = KMeans(kinds, n_init=3, random_state=int(rng.integers(2**31)))
        with warnings.catch_warnings():  # with fewer distinct rows than kinds some are empty, and so too small
            warnings.simplefilter("ignore", ConvergenceWarning)
            means.fit(alike)
        kind_pos, kind_unl = means.predict(x_pos), means.predict(x_unl)
        groups = [(score_pos[kind_pos == kind], score_unl[kind_unl == kind]) for kind in range(kinds)]
        if min(len(part) for group in groups for part in group) >= LEAST_ROWS:
            return groups
    return []


def _measure_excess(ratio: Floats, variance: Floats) -> Floats:
    """Return, for every two kinds, by how many standard errors they differ beyond the tolerance."""
    one, other = np.triu_indices(len(variance), 1)
    apart = np.abs(ratio[..., one] - ratio[..., other])
    return np.asarray((apart - math.log(TOLERANCE)) / np.sqrt(variance[one] + variance[other]))


def _simulate_power(pos: Floats, unl: Floats, *, level: float, rng: np.random.Generator) -> float:
    """Draw labels that leave one kind short of them, each kind in turn, and count how often the test rejects."""
    kinds = len(pos)
    bar = -ndtri(level / (kinds * (kinds - 1)))
    rejected = 0
    for short in range(kinds):
        weight = np.where(np.arange(kinds) == short, 1 / ALTERNATIVE, 1.0) * unl
        labelled = pos.sum() * weight / weight.sum()
        variance = 1 / labelled + 1 / unl
        ratio = np.log(labelled / unl) + np.sqrt(variance) * rng.standard_normal((DRAWS, kinds))
        rejected += int(np.count_nonzero(_measure_excess(ratio, variance).max(axis=1) > bar))
    return rejected / (DRAWS * kinds)


def _describe_alternative(kinds: int) -> str:
    return f"one of {kinds} kinds of positive has a quarter as many labels per unlabelled row as any other"


def _untested(n_pos: int, n_unl: int) -> ScarCheck:
    return ScarCheck(
        statistic=1.0,
        p_value=1.0,
        power=0.0,
        alternative=_describe_alternative(2),
        finding="nothing, because there are too few rows",
        n_pos=n_pos,
        n_unl=n_unl,
        notes=(f"kinds of positive were not compared: one of two has fewer than {LEAST_ROWS} rows of P or of U",),
    )
