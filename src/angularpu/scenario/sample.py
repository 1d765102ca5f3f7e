"""A sample of labelled positives and unlabelled rows; the truth about it is another object."""

import difflib
import hashlib
from dataclasses import dataclass
from typing import Any, Literal, get_args

import numpy as np
from numpy.typing import ArrayLike, NDArray

from angularpu.data.assembly import subset
from angularpu.data.rows import Rows
from angularpu.data.sources import as_rows
from angularpu.errors import DataError, SettingError
from angularpu.scenario.labels import encode_labels
from angularpu.scenario.reviews import check_reviews, encode_reviews

Scenario = Literal["one-sample", "two-sample"]


@dataclass(frozen=True, eq=False)
class PUSample:
    """Rows of which some are known to be positive; the others may be of either class.

    Parameters
    ----------
    rows : Rows
        All rows, labelled and unlabelled together.
    s : int8 array of shape (n,)
        1 for a labelled positive, 0 for an unlabelled row.
    scenario : {"one-sample", "two-sample"}
        "one-sample": some positives of one population got labels. "two-sample": the positives were drawn apart, and
        the unlabelled rows alone represent the population. The two need different formulas, so there is no default.
    reviews : int8 array of shape (n,), optional
        What a person said about unlabelled rows: 1 positive, -1 negative, 0 nothing. Learning uses it. Estimates do
        not, since rows are reviewed by choice: for them every reviewed row stays an unlabelled one.

    Examples
    --------
    >>> sample = make_sample(np.eye(4), [1, 0, 0, 1], scenario="one-sample")
    >>> sample.n_pos, sample.n_unl, sample.pos.tolist()
    (2, 2, [0, 3])
    """

    rows: Rows
    s: NDArray[np.int8]
    scenario: Scenario
    reviews: NDArray[np.int8] | None = None

    def __post_init__(self) -> None:
        check_scenario(self.scenario)
        _check_indicator("s", self.s)
        if len(self.rows) != len(self.s):
            raise DataError(f"x has {len(self.rows)} rows but s has {len(self.s)} labels; pass one label per row")
        if self.n_pos == 0:
            raise DataError("no row is labelled positive; at least one labelled positive is needed to learn from")
        if self.n_unl == 0:
            raise DataError("every row is labelled positive; add unlabelled rows to tell positives from the rest")
        if self.reviews is not None:
            check_reviews(self.reviews, self.s)

    @property
    def n_pos(self) -> int:
        """How many rows are labelled positive."""
        return int(np.count_nonzero(self.s))

    @property
    def n_unl(self) -> int:
        """How many rows are unlabelled."""
        return len(self.s) - self.n_pos

    @property
    def pos(self) -> NDArray[np.int64]:
        """The numbers of the labelled positives, ascending."""
        return np.flatnonzero(self.s)

    @property
    def unl(self) -> NDArray[np.int64]:
        """The numbers of the unlabelled rows, ascending."""
        return np.flatnonzero(self.s == 0)

    @property
    def confirmed(self) -> NDArray[np.int64]:
        """The numbers of the unlabelled rows that a person found positive, ascending."""
        return np.flatnonzero(self.reviews == 1) if self.reviews is not None else np.empty(0, np.int64)

    @property
    def refuted(self) -> NDArray[np.int64]:
        """The numbers of the unlabelled rows that a person found negative, ascending."""
        return np.flatnonzero(self.reviews == -1) if self.reviews is not None else np.empty(0, np.int64)

    def take(self, index: NDArray[np.int64]) -> "PUSample":
        """Return the sample of these rows, in this order, without copying them."""
        reviews = None if self.reviews is None else self.reviews[index]
        return PUSample(subset(self.rows, index), self.s[index], self.scenario, reviews)

    def fingerprint(self) -> str:
        """Return a checksum of rows, labels and scenario: equal samples, equal fingerprint."""
        digest = hashlib.sha256(f"{self.scenario} {self.rows.fingerprint()} ".encode())
        digest.update(self.s.tobytes())
        if self.reviews is not None:
            digest.update(self.reviews.tobytes())
        return digest.hexdigest()


@dataclass(frozen=True, eq=False)
class Truth:
    """The true classes of some rows; only metrics, makers of samples and what is named oracle may use them.

    Parameters
    ----------
    y : int8 array of shape (n,)
        1 for a positive row, 0 for a negative one.

    Examples
    --------
    >>> Truth(np.array([1, 0, 0], np.int8)).take(np.array([2, 0])).y
    array([0, 1], dtype=int8)
    """

    y: NDArray[np.int8]

    def __post_init__(self) -> None:
        _check_indicator("y", self.y)

    def __len__(self) -> int:
        return len(self.y)

    def take(self, index: NDArray[np.int64]) -> "Truth":
        """Return the truth about these rows, in this order."""
        return Truth(self.y[index])


def make_sample(x: Any, s: ArrayLike, *, scenario: Scenario, reviews: ArrayLike | None = None) -> PUSample:
    """Make a sample of rows and labels.

    Parameters
    ----------
    x : array, sparse matrix, frame or Rows
        One row per example; whatever :func:`angularpu.data.sources.as_rows` takes.
    s : array-like of shape (n,)
        Which rows are labelled; see :func:`angularpu.scenario.labels.encode_labels`.
    scenario : {"one-sample", "two-sample"}
        How the labels came about; see :class:`PUSample`.
    reviews : array-like of str, shape (n,), optional
        What a person said about unlabelled rows: "positive", "negative", "unsure" or an empty text.

    Examples
    --------
    >>> make_sample(np.eye(3), [True, False, False], scenario="two-sample").s
    array([1, 0, 0], dtype=int8)
    """
    labels, _ = encode_labels(s)
    return PUSample(as_rows(x), labels, scenario, None if reviews is None else encode_reviews(reviews, labels))


def check_scenario(scenario: str) -> None:
    """Refuse a scenario that does not exist, and name the one that was probably meant.

    >>> check_scenario("one-sample")
    """
    known = get_args(Scenario)
    if scenario not in known:
        near = difflib.get_close_matches(str(scenario), known, n=1)
        advice = f'did you mean "{near[0]}"?' if near else "say how the labels came about"
        raise SettingError(f'scenario must be "one-sample" or "two-sample", got {scenario!r}; {advice}')


def _check_indicator(name: str, values: NDArray[np.int8]) -> None:
    if values.dtype != np.int8 or values.ndim != 1 or not np.isin(values, (0, 1)).all():
        raise DataError(
            f"{name} must be a flat int8 array of 1 and 0, got {values.dtype} of shape {values.shape}; "
            "encode_labels turns any two values into one"
        )
