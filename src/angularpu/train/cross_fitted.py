"""Models of all folds, and the scores by which a threshold is chosen for their mean."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Self, TypeVar

import numpy as np
from numpy.typing import NDArray

from angularpu.data.rows import spread
from angularpu.scenario.sample import PUSample
from angularpu.scenario.split import Split
from angularpu.train.outcome import Scorer
from angularpu.train.spread import fit_spread
from angularpu.train.state import HeldScores

Index = NDArray[np.int64]
Floats = NDArray[np.float64]
Numbers = TypeVar("Numbers", NDArray[np.float32], NDArray[np.float64])
SEEN = 5000  # rows are enough to compare two distributions


@dataclass(frozen=True, eq=False)
class Folds:
    """The rows of a sample, each held out once; of very many unlabelled rows a draw.

    Attributes
    ----------
    splits : sequence of Split
    held : tuple of (ndarray, ndarray)
        For every fold the numbers of the labelled positives and of the unlabelled rows that are held out.
    seen : ndarray of int64
        Numbers of some unlabelled rows that are held out, which every model scores: all of them, or 5000 of them.
    """

    splits: Sequence[Split]
    held: tuple[tuple[Index, Index], ...]
    seen: Index

    @classmethod
    def of(cls, sample: PUSample, splits: Sequence[Split]) -> Self:
        """Take a sample apart by splits that hold out no row twice."""
        held = tuple((held[sample.s[held] == 1], held[sample.s[held] == 0]) for _, held in splits)
        return cls(splits, held, spread(np.sort(np.concatenate([unl for _, unl in held])), SEEN))

    @property
    def rows(self) -> tuple[Index, Index]:
        """The numbers of the labelled positives and of the unlabelled rows that are held out, ascending."""
        pos, unl = (np.sort(np.concatenate(rows)) for rows in zip(*self.held, strict=True))
        return pos, unl


@dataclass(frozen=True, eq=False)
class CrossFitted:
    """A method's model of every fold, with scores as that model gives them.

    Attributes
    ----------
    models : tuple of Scorer
    held : tuple of (ndarray, ndarray)
        Each model's scores of the rows that it was not trained on: labelled positives, unlabelled rows.
    unchosen : tuple of (ndarray, ndarray)
        The same after the epoch that the other folds chose, for judging: a network that keeps the epoch which ranks its
        held-out rows best looks better on them than it is. Equal to ``held`` where there are no epochs.
    seen : tuple of ndarray
        Each model's scores of the rows :attr:`Folds.seen`.
    epochs : tuple of int
        The epoch that each model kept; 0 where there are no epochs.
    history : list of dict
        One entry per fold and epoch.
    """

    models: tuple[Scorer, ...]
    held: tuple[HeldScores, ...]
    unchosen: tuple[HeldScores, ...]
    seen: tuple[NDArray[np.float32], ...]
    epochs: tuple[int, ...]
    history: list[dict[str, Any]]


@dataclass(frozen=True, eq=False)
class FoldScores:
    """Scores on the common scale.

    Attributes
    ----------
    held : tuple of (ndarray, ndarray)
        By every fold's model, of the labelled positives and of the unlabelled rows that it was not trained on.
    seen : float64 array of shape (folds, rows)
        By every fold's model, of the rows :attr:`Folds.seen`.
    """

    held: tuple[tuple[Floats, Floats], ...]
    seen: Floats

    def join(self, folds: Folds) -> tuple[Floats, Floats]:
        """Return the held-out scores of all folds in the order of the sample's rows."""
        return join(self.held, folds)

    def join_as_mean(self, folds: Folds) -> HeldScores:
        """Return the held-out scores of all folds, spread as the scores of the models' mean are."""
        own_fold = np.stack([np.isin(folds.seen, unl) for _, unl in folds.held])
        spread = fit_spread(self.seen, learnt_from=~own_fold)
        pos, unl = self.join(folds)
        return spread.apply(pos), spread.apply(unl)


def join(held: Sequence[tuple[Numbers, Numbers]], folds: Folds) -> tuple[Numbers, Numbers]:
    """Return the held-out scores of all folds in the order of the sample's rows, as if one model had made them."""
    pos, unl = zip(*held, strict=True)
    by_pos, by_unl = (np.argsort(np.concatenate(rows)) for rows in zip(*folds.held, strict=True))
    return np.concatenate(pos)[by_pos], np.concatenate(unl)[by_unl]


def mix(parts: Sequence[FoldScores], weights: Sequence[float]) -> FoldScores:
    """Return the weighted sum of several methods' scores, fold by fold.

    >>> one = FoldScores(((np.array([1.0]), np.array([0.0])),), np.array([[0.0]]))
    >>> two = FoldScores(((np.array([3.0]), np.array([2.0])),), np.array([[4.0]]))
    >>> mix([one, two], [0.5, 0.5]).held, mix([one, two], [0.75, 0.25]).seen
    (((array([2.]), array([1.])),), array([[1.]]))
    """

    def add(arrays: Sequence[Floats]) -> Floats:
        total: Floats = np.tensordot(np.asarray(weights), np.stack(arrays), axes=1)
        return total

    by_fold = zip(*(part.held for part in parts), strict=True)
    held = tuple((add([pos for pos, _ in fold]), add([unl for _, unl in fold])) for fold in by_fold)
    return FoldScores(held, add([part.seen for part in parts]))
