"""Positives and unlabelled rows where the scores are purest, counted by cuts that other rows chose."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from angularpu.priors.bbe import estimate_bbe
from angularpu.priors.inputs import Floats
from angularpu.scenario.split import FOLDS

LEAST_ROWS = 13  # four folds of five then hold the ten positives that BBE asks for


@dataclass(frozen=True)
class Purest:
    """How many rows of P and U lie in the purest region.

    Half a row is added to every count, so that none is zero.

    Attributes
    ----------
    pos, unl : float
        Labelled positives and unlabelled rows in the region.
    n_pos, n_unl : int
        How many there are in all.
    """

    pos: float
    unl: float
    n_pos: int
    n_unl: int

    @property
    def share(self) -> float:
        """The largest alpha that SCAR allows, q_U/q_P."""
        return (self.unl / self.n_unl) / (self.pos / self.n_pos)


def count_purest(score_pos: Floats, score_unl: Floats, *, rng: np.random.Generator) -> Purest:
    """Count what lies at or above BBE's cut, each fifth of the rows by the cut that the other four choose.

    A cut chosen on the rows it then counts would lie where chance left few unlabelled ones.

    Parameters
    ----------
    score_pos, score_unl : float64 arrays, at least 13 scores each
        Scores of rows the classifier was not trained on.
    rng : numpy.random.Generator
        Deals the fifths.

    Examples
    --------
    >>> score_pos, score_unl = np.linspace(2, 3, 50), np.append(np.linspace(2, 3, 100), np.linspace(0, 1, 300))
    >>> bool(0.2 < count_purest(score_pos, score_unl, rng=np.random.default_rng(0)).share < 0.3)
    True
    """
    fold_pos, fold_unl = _deal(len(score_pos), rng), _deal(len(score_unl), rng)
    pos = unl = 0.5
    for fold in range(FOLDS):
        cut = _cut(score_pos[fold_pos != fold], score_unl[fold_unl != fold])
        pos += int(np.count_nonzero(score_pos[fold_pos == fold] >= cut))
        unl += int(np.count_nonzero(score_unl[fold_unl == fold] >= cut))
    return Purest(pos, unl, len(score_pos), len(score_unl))


def _deal(n: int, rng: np.random.Generator) -> NDArray[np.int64]:
    return rng.permutation(n) % FOLDS


def _cut(score_pos: Floats, score_unl: Floats) -> float:
    lowest = min(score_pos.min(), score_unl.min())
    if lowest == max(score_pos.max(), score_unl.max()):  # nothing to choose between
        return float(lowest)
    return estimate_bbe(score_pos, score_unl).diagnostics["threshold"]
