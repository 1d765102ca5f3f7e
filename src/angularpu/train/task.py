"""What one training is about: which rows are learnt from and which are held out."""

from collections.abc import Iterator
from dataclasses import dataclass, field, replace

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from angularpu.algorithms.base import Algorithm, MakeView, Which, unaltered
from angularpu.train.prepared_rows import PreparedRows
from angularpu.train.scoring import embed_rows, score_rows
from angularpu.train.state import HeldScores

Index = NDArray[np.int64]


@dataclass(frozen=True)
class Task:
    """Rows to learn from, and rows held out to choose the epoch by.

    Attributes
    ----------
    prepared : PreparedRows
        All rows of the sample.
    pos, unl : ndarray of int64
        Numbers of the rows to learn from.
    held_pos, held_unl : ndarray of int64
        Numbers of the rows held out; both empty when none are.
    neg : ndarray of int64
        Numbers of the rows to learn from that a person found negative; they are not among ``unl``.
    confirmed : ndarray of int64
        Numbers of unlabelled rows that a person found positive. Learning has them among ``pos``; a row held out is an
        unlabelled one all the same, since estimates rest on labels that were drawn and not chosen.
    make_view : callable
        Makes another view of prepared rows, in the way of their kind.
    """

    prepared: PreparedRows
    pos: Index
    unl: Index
    held_pos: Index = field(default_factory=lambda: np.empty(0, np.int64))
    held_unl: Index = field(default_factory=lambda: np.empty(0, np.int64))
    neg: Index = field(default_factory=lambda: np.empty(0, np.int64))
    confirmed: Index = field(default_factory=lambda: np.empty(0, np.int64))
    make_view: MakeView = unaltered

    def split(self, learn: Index, held: Index) -> "Task":
        """Return the task of learning from some of the rows with others held out."""

        def among(index: Index, *kinds: Index) -> Iterator[Index]:
            return (index[np.isin(index, rows)] for rows in kinds)

        pos, unl, neg = among(learn, self.pos, self.unl, self.neg)
        held_pos, held_unl = among(held, *self.as_labelled)
        return replace(self, pos=pos, unl=unl, neg=neg, held_pos=held_pos, held_unl=held_unl)

    @property
    def as_labelled(self) -> tuple[Index, Index]:
        """The numbers of the labelled positives and of the unlabelled rows, as if nothing had been reviewed."""
        if not len(self.neg) and not len(self.confirmed):
            return self.pos, self.unl
        pos = np.setdiff1d(self.pos, self.confirmed, assume_unique=True)
        return pos, np.sort(np.concatenate([self.unl, self.neg, self.confirmed]))

    @property
    def n_rows(self) -> int:
        """One more than the greatest row number."""
        parts = (self.pos, self.unl, self.neg, self.held_pos, self.held_unl)
        return 1 + max(int(part.max()) for part in parts if len(part))

    def show_row(self) -> Tensor:
        """Return one of the prepared rows, for its shape."""
        return self.prepared.gather(torch.zeros(1, dtype=torch.int64))

    def rows(self, which: Which) -> Index:
        """Return the numbers of the rows of one kind to learn from."""
        return self.pos if which == "positives" else self.unl


@dataclass
class TaskView:
    """An algorithm's look at its own outputs on the training rows."""

    algorithm: Algorithm
    task: Task
    phase: str = ""

    def index(self, which: Which) -> Tensor:
        """Return the numbers of the training rows of one kind."""
        return torch.from_numpy(self.task.rows(which))

    def scores(self, which: Which) -> Tensor:
        """Return the scores of the training rows of one kind."""
        return torch.from_numpy(score_rows(self.algorithm, self.task.prepared, self.task.rows(which)))

    def embeddings(self, which: Which) -> Tensor:
        """Return the embeddings of the training rows of one kind."""
        return torch.from_numpy(embed_rows(self.algorithm, self.task.prepared, self.task.rows(which)))

    def held_scores(self) -> tuple[Tensor, Tensor] | None:
        """Return the scores of the rows held out, if there are any."""
        held = score_held(self.algorithm, self.task)
        return None if held is None else (torch.from_numpy(held[0]), torch.from_numpy(held[1]))


def score_held(algorithm: Algorithm, task: Task) -> HeldScores | None:
    """Return the scores of the rows held out, positives and unlabelled rows; None when none are held out."""
    if not len(task.held_pos):
        return None
    both = score_rows(algorithm, task.prepared, np.concatenate([task.held_pos, task.held_unl]))
    return both[: len(task.held_pos)], both[len(task.held_pos) :]
