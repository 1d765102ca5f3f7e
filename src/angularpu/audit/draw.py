"""Which rows to check by hand: drawn by strata of score, each with a known chance."""

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from angularpu.audit.strata import Floats, Integers, stratify
from angularpu.decide.threshold import list_thresholds
from angularpu.errors import DataError, SettingError

FEWEST = 10
MOST_CUTS = 500


@dataclass(frozen=True, eq=False)
class Audit:
    """Rows drawn to be checked by hand, and all that estimates from their answers need to know of the others.

    The heap is the rows that were drawn from: all of a file, without known positives.

    Attributes
    ----------
    row : int64 array of shape (n,)
        Which rows of the heap were drawn, counted from 0, in random order.
    number : int64 array of shape (n,)
        Where they stand in the data that the heap is part of, counted from 1.
    score : float32 array of shape (n,)
        Their scores by the model to be cut.
    member : int64 array of shape (N,)
        The stratum of each row of the heap.
    cut : float64 array of shape (m,)
        Places for a threshold, ascending, never at a score.
    above : int64 array of shape (H, m)
        Rows of each stratum above each of them.
    n_known : int
        Known positives of the same population, which were left out.
    seed : int
    model : str
        Fingerprint of the model whose scores these are.
    data : str
        Fingerprint of the heap.
    """

    row: Integers
    number: Integers
    score: NDArray[np.float32]
    member: Integers
    cut: Floats
    above: Integers
    n_known: int
    seed: int
    model: str
    data: str

    @property
    def size(self) -> Integers:
        """How many rows of the heap each stratum has."""
        return np.bincount(self.member)

    @property
    def stratum(self) -> Integers:
        """The stratum of each drawn row."""
        return self.member[self.row]

    @property
    def probability(self) -> Floats:
        """The chance that each drawn row had of being drawn: n_h/N_h."""
        chance = np.bincount(self.stratum, minlength=len(self.size)) / self.size
        return np.asarray(chance[self.stratum], np.float64)

    def carry(self, score: NDArray[np.float32], *, model: str) -> "Audit":
        """Return the same draw for another model of the same heap: strata and chances stay as they were.

        Parameters
        ----------
        score : float32 array of shape (N,)
            The other model's scores of the heap.
        model : str
            Its fingerprint.
        """
        cut, above = _list_cuts(score, self.member, keep=None)
        return replace(self, score=score[self.row], cut=cut, above=above, model=model)


def draw_rows(
    score: NDArray[np.float32],
    chance: Floats,
    *,
    cut: float,
    n: int,
    seed: int,
    number: Integers | None = None,
    n_known: int = 0,
    model: str = "",
    data: str = "",
) -> Audit:
    """Draw rows of a heap to be checked by hand; see :func:`angularpu.audit.strata.stratify` for how many where.

    Parameters
    ----------
    score : float32 array of shape (N,)
        Scores of the heap. Rows that the model was trained on may be among them: strata need no honest scores.
    chance : float64 array of shape (N,)
        The chance that each row is positive, as far as it is known.
    cut : float
        The model's threshold.
    n : int
        How many rows to draw, at least ten.
    seed : int
        Equal seeds draw equal rows.
    number : int64 array of shape (N,), optional
        Where the heap's rows stand in the data, counted from 1; by default the heap is all of it.
    n_known : int
        Known positives of the same population that are not in the heap.
    model, data : str
        Fingerprints.

    Examples
    --------
    >>> score = np.arange(1000, dtype=np.float32)
    >>> audit = draw_rows(score, score / 1000.0, cut=799.5, n=40, seed=0)
    >>> len(audit.row), audit.size, audit.probability[audit.stratum == 0][0].round(4)
    (40, array([441, 359,  82, 118]), np.float64(0.0272))
    """
    if not FEWEST <= n <= len(score):
        raise SettingError(
            f"n must lie between {FEWEST} and the number of rows to draw from, {len(score)}, got {n}"
            + ("; check all of them instead" if n > len(score) >= FEWEST else "")
        )
    if not np.isfinite(score).all():
        raise DataError("some rows have a score that is no number; check the rows or fit the model again")
    strata = stratify(score, chance, cut=cut, n=n)
    rng = np.random.default_rng([seed, 7])
    drawn = [
        rng.choice(np.flatnonzero(strata.member == h), size=size, replace=False) for h, size in enumerate(strata.n)
    ]
    row = rng.permutation(np.concatenate(drawn))
    cuts, above = _list_cuts(score, strata.member, keep=cut)
    numbers = np.arange(1, len(score) + 1) if number is None else number
    return Audit(row, numbers[row], score[row], strata.member, cuts, above, n_known, seed, model, data)


def _list_cuts(score: NDArray[np.float32], member: Integers, *, keep: float | None) -> tuple[Floats, Integers]:
    """Return at most 500 places for a threshold, evenly spaced by rows, and the rows of each stratum above them."""
    value = list_thresholds(score, score).value
    if len(value) > MOST_CUTS:
        value = np.unique(value[np.linspace(0, len(value) - 1, MOST_CUTS).round().astype(np.int64)])
    if keep is not None:
        value = np.unique(np.append(value, keep))
    above = [len(part) - np.searchsorted(part, value, side="right") for part in _sorted_by(score, member)]
    return value, np.array(above, np.int64)


def _sorted_by(score: NDArray[np.float32], member: Integers) -> list[Floats]:
    return [np.sort(score[member == h].astype(np.float64)) for h in range(int(member.max()) + 1)]
