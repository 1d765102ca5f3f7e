"""Dips of a sequence that should rise, raised to the levels that it keeps coming back to."""

import numpy as np
from numpy.typing import NDArray

from angularpu.priors.inputs import Floats

_WON, _LOST = 5, 1
_GONE = -(1 << 40)


def raise_dips(values: Floats) -> Floats:
    """Return the values, each of them raised to the highest level that holds when it comes up.

    Every value is a level. It holds for five lower values, and for five more whenever a later value is at least as
    high; then it is given up, until it comes up again (the monotonising trends of Ivanov 2020, DEDPUL, at 0.2).

    Examples
    --------
    >>> raise_dips(np.array([1.0, 4.0, 2.0, 2.0, 2.0, 2.0, 2.0, 2.0, 3.0]))
    array([1., 4., 4., 4., 4., 4., 4., 2., 3.])
    """
    level, rank = np.unique(values, return_inverse=True)
    raised, done, top = values.copy(), 0, 0
    # For how many lower values a level holds, less five for every step so far: levels that win need not be touched.
    votes = np.full(len(level), _GONE)
    starts = np.flatnonzero(np.diff(rank, prepend=-1))
    ends = np.append(starts[1:], len(rank))
    dips = rank[starts] < np.maximum.accumulate(rank[starts])
    for start, end in zip(starts[dips].tolist(), ends[dips].tolist(), strict=True):
        if done < start:  # everything in between rises
            _enter(votes, rank[done:start], done)
            top = int(rank[start - 1])
        now, place = int(rank[start]), start
        while place < end and now < top:
            above = votes[now + 1 : top + 1]
            steps = min(end - place, int(above[-1]) + _WON * place)  # until the highest level is given up
            raised[place : place + steps] = level[top]
            place += steps
            above -= (_WON + _LOST) * steps
            gone = above <= -_WON * place
            np.putmask(above, gone, _GONE)
            if gone[-1]:
                top = now if gone.all() else top - int(gone[::-1].argmin())
        if votes[now] == _GONE:
            votes[now] = -_WON * start
        done, top = end, max(now, top)
    return raised


def _enter(votes: NDArray[np.int64], rising: NDArray[np.intp], first: int) -> None:
    """Make levels of values that rise, the first of which may be one already."""
    fresh = np.flatnonzero(np.diff(rising, prepend=-1))
    fresh = fresh[votes[rising[fresh]] == _GONE]
    votes[rising[fresh]] = -_WON * (first + fresh)
