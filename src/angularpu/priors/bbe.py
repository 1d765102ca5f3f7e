"""BBE: the best bin estimate, which reads alpha off the rows with the highest scores."""

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from angularpu.metrics.cuts import Score, list_cuts
from angularpu.priors.alpha import Alpha
from angularpu.priors.inputs import Floats, check_groups
from angularpu.priors.likeness import note_likeness
from angularpu.scenario.split import FOLDS

LEAST_ROWS = 13  # four of five folds then hold the ten positives that BBE needs


def estimate_bbe(score_pos: Score, score_unl: Score, *, delta: float = 0.1, gamma: float = 0.01) -> Alpha:
    """Estimate alpha by the parts of U and of P above the cut where their ratio is known best.

    With q_P(v), q_U(v) the shares of P and U that score at least v,

        v* = argmin q_U/q_P + (1 + gamma)/q_P (sqrt(log(4/delta)/(2 n_U)) + sqrt(log(4/delta)/(2 n_P)))

    and alpha = q_U(v*)/q_P(v*) (Garg et al. 2021, Best Bin Estimation). If all rows above some cut are positive,
    q_U = alpha q_P there; if not, alpha comes out too high.

    Parameters
    ----------
    score_pos, score_unl : float arrays of shape (n_pos,) and (n_unl,)
        Scores of rows the classifier was not trained on. Only their order matters.
    delta : float in (0, 1)
        Chance that the bound behind the penalty fails.
    gamma : float
        How much wider than the bound the penalty is.

    Returns
    -------
    Alpha
        With the diagnostics threshold (v*), share_pos (q_P), share_unl (q_U) and penalty, all at v*.

    Examples
    --------
    A hundred rows of U lie above all negatives, as do all fifty of P:

    >>> score_pos, score_unl = np.linspace(2, 3, 50), np.append(np.linspace(2, 3, 100), np.linspace(0, 1, 300))
    >>> estimate_bbe(score_pos, score_unl).alpha
    0.25
    """
    pos, unl = check_groups(score_pos, score_unl)
    cuts = list_cuts(pos, unl)
    useful = np.flatnonzero(cuts.pos_above > 0)
    share_pos = cuts.pos_above[useful] / len(pos)
    share_unl = cuts.rest_above[useful] / len(unl)
    spread = math.sqrt(math.log(4 / delta) / (2 * len(unl))) + math.sqrt(math.log(4 / delta) / (2 * len(pos)))
    penalty = (1 + gamma) * spread / share_pos
    best = int(np.argmin(share_unl / share_pos + penalty))
    return Alpha(
        min(1.0, float(share_unl[best] / share_pos[best])),
        {
            "threshold": float(cuts.value[best]),
            "share_pos": float(share_pos[best]),
            "share_unl": float(share_unl[best]),
            "penalty": float(penalty[best]),
        },
        note_likeness(pos, unl),
    )


@dataclass(frozen=True)
class TopRows:
    """How many rows of P and of U have the highest scores.

    Half a row is added to every count, so that none is zero.

    Attributes
    ----------
    pos, unl : float
        Labelled positives and unlabelled rows at or above the cut.
    n_pos, n_unl : int
        How many there are in all.
    """

    pos: float
    unl: float
    n_pos: int
    n_unl: int

    @property
    def alpha(self) -> float:
        """The largest alpha that SCAR allows, q_U/q_P."""
        return (self.unl / self.n_unl) / (self.pos / self.n_pos)


def count_top_rows(score_pos: Floats, score_unl: Floats, *, rng: np.random.Generator) -> TopRows:
    """Count the rows at or above BBE's cut, each fifth of them by the cut that the other four fifths choose.

    A cut chosen on the rows that it counts would lie where chance left few unlabelled rows.

    Parameters
    ----------
    score_pos, score_unl : float64 arrays, at least 13 scores each
        Scores of rows the classifier was not trained on.
    rng : numpy.random.Generator
        Divides the rows into fifths.

    Examples
    --------
    >>> score_pos, score_unl = np.linspace(2, 3, 50), np.append(np.linspace(2, 3, 100), np.linspace(0, 1, 300))
    >>> bool(0.2 < count_top_rows(score_pos, score_unl, rng=np.random.default_rng(0)).alpha < 0.3)
    True
    """
    fold_pos, fold_unl = _divide(len(score_pos), rng), _divide(len(score_unl), rng)
    pos = unl = 0.5
    for fold in range(FOLDS):
        cut = _choose_cut(score_pos[fold_pos != fold], score_unl[fold_unl != fold])
        pos += int(np.count_nonzero(score_pos[fold_pos == fold] >= cut))
        unl += int(np.count_nonzero(score_unl[fold_unl == fold] >= cut))
    return TopRows(pos, unl, len(score_pos), len(score_unl))


def _divide(n: int, rng: np.random.Generator) -> NDArray[np.int64]:
    return rng.permutation(n) % FOLDS


def _choose_cut(score_pos: Floats, score_unl: Floats) -> float:
    lowest = min(score_pos.min(), score_unl.min())
    if lowest == max(score_pos.max(), score_unl.max()):  # one score only: nothing to choose
        return float(lowest)
    return estimate_bbe(score_pos, score_unl).diagnostics["threshold"]
