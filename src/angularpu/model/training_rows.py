"""The rows that a model was fitted on, found again in a file, with the scores of models that did not see them."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from angularpu.data.row_hashes import hash_rows
from angularpu.errors import DataError, ModelError
from angularpu.methods.fitted import Fitted


class TrainingRows:
    """Gives rows of the training data, in any order, their cross-fitted scores.

    A row that stands in the training data several times gets its scores one after another, in their order there: known
    positives first, then unlabelled rows.

    Parameters
    ----------
    fitted : Fitted
        A model whose rows were all held out once.
    """

    def __init__(self, fitted: Fitted) -> None:
        held, kept = fitted.held, fitted.remembered
        if held.source != "cross-fitted":
            raise ModelError(
                "the model was not fitted in folds, so no other model has scored most of its rows; fit it with "
                "--set validation=folds"
            )
        if kept.hash_pos is None or kept.hash_unl is None:
            raise ModelError("the model is of a version that kept no trace of its rows; fit it again")
        if len(held.score_unl) < held.n_unl:
            raise ModelError(
                f"of the {held.n_unl:,} unlabelled rows that the model was fitted on, {len(held.score_unl):,} were "
                "scored by models that did not learn from them; leave --out-of-fold out"
            )
        hashes = np.concatenate([kept.hash_pos, kept.hash_unl])
        order = np.argsort(hashes, kind="stable")
        self._hashes = hashes[order]
        self._score = np.concatenate([held.score_pos, held.score_unl])[order]
        self._known = (np.arange(len(hashes)) < len(kept.hash_pos))[order]
        self._given = np.zeros(len(hashes), np.int64)  # by the first place of each row: how often it came

    def find(self, prepared: Any, *, first_row: int) -> tuple[NDArray[np.float32], NDArray[np.bool_]]:
        """Return the scores of prepared rows and which of them are known positives; refuse a row that is not there.

        Parameters
        ----------
        prepared : matrix
            The next rows of a file.
        first_row : int
            The number of the first of them, for messages.
        """
        wanted = hash_rows(prepared)
        first = np.searchsorted(self._hashes, wanted, side="left")
        # Rows of this piece that are alike take one place each.
        order = np.argsort(first, kind="stable")
        alike = np.diff(first[order], prepend=-1) != 0
        start = np.maximum.accumulate(np.where(alike, np.arange(len(order)), 0))
        turn = np.empty(len(order), np.int64)
        turn[order] = np.arange(len(order)) - start
        inside = np.minimum(first, len(self._hashes) - 1)
        place = inside + self._given[inside] + turn
        there = place < len(self._hashes)
        there[there] &= self._hashes[place[there]] == wanted[there]
        if not there.all():
            row = first_row + int(np.flatnonzero(~there)[0]) + 1
            raise DataError(
                f"row {row} is not one of the rows that the model was fitted on, or came more often than there; "
                "out-of-fold scores exist for the training data alone: pass that file, or leave --out-of-fold out"
            )
        np.add.at(self._given, inside, 1)
        return self._score[place], self._known[place]


def recognise(fitted: Fitted, prepared: Any) -> NDArray[np.bool_]:
    """Tell which prepared rows the model was fitted on, as far as it remembers."""
    kept = fitted.remembered
    if kept.hash_pos is None or kept.hash_unl is None:
        return np.zeros(prepared.shape[0], bool)
    return np.isin(hash_rows(prepared), np.concatenate([kept.hash_pos, kept.hash_unl]))
