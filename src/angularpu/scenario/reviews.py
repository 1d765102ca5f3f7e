"""What a person said about unlabelled rows: positive, negative, unsure or nothing."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from angularpu.errors import DataError, quote

POSITIVE, NEGATIVE, UNSURE = "positive", "negative", "unsure"
# A person who is unsure says nothing that could be learnt from.
CODES: Mapping[str, int] = MappingProxyType({POSITIVE: 1, NEGATIVE: -1, UNSURE: 0, "": 0, "yes": 1, "no": -1})
LARGEST_REPEAT = 100


def encode_reviews(words: ArrayLike, s: NDArray[np.int8]) -> NDArray[np.int8]:
    """Turn a word for every row into 1 positive, -1 negative, 0 nothing.

    Parameters
    ----------
    words : array-like of str, shape (n,)
        "positive", "negative", "unsure" or an empty text, in capitals or not; None and NaN are empty. "yes" and "no"
        are all right too.
    s : int8 array of shape (n,)
        Which rows are labelled positive. "positive" about one of these says nothing new; "negative" is refused.

    Examples
    --------
    >>> encode_reviews(["positive", None, "Negative", "unsure", "positive"], np.array([0, 0, 0, 0, 1], np.int8))
    array([ 1,  0, -1,  0,  0], dtype=int8)
    """
    said = np.asarray(words, dtype=object)
    if said.shape != s.shape:
        raise DataError(f"there are {len(s)} rows but reviews of shape {said.shape}; give one word for every row")
    reviews = np.array([_encode(word) for word in said], np.int8)
    reviews[(reviews == 1) & (s == 1)] = 0
    check_reviews(reviews, s)
    return reviews


def check_reviews(reviews: NDArray[np.int8], s: NDArray[np.int8]) -> None:
    """Refuse reviews that are no int8 array of 1, -1 and 0, or that speak of labelled rows.

    >>> check_reviews(np.array([0, -1], np.int8), np.array([1, 0], np.int8))
    """
    if reviews.dtype != np.int8 or reviews.shape != s.shape or not np.isin(reviews, (-1, 0, 1)).all():
        raise DataError(
            f"reviews must be an int8 array of 1, -1 and 0 for {len(s)} rows, got {reviews.dtype} of shape "
            f"{reviews.shape}; encode_reviews makes one of words"
        )
    wrong = np.flatnonzero((reviews != 0) & (s == 1))
    if len(wrong):
        raise DataError(
            f"row {wrong[0]} is labelled positive but was reviewed as negative; correct its label or its review"
        )


def weigh_negatives(*, n_pos: int, n_neg: int) -> float:
    """Return how much reviewed negatives count beside all unlabelled rows, which count 1.

    n_N/(n_N + n_P): nothing without any, half when they are as many as the positives to learn from.

    >>> weigh_negatives(n_pos=200, n_neg=0), weigh_negatives(n_pos=30, n_neg=30)
    (0.0, 0.5)
    """
    return n_neg / (n_neg + n_pos)


def apply_reviews(
    index: NDArray[np.int64], s: NDArray[np.int8], reviews: NDArray[np.int8] | None
) -> tuple[NDArray[np.int64], NDArray[np.int8]]:
    """Return which rows a classifier of P against U learns from, and their labels.

    Confirmed positives join P. Reviewed negatives stay on the side of U and are repeated, so that together they weigh
    what :func:`weigh_negatives` says beside the other unlabelled rows.

    Parameters
    ----------
    index : int64 array
        Numbers of the rows to learn from.
    s, reviews : int8 arrays
        Of all rows.

    Examples
    --------
    >>> s, reviews = np.array([1, 1, 0, 0, 0, 0, 0, 0], np.int8), np.array([0, 0, 1, -1, 0, 0, 0, 0], np.int8)
    >>> rows, labels = apply_reviews(np.arange(8), s, reviews)
    >>> rows.tolist(), labels.tolist()
    ([0, 1, 2, 3, 4, 5, 6, 7], [1, 1, 1, 0, 0, 0, 0, 0])
    """
    if reviews is None or not reviews[index].any():
        return index, s[index]
    said = reviews[index]
    label = np.where(said == 1, 1, s[index]).astype(np.int8)
    n_pos, n_neg = int(label.sum()), int(np.count_nonzero(said == -1))
    n_unl = len(index) - n_pos - n_neg
    each = min(LARGEST_REPEAT, weigh_negatives(n_pos=n_pos, n_neg=n_neg) * n_unl / n_neg) if n_neg else 1.0
    times = np.where(said == -1, max(1, round(each)), 1)
    return np.repeat(index, times), np.repeat(label, times)


def _encode(word: Any) -> int:
    text = "" if word is None or word != word else str(word).strip().lower()
    if text not in CODES:
        raise DataError(f"a review is positive, negative, unsure or empty, got {quote(word)}; correct it")
    return CODES[text]
