"""Which of the true positives get a label: each with the same chance (SCAR), or some more often than others (SAR).

Every function takes the row numbers of the true positives and the number of labels, and returns the row numbers of the
labelled positives, ascending. Bind what else a function needs with :func:`functools.partial`.
"""

from collections.abc import Mapping
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from angularpu.errors import DataError, SettingError


class Chooser(Protocol):
    """A function that chooses which of the true positives get a label."""

    def __call__(self, positives: NDArray[np.int64], n: int, *, rng: np.random.Generator) -> NDArray[np.int64]:
        """Return the row numbers of ``n`` of the positives, ascending."""
        ...


def label_at_random(positives: NDArray[np.int64], n: int, *, rng: np.random.Generator) -> NDArray[np.int64]:
    """Label ``n`` positives, each with the same chance (SCAR: selected completely at random).

    Parameters
    ----------
    positives : int64 array
        Row numbers of the true positives.
    n : int
        Number of labels, between 1 and the number of positives.
    rng : numpy.random.Generator
        Makes the random choices.

    Examples
    --------
    >>> label_at_random(np.array([3, 5, 8]), 3, rng=np.random.default_rng(0))
    array([3, 5, 8])
    """
    return _draw(positives, n, log_weight=np.zeros(len(positives)), rng=rng)


def label_by_score(
    positives: NDArray[np.int64],
    n: int,
    *,
    features: NDArray[Any],
    rng: np.random.Generator,
    direction: NDArray[np.floating[Any]] | None = None,
    steepness: float = 2.0,
) -> NDArray[np.int64]:
    """Label ``n`` positives, more often the further they lie in one direction (SAR by a linear score).

    z are the columns, standardised over the positives, and t = z.direction, standardised again. The weight of a
    positive is sigma(steepness * t), and labels are drawn one by one without replacement, in proportion to the weights.

    Parameters
    ----------
    positives : int64 array
        Row numbers of the true positives.
    n : int
        Number of labels, between 1 and the number of positives.
    features : array of shape (rows, columns)
        Numeric features of all rows, finite.
    rng : numpy.random.Generator
        Makes the random choices.
    direction : array of shape (columns,), optional
        Coefficients of the score; by default they are drawn from a standard normal law.
    steepness : float, default 2
        0 labels at random; the greater it is, the more the labels follow the score.

    Examples
    --------
    >>> x = np.linspace(-1, 1, 6)[:, None]
    >>> rng = np.random.default_rng(0)
    >>> label_by_score(np.arange(6), 3, features=x, direction=np.ones(1), steepness=50, rng=rng)
    array([3, 4, 5])
    """
    z = _standardise(np.asarray(features)[positives].astype(np.float64))
    if not np.isfinite(z).all():
        raise DataError("features must be finite numbers to label by a score; fill or drop missing values first")
    coefficients = rng.standard_normal((z.shape[1],)) if direction is None else np.asarray(direction)
    if coefficients.shape != (z.shape[1],):
        raise SettingError(f"direction must hold one number for each of {z.shape[1]} columns, got {coefficients.shape}")
    t = _standardise(z @ coefficients)
    return _draw(positives, n, log_weight=-np.logaddexp(0.0, -steepness * t), rng=rng)


def label_by_subclass(
    positives: NDArray[np.int64],
    n: int,
    *,
    subclass: NDArray[Any],
    weights: Mapping[Any, float],
    rng: np.random.Generator,
) -> NDArray[np.int64]:
    """Label ``n`` positives, some subclasses more often than others (SAR by subclass).

    Labels are drawn one by one without replacement, in proportion to the weight of a positive's subclass.

    Parameters
    ----------
    positives : int64 array
        Row numbers of the true positives.
    n : int
        Number of labels, between 1 and the number of positives of non-zero weight.
    subclass : array of shape (rows,)
        The subclass of every row, negatives included.
    weights : mapping
        A weight, zero or greater, for each subclass among the positives; only ratios matter.
    rng : numpy.random.Generator
        Makes the random choices.

    Examples
    --------
    >>> kind = np.array(["cat", "dog", "dog", "cat"])
    >>> label_by_subclass(np.arange(4), 2, subclass=kind, weights={"cat": 0, "dog": 1}, rng=np.random.default_rng(0))
    array([1, 2])
    """
    kinds, which = np.unique(np.asarray(subclass)[positives], return_inverse=True)
    lacking = [kind for kind in kinds.tolist() if kind not in weights]
    if lacking:
        raise SettingError(f"weights lacks the subclass {lacking[0]!r}; give every subclass of the positives a weight")
    weight = np.array([weights[kind] for kind in kinds.tolist()], dtype=np.float64)
    if not (np.isfinite(weight) & (weight >= 0)).all():
        raise SettingError(f"weights must be zero or greater, got {dict(weights)}; zero never labels a subclass")
    with np.errstate(divide="ignore"):
        return _draw(positives, n, log_weight=np.log(weight)[which], rng=rng)


def _draw(
    positives: NDArray[np.int64], n: int, *, log_weight: NDArray[np.float64], rng: np.random.Generator
) -> NDArray[np.int64]:
    eligible = int(np.count_nonzero(log_weight > -np.inf))
    if not 1 <= n <= eligible:
        raise SettingError(
            f"cannot label {n} rows: {eligible} true positives may get a label; pass a number from 1 to {eligible}"
        )
    # The n largest of log w + Gumbel noise are n draws without replacement in proportion to w.
    key = log_weight + rng.gumbel(size=len(positives))
    return np.sort(positives[np.argpartition(key, -n)[-n:]])


def _standardise(values: NDArray[np.float64]) -> NDArray[np.float64]:
    spread = values.std(axis=0)
    return np.asarray((values - values.mean(axis=0)) / np.where(spread > 0, spread, 1.0))
