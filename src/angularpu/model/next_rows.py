"""Which rows to review next: the most likely ones, the uncertain ones, and some unlike all of these."""

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray
from sklearn.preprocessing import normalize

from angularpu.data.assembly import subset
from angularpu.data.io.writing import open_writer
from angularpu.data.row_fingerprints import fingerprint_each, write_fingerprint
from angularpu.data.rows import Rows
from angularpu.errors import DataError, SettingError
from angularpu.methods.fitted import Fitted
from angularpu.model.heap_file import read_heap, show_rows
from angularpu.scenario.review_file import read_reviews
from angularpu.scenario.sample import PUSample

TOP, UNCERTAIN, UNLIKE = "top-ranked", "uncertain", "unlike the others"
POOL = 20  # rows unlike the others are looked for among the highest scores, so many times as are asked for


@dataclass(frozen=True)
class Proposal:
    """Rows to review.

    Attributes
    ----------
    row : int64 array of shape (n,)
        Their numbers, counted from 0.
    why : list of str
        "top-ranked", "uncertain" or "unlike the others".
    score : float32 array of shape (n,)
    """

    row: NDArray[np.int64]
    why: list[str]
    score: NDArray[np.float32]


def propose(fitted: Fitted, rows: Rows, candidates: NDArray[np.int64], *, n: int) -> Proposal:
    """Propose rows: half of them with the highest scores, a quarter nearest the threshold, a quarter unlike the others.

    The last are found one by one: of the rows with the highest scores, the one whose largest cosine to all rows that
    were chosen before is smallest.

    Parameters
    ----------
    fitted : Fitted
    rows : Rows
    candidates : int64 array
        Numbers of the rows that may be proposed.
    n : int
        How many; all candidates if there are no more.
    """
    if n < 1:
        raise SettingError(f"--n must be a whole number of at least 1, got {n}")
    if not len(candidates):
        raise DataError("every row is known or was reviewed, so there is none to propose")
    score = fitted.score(subset(rows, candidates))
    n = min(n, len(candidates))
    n_uncertain = n_unlike = n // 4
    order = np.argsort(-score, kind="stable")
    top, rest = np.split(order, [n - n_uncertain - n_unlike])
    rest = rest[np.argsort(np.abs(score[rest] - fitted.decision.threshold), kind="stable")]
    uncertain, rest = np.split(rest, [n_uncertain])
    pool = rest[np.argsort(-score[rest], kind="stable")][: POOL * n]
    chosen = np.concatenate([top, uncertain])
    unlike = _find_unlike(fitted, rows, candidates[chosen], candidates[pool], n=n_unlike)
    every = np.concatenate([chosen, pool[unlike]])
    why = [TOP] * len(top) + [UNCERTAIN] * len(uncertain) + [UNLIKE] * len(unlike)
    return Proposal(candidates[every], why, score[every])


def _find_unlike(
    fitted: Fitted, rows: Rows, chosen: NDArray[np.int64], pool: NDArray[np.int64], *, n: int
) -> NDArray[np.int64]:
    """Return places in the pool, each row the least like all that were chosen before."""
    if not n:
        return np.empty(0, np.int64)
    prepared: Any = fitted.preparation.apply(rows.take(np.concatenate([chosen, pool])))
    unit = normalize(prepared.reshape(prepared.shape[0], -1))
    there, pooled = unit[: len(chosen)], unit[len(chosen) :]

    def liken(others: Any) -> NDArray[Any]:
        cosines = pooled @ others.T
        return np.asarray(cosines.toarray() if hasattr(cosines, "toarray") else cosines)

    nearest = liken(there).max(axis=1)
    found: list[int] = []
    for _ in range(n):
        place = int(np.argmin(nearest))
        found.append(place)
        nearest = np.maximum(nearest, liken(pooled[place : place + 1])[:, 0])
        nearest[found] = np.inf
    return np.array(found, np.int64)


def write_proposal(
    fitted: Fitted,
    data: Path,
    *,
    out: Path,
    n: int,
    label: str | None = None,
    positive: str | None = None,
    reviews: Path | None = None,
    overwrite: bool = False,
) -> Proposal:
    """Propose rows of a file, and write them as CSV with an empty column ``answer``, ready for ``fit --reviews``.

    Parameters
    ----------
    fitted : Fitted
    data : Path
        A table (.csv, .parquet) or array (.npy, .npz); it is read whole.
    out : Path
        A .csv file.
    n : int
    label, positive : str, optional
        The column that tells known positives, which are left out, and its value that marks them.
    reviews : Path, optional
        Reviews of the same data; rows with an answer are left out.
    overwrite : bool
        Replace a file that is there, with its answers.
    """
    if out.suffix.lower() != ".csv":
        raise DataError(f"rows to review are written as CSV, so their file must end in .csv, got {out}; rename it")
    if out.exists() and not overwrite:
        raise DataError(f"{out} exists already, and may hold answers; choose another name or pass --force")
    rows, s = read_heap(fitted, data, label=label, positive=positive)
    candidates = np.arange(len(rows)) if s is None else np.flatnonzero(s == 0)
    if reviews is not None:
        if s is None:
            raise SettingError("--reviews goes with --label, the column of known positives; name it too")
        said = read_reviews(reviews, PUSample(rows, s, fitted.held.scenario))
        candidates = np.setdiff1d(candidates, np.concatenate([said.confirmed, said.refuted]))
    proposal = propose(fitted, rows, candidates, n=n)
    table = _make_table(rows, proposal, shown=show_rows(data, proposal.row))
    with open_writer(out, safe=True) as writer:
        writer.write(table)
    return proposal


def _make_table(rows: Rows, proposal: Proposal, *, shown: pa.Table | None) -> pa.Table:
    prints = [write_fingerprint(number) for number in fingerprint_each(rows.take(proposal.row))]
    table = pa.table(
        {
            "row": proposal.row + 1,
            "answer": pa.array([""] * len(prints)),
            "fingerprint": prints,
            "why": proposal.why,
            "score": proposal.score,
        }
    )
    if shown is None:
        return table
    for name in shown.column_names:
        table = table.append_column(f"data.{name}" if name in table.column_names else name, shown[name])
    return table
