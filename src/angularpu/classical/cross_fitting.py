"""Out-of-fold probabilities: of every row, by a classifier that did not see it."""

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from angularpu.classical.base_classifier import LARGEST_SEED, Matrix, compute_probability, fit_base
from angularpu.scenario.split import PUStratifiedKFold


def cross_fit(
    fit: Callable[[NDArray[np.int64]], Any], x: Matrix, *, s: NDArray[np.int8], folds: int, rng: np.random.Generator
) -> NDArray[np.float64]:
    """Split the rows into stratified folds and return each fold's probabilities by a model of the others.

    Parameters
    ----------
    fit : callable
        Takes the numbers of the rows to train on and returns a fitted classifier.
    x : matrix of shape (n, d)
    s : int8 array of shape (n,)
        Every fold gets its part of the labelled rows.
    folds : int
        At least 2; there are fewer when there are fewer rows of either kind.
    rng : numpy.random.Generator

    Returns
    -------
    float64 array of shape (n,), in [0, 1]
    """
    n_pos = int(np.count_nonzero(s))
    splitter = PUStratifiedKFold(min(folds, n_pos, len(s) - n_pos), random_state=int(rng.integers(LARGEST_SEED)))
    probability = np.empty(len(s))
    for train, held in splitter.split(x, s):
        probability[held] = compute_probability(fit(train), x[held])
    return probability


def cross_fit_labels(
    base: Any, x: Matrix, *, s: NDArray[np.int8], folds: int, rng: np.random.Generator
) -> NDArray[np.float64]:
    """Return P(s=1|x) of every row, out of fold, by classifiers of labelled against unlabelled rows.

    The parameters are those of :func:`cross_fit`, with the scikit-learn classifier ``base`` or None.
    """
    return cross_fit(lambda train: fit_base(base, x[train], s[train], rng=rng), x, s=s, folds=folds, rng=rng)
