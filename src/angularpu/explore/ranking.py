"""All rows of a file by score, and which of them a page shows."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from angularpu.data.row_hashes import hash_rows
from angularpu.data.rows import spread
from angularpu.errors import DataError
from angularpu.methods.fitted import Fitted
from angularpu.model.scored_pieces import score_pieces
from angularpu.model.training_rows import recognise
from angularpu.progress import ReportProgress

MOST_ROWS = 100_000
MOST_KNOWN = 5_000  # known positives that are always shown, to be compared with
TOP = 2_000  # rows of which all is kept
SAMPLED = 1_000  # of the others, and of the known positives, likewise
SEED = 0  # equal files, equal pages

Places = NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class Ranking:
    """Scores of all rows of a file, and the rows that are shown.

    Attributes
    ----------
    score : float32 array of shape (n,)
        In the file's order.
    known : bool array of shape (n,)
        Which rows are known positives.
    seen : int
        How many rows the model was fitted on, as far as it remembers, and scored all the same.
    rows : int64 array of shape (m,)
        The rows that are shown, the highest score first, counted from 0.
    deep : int64 array
        Places in ``rows`` of which all is kept: the best unlabelled rows, asked ones, then samples of the others.
    """

    score: NDArray[np.float32]
    known: NDArray[np.bool_]
    seen: int
    rows: Places
    deep: Places


def rank_rows(
    fitted: Fitted,
    data: Path,
    *,
    label: str | None = None,
    out_of_fold: bool = False,
    wanted: Sequence[int] = (),
    report: ReportProgress | None = None,
) -> Ranking:
    """Score a file and choose the rows to show.

    Without a label column the known positives are those that the model remembers.

    Parameters
    ----------
    fitted, data, label, out_of_fold, report
        As :func:`~angularpu.model.scored_pieces.score_pieces` takes them.
    wanted : sequence of int
        Rows that must be shown, counted from 0.
    """
    score, known, seen = [], [], 0
    for piece in score_pieces(fitted, data, label=label, out_of_fold=out_of_fold, report=report):
        score.append(piece.table["score"].to_numpy())
        told = label is not None or out_of_fold
        known.append(piece.known if told else _remember(fitted, piece.prepared))
        seen += 0 if out_of_fold else int(np.count_nonzero(recognise(fitted, piece.prepared)))
    if not score:
        raise DataError(f"{data} has no rows, so there is nothing to look at")
    whole, marked = np.concatenate(score).astype(np.float32), np.concatenate(known)
    if len(wanted) and max(wanted) >= len(whole):
        raise DataError(
            f"the audit has row {max(wanted) + 1}, but {data} has {len(whole)} rows; pass the data it was drawn from"
        )
    rows, deep = choose_rows(whole, marked, wanted=np.asarray(wanted, np.int64))
    return Ranking(whole, marked, seen, rows, deep)


def choose_rows(score: NDArray[np.float32], known: NDArray[np.bool_], *, wanted: Places) -> tuple[Places, Places]:
    """Return the rows to show, the best first, and the places among them of which all is kept.

    Up to 100,000 rows are all shown. Of more: the better half of as many, an even sample of the others, the rows
    that are wanted and some known positives.

    >>> rows, deep = choose_rows(np.array([1, 3, 2], np.float32), np.array([False, False, True]), wanted=np.array([0]))
    >>> rows.tolist(), deep.tolist()
    ([1, 2, 0], [0, 2, 1])
    """
    order = np.argsort(-score, kind="stable")
    if len(order) > MOST_ROWS:
        half = MOST_ROWS // 2
        rng = np.random.default_rng(SEED)
        others = rng.choice(order[half:], MOST_ROWS - half, replace=False)
        shown = np.zeros(len(order), bool)
        shown[np.concatenate([order[:half], others, wanted, spread(np.flatnonzero(known), MOST_KNOWN)])] = True
        order = order[shown[order]]
    is_known = known[order]
    unlabelled = np.flatnonzero(~is_known)
    asked = np.flatnonzero(np.isin(order, wanted))
    groups = [
        unlabelled[:TOP],
        asked,
        spread(np.flatnonzero(is_known), SAMPLED),
        spread(unlabelled[TOP:], SAMPLED) if len(unlabelled) > TOP else unlabelled[:0],
    ]
    # In the order of the groups, each row once.
    return order, np.array(list(dict.fromkeys(np.concatenate(groups).tolist())), np.int64)


def _remember(fitted: Fitted, prepared: Any) -> NDArray[np.bool_]:
    """Tell which rows were known positives of the fit and nothing else there."""
    kept = fitted.remembered
    if kept.hash_pos is None or kept.hash_unl is None:
        return np.zeros(prepared.shape[0], bool)
    hashes = hash_rows(prepared)
    return np.isin(hashes, kept.hash_pos) & ~np.isin(hashes, kept.hash_unl)
