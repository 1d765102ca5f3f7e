"""How many threads a computation gets: the one place that decides it, by the size of the work."""

import contextlib
import os
from collections.abc import Iterator

VARIABLE = "OMP_NUM_THREADS"

# Threads wait for each other many times in a computation. Where a wait comes after microseconds of work it costs as
# much as it gains, and beside a busy program, which takes a core away, all threads stand still until the last is back.
MULTIPLICATIONS = 2e8  # of one update of a network: some 10 ms on one core
TABLE_CELLS = 200_000  # numbers in the matrix that trees are grown on


def choose_threads(work: float, *, enough: float, most: int) -> int:
    """Return all threads for work that is large enough, and one for less; a number that the user gave wins.

    Parameters
    ----------
    work, enough : float
        The size of the work, and the size from which threads pay.
    most : int
        How many threads there are.

    Examples
    --------
    >>> with given_threads(None):
    ...     choose_threads(1e9, enough=MULTIPLICATIONS, most=2)
    2
    """
    return most if VARIABLE in os.environ or work >= enough else 1


@contextlib.contextmanager
def given_threads(count: int | None) -> Iterator[None]:
    """Let a number of threads count as given by the user for the length of a block, in processes it starts, too."""
    before = os.environ.get(VARIABLE)
    if count is not None:
        os.environ[VARIABLE] = str(count)
    try:
        yield
    finally:
        if count is not None:
            os.environ.pop(VARIABLE)
            if before is not None:
                os.environ[VARIABLE] = before
