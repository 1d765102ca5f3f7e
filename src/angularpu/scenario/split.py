"""Rows that are held out to choose an epoch and a threshold, without true classes.

A split depends on the generator and on the sample's labels only, so that all methods are compared on the same rows.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Literal, NamedTuple, overload

import numpy as np
from numpy.typing import ArrayLike, NDArray

from angularpu.checks import check_share
from angularpu.data.rows import spread
from angularpu.errors import DataError, SettingError
from angularpu.scenario.labels import encode_labels
from angularpu.scenario.sample import PUSample

LEAST_HELD = 30
FEWEST_TO_HOLD_OUT = 10 * LEAST_HELD  # with fewer labelled positives a tenth of them is too few to measure with
ENOUGH_POSITIVES = 1000  # with more, folds still choose better thresholds, but not enough to justify six trainings
ENOUGH_FOR_MEAN = 10_000  # where the folds' models score, their mean ranks better too, as far as it was measured
FOLDS = 5
# Unlabelled rows by which epochs, thresholds and probabilities are chosen. The standard error of a share among so many
# is .001 at most, and what they cost does not grow any more.
MOST_HELD = 250_000

Validation = Literal["auto", "hold-out", "folds"]


class Split(NamedTuple):
    """Row numbers to train on and row numbers held out, both ascending; a plan may leave rows in neither."""

    train: NDArray[np.int64]
    held: NDArray[np.int64]


class FoldSplits(Sequence[Split]):
    """The splits that hold out one fold each; row numbers are made when a split is asked for, and not kept.

    Parameters
    ----------
    fold : uint8 array of shape (n,), or a wider type
        The fold of every row.
    k : int
        How many folds there are.
    s : int8 array of shape (n,), optional
        Labels: with them, every split names at most its part of 250,000 unlabelled rows as held out.
    """

    def __init__(self, fold: NDArray[Any], k: int, s: NDArray[np.int8] | None = None) -> None:
        self._fold, self._k, self._s = fold, k, s

    def __len__(self) -> int:
        return self._k

    @overload
    def __getitem__(self, number: int) -> Split: ...

    @overload
    def __getitem__(self, number: slice) -> list[Split]: ...

    def __getitem__(self, number: int | slice) -> Split | list[Split]:
        if isinstance(number, slice):
            return [self[each] for each in range(*number.indices(self._k))]
        chosen = range(self._k)[number]
        held = np.flatnonzero(self._fold == chosen)
        if self._s is not None:
            held = _thin_held(held, self._s, most=MOST_HELD // self._k)
        return Split(np.flatnonzero(self._fold != chosen), held)


@dataclass(frozen=True, eq=False)
class ValidationPlan:
    """How the rows of a sample are held out.

    Attributes
    ----------
    kind : {"hold-out", "folds", "none"}
        One split; splits that hold out every row once; or no split at all.
    splits : sequence of Split
        The splits themselves.
    note : str
        One sentence for the user.
    """

    kind: Literal["hold-out", "folds", "none"]
    splits: Sequence[Split]
    note: str


def hold_out(sample: PUSample, *, rng: np.random.Generator, share: float = 0.1) -> Split:
    """Hold out a share of the labelled positives and of the unlabelled rows, at least 30 of the former.

    Parameters
    ----------
    sample : PUSample
        At least 31 labelled positives and two unlabelled rows.
    rng : numpy.random.Generator
        Makes the random choices.
    share : float in (0, 1), default 0.1
        How much is held out.

    Examples
    --------
    >>> from angularpu.scenario.sample import make_sample
    >>> sample = make_sample(np.zeros((1400, 1)), np.arange(1400) < 400, scenario="one-sample")
    >>> train, held = hold_out(sample, rng=np.random.default_rng(0))
    >>> len(train), sample.s[held].sum(), len(held)
    (1260, np.int64(40), 140)
    """
    check_share("share", share, advice="0.1 holds out a tenth")
    n_pos = max(LEAST_HELD, round(share * sample.n_pos))
    n_unl = max(1, round(share * sample.n_unl))
    if n_pos >= sample.n_pos or n_unl >= sample.n_unl:
        raise DataError(
            f"cannot hold out {n_pos} of {sample.n_pos} labelled positives and {n_unl} of {sample.n_unl} unlabelled "
            "rows and still train; use folds, which hold every row out once"
        )
    held = np.zeros(len(sample.s), dtype=bool)
    held[rng.choice(sample.pos, n_pos, replace=False)] = True
    held[rng.choice(sample.unl, n_unl, replace=False)] = True
    return Split(np.flatnonzero(~held), np.flatnonzero(held))


def folds(sample: PUSample, k: int, *, rng: np.random.Generator) -> Sequence[Split]:
    """Divide the rows into ``k`` folds, each with its part of the positives; every row is held out exactly once.

    Parameters
    ----------
    sample : PUSample
        At least ``k`` labelled positives and ``k`` unlabelled rows.
    k : int
        Number of folds, at least 2.
    rng : numpy.random.Generator
        Makes the random choices.

    Examples
    --------
    >>> from angularpu.scenario.sample import make_sample
    >>> sample = make_sample(np.zeros((10, 1)), np.arange(10) < 4, scenario="one-sample")
    >>> [int(sample.s[held].sum()) for _, held in folds(sample, 2, rng=np.random.default_rng(0))]
    [2, 2]
    """
    return FoldSplits(_deal(sample.s, k, rng=rng), k)


@dataclass(frozen=True)
class PUStratifiedKFold:
    """Folds that each have their part of the labelled positives; pass it as ``cv=`` to scikit-learn.

    A fold without a labelled positive has no PU metrics, so it is refused; scikit-learn's StratifiedKFold only warns.

    Parameters
    ----------
    n_splits : int, default 5
        Number of folds, at least 2 and at most the number of labelled positives and of unlabelled rows.
    random_state : int, default 0
        Fixes the folds: the same labels always give the same folds.

    Examples
    --------
    >>> s = np.array(["ill", "?", "?", "?", "ill", "?"])
    >>> [s[held].tolist().count("ill") for _, held in PUStratifiedKFold(2).split(np.zeros((6, 1)), s)]
    [1, 1]
    """

    n_splits: int = 5
    random_state: int = 0

    def split(self, X: Any, y: ArrayLike, groups: None = None) -> Iterator[Split]:
        """Yield row numbers to train on and row numbers held out, by the label indicator s in ``y``."""
        s, _ = encode_labels(y)
        yield from FoldSplits(_deal(s, self.n_splits, rng=np.random.default_rng(self.random_state)), self.n_splits)

    def get_n_splits(self, X: Any = None, y: Any = None, groups: Any = None) -> int:
        """Return the number of folds."""
        return self.n_splits


def holds_out_once(validation: Validation, n_pos: int, *, enough: int = ENOUGH_POSITIVES) -> bool:
    """Tell whether one part of the rows is held out, rather than every row in turn.

    ``enough`` is from how many labelled positives on "auto" does so.

    >>> holds_out_once("auto", 999), holds_out_once("auto", 1000), holds_out_once("hold-out", 300)
    (False, True, True)
    """
    return validation == "hold-out" or (validation == "auto" and n_pos >= enough)


def count_splits(validation: Validation, *, n_pos: int, n_unl: int, enough: int = ENOUGH_POSITIVES) -> int:
    """Return how many times rows are held out: once, or once for every fold, or never where that is impossible.

    >>> count_splits("auto", n_pos=3, n_unl=50), count_splits("auto", n_pos=5000, n_unl=50)
    (3, 1)
    >>> count_splits("hold-out", n_pos=1, n_unl=50)
    0
    """
    k = min(FOLDS, n_pos, n_unl)
    if k < 2:
        return 0
    return 1 if holds_out_once(validation, n_pos, enough=enough) else k


def plan_validation(
    sample: PUSample,
    *,
    rng: np.random.Generator,
    validation: Validation = "auto",
    enough: int = ENOUGH_POSITIVES,
) -> ValidationPlan:
    """Plan what to hold out: a tenth with 1000 labelled positives or more, every row in turn with fewer.

    Of unlabelled rows at most 250,000 are held out in all; others that were not trained on are left out of both.

    Parameters
    ----------
    sample : PUSample
        Any sample; with one labelled positive or one unlabelled row the plan says that nothing can be held out.
    rng : numpy.random.Generator
        Makes the random choices.
    validation : {"auto", "hold-out", "folds"}
        "hold-out" and "folds" choose one of the two, however many positives there are.
    enough : int, default 1000
        From how many labelled positives on "auto" holds out a tenth.

    Examples
    --------
    >>> from angularpu.scenario.sample import make_sample
    >>> sample = make_sample(np.zeros((90, 1)), np.arange(90) < 50, scenario="one-sample")
    >>> plan = plan_validation(sample, rng=np.random.default_rng(0))
    >>> plan.kind, len(plan.splits)
    ('folds', 5)
    """
    k = count_splits(validation, n_pos=sample.n_pos, n_unl=sample.n_unl, enough=enough)
    if k == 0:
        counts = f"{sample.n_pos} labelled positive(s) and {sample.n_unl} unlabelled row(s)"
        return ValidationPlan("none", (), f"no validation: {counts} cannot be split in two")
    if k == 1:
        train, held = hold_out(sample, rng=rng)
        split = Split(train, _thin_held(held, sample.s, most=MOST_HELD))
        n_pos = int(np.count_nonzero(sample.s[split.held]))
        note = f"held out: {n_pos} labelled positives and {len(split.held) - n_pos} unlabelled rows"
        return ValidationPlan("hold-out", (split,), note)
    note = f"cross-fitted in {k} folds of {sample.n_pos} labelled positives and {sample.n_unl} unlabelled rows"
    return ValidationPlan("folds", FoldSplits(_deal(sample.s, k, rng=rng), k, sample.s), note)


def _deal(s: NDArray[np.int8], k: int, *, rng: np.random.Generator) -> NDArray[Any]:
    """Return the fold of every row."""
    pos, unl = np.flatnonzero(s == 1), np.flatnonzero(s == 0)
    if not 2 <= k <= min(len(pos), len(unl)):
        raise SettingError(
            f"cannot divide {len(pos)} labelled positives and {len(unl)} unlabelled rows into {k} folds; "
            f"k must be at least 2 and at most the smaller count"
        )
    fold = np.empty(len(s), np.min_scalar_type(k))
    for part in (pos, unl):
        fold[rng.permutation(part)] = np.arange(len(part)) % k
    return fold


def _thin_held(held: NDArray[np.int64], s: NDArray[np.int8], *, most: int) -> NDArray[np.int64]:
    """Return all labelled rows that are held out, and at most so many of the others, evenly from first to last."""
    unl = held[s[held] == 0]
    return held if len(unl) <= most else np.sort(np.concatenate([held[s[held] == 1], spread(unl, most)]))
