"""What keeps classical methods within bounds where rows are millions: a draw to learn from, and scores in pieces."""

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from angularpu.data.rows import spans
from angularpu.scenario.sample import PUSample
from angularpu.train.outcome import Scorer

AT_A_TIME = 65_536


def thin_unlabelled(
    rows: NDArray[np.int64], sample: PUSample, *, most: Callable[[int], int], seed: tuple[int, ...]
) -> NDArray[np.int64]:
    """Return the rows that one classical model learns from: labelled and reviewed ones, and others up to a limit.

    Up to the limit all rows are returned.

    Parameters
    ----------
    rows : ndarray of int64
        Row numbers, ascending.
    sample : PUSample
    most : callable
        The limit for so many labelled positives, such as :meth:`Classical.limit_unlabelled`.
    seed : tuple of int
        Draws them.

    Examples
    --------
    >>> from angularpu.scenario.sample import make_sample
    >>> sample = make_sample(np.zeros((300, 1)), np.arange(300) < 30, scenario="one-sample")
    >>> [len(thin_unlabelled(np.arange(n), sample, most=lambda n_pos: 5 * n_pos, seed=(0,))) for n in (300, 90)]
    [180, 90]
    """
    free = sample.s[rows] == 0
    if sample.reviews is not None:
        free &= sample.reviews[rows] == 0
    limit = most(int(np.count_nonzero(sample.s[rows])))
    if np.count_nonzero(free) <= limit:
        return rows
    drawn = np.random.default_rng([*seed, 9]).choice(rows[free], limit, replace=False)
    return np.sort(np.concatenate([rows[~free], drawn]))


def score_matrix(scorer: Scorer, x: Any, index: NDArray[np.int64]) -> NDArray[np.float32]:
    """Return the scores of some rows of a matrix, which may lie on disk: no more than a piece of them is read."""
    pieces = [scorer.score(x[index[span]]) for span in spans(len(index), AT_A_TIME)]
    return np.concatenate(pieces) if pieces else np.empty(0, np.float32)
