"""Answers counted by stratum and side of a cut."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from angularpu.audit.answers import BLANK, UNSURE, YES, Answers
from angularpu.audit.strata import Floats, Integers


@dataclass(frozen=True, eq=False)
class Cells:
    """Rows of the heap by stratum and side of a cut, of which some have been checked.

    A stratum that the cut divides makes two cells. Given how many of its drawn rows lie on a side, these are a simple
    random sample of the side's rows, whoever made the strata.

    Attributes
    ----------
    size : int64 array of shape (G,)
        Rows of the heap in each cell, at least one.
    n : int64 array of shape (G,)
        How many of them are answered.
    yes, unsure : int64 arrays of shape (G,)
        Answers of each kind.
    above : bool array of shape (G,)
        Whether the cell lies above the cut.
    rest : float64 array of shape (G,)
        Share of yes in the whole stratum, for cells without an answer of their own.
    """

    size: Integers
    n: Integers
    yes: Integers
    unsure: Integers
    above: NDArray[np.bool_]
    rest: Floats


def count_cells(answers: Answers, cut: int) -> Cells:
    """Count answers by stratum and side of the cut with this number among the audit's."""
    audit = answers.audit
    size, side = audit.size, (audit.score > audit.cut[cut]).astype(np.int64)
    strata = len(size)
    place = audit.stratum + strata * side
    size_above = audit.above[:, cut]
    sizes = np.concatenate([size - size_above, size_above])

    def count(chosen: NDArray[np.bool_], of: Integers, bins: int) -> Integers:
        return np.bincount(of[chosen], minlength=bins).astype(np.int64)

    answered, unsure = answers.y != BLANK, answers.y == UNSURE
    n, yes, half = (count(kind, place, 2 * strata) for kind in (answered, answers.y == YES, unsure))
    n_all, yes_all, half_all = (count(kind, audit.stratum, strata) for kind in (answered, answers.y == YES, unsure))
    # A stratum that nobody answered is like the whole audit, for want of anything better.
    overall = float((yes.sum() + unsure.sum() / 2) / answered.sum())
    rest = np.divide(yes_all + half_all / 2, n_all, out=np.full(strata, overall), where=n_all > 0)
    kept = sizes > 0
    above = np.arange(2 * strata) >= strata
    return Cells(sizes[kept], n[kept], yes[kept], half[kept], above[kept], np.tile(rest, 2)[kept])
