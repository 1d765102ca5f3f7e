"""Rows split into a training and a test part, for data sets that have no official split."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

TRAIN_SHARE = 0.7
SEED = 20250101  # the same for all data sets and methods, so that every comparison has the same rows


def split_rows(labels: NDArray[np.int64]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Put 70 % of the rows of every class into the training part and the rest into the test part.

    Returns
    -------
    train, test : arrays of int64
        Row numbers in ascending order; always the same for the same labels.

    Examples
    --------
    >>> train, test = split_rows(np.repeat([0, 1], [20, 10]))
    >>> len(train), len(test), int((train >= 20).sum())
    (21, 9, 7)
    """
    order = np.random.default_rng(SEED).permutation(len(labels))
    by_class = order[np.argsort(labels[order], kind="stable")]
    _, start, count = np.unique(labels[by_class], return_index=True, return_counts=True)
    place = np.arange(len(labels)) - np.repeat(start, count)
    chosen = place < np.repeat(np.round(TRAIN_SHARE * count), count)
    return np.sort(by_class[chosen]), np.sort(by_class[~chosen])


def split_groups(groups: NDArray[Any]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Put 70 % of the groups, with all their rows, into the training part, so that no group is in both parts.

    Examples
    --------
    >>> train, test = split_groups(np.repeat(np.arange(10), 2))
    >>> len(train), len(test), set(train // 2) & set(test // 2)
    (14, 6, set())
    """
    _, group = np.unique(groups, return_inverse=True)
    n = int(group.max()) + 1
    chosen = np.random.default_rng(SEED).permutation(n)[: round(TRAIN_SHARE * n)]
    in_train = np.isin(group, chosen)
    return np.flatnonzero(in_train), np.flatnonzero(~in_train)
