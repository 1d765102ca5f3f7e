"""Rows of a file drawn to be checked by hand, with a model's scores."""

from dataclasses import replace
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from angularpu.audit.answers import Answers
from angularpu.audit.draw import Audit, draw_rows
from angularpu.audit.file import check_destination, write_audit
from angularpu.data.assembly import subset
from angularpu.data.rows import Rows
from angularpu.decide.calibrate import fit_calibration
from angularpu.errors import DataError
from angularpu.methods.fitted import Fitted
from angularpu.model.heap_file import read_heap, show_rows
from angularpu.scenario.sample import PUSample


def audit_file(
    fitted: Fitted,
    data: Path,
    *,
    out: Path,
    n: int,
    seed: int = 0,
    label: str | None = None,
    positive: str | None = None,
    overwrite: bool = False,
) -> Audit:
    """Draw rows of a file to be checked by hand, and write them as CSV.

    Parameters
    ----------
    fitted : Fitted
        The model.
    data : Path
        A table (.csv, .parquet) or array (.npy, .npz); it is read whole.
    out : Path
        A .csv file; a .json of the same name is written beside it.
    n : int
        How many rows.
    seed : int
    label : str, optional
        The column that tells known positives, which are left out; needed if there are any.
    positive : str, optional
        Its value that marks them, if it is not the greater of two.
    overwrite : bool
        Replace an audit that is there.
    """
    check_destination(out, overwrite=overwrite)
    rows, s = read_heap(fitted, data, label=label, positive=positive)
    audit = draw_heap(fitted, rows, s, n=n, seed=seed)
    write_audit(audit, out, shown=show_rows(data, audit.number - 1), overwrite=overwrite)
    return audit


def draw_heap(fitted: Fitted, rows: Rows, s: NDArray[np.int8] | None, *, n: int, seed: int) -> Audit:
    """Draw rows to be checked by hand from those that are not labelled.

    Parameters
    ----------
    fitted : Fitted
    rows : Rows
    s : int8 array or None
        1 for known positives, which are left out; None if there are none among the rows.
    n : int
    seed : int
    """
    held = fitted.held
    if s is None and len(rows) == held.n_pos + held.n_unl:
        raise DataError(
            f"there are {len(rows)} rows, as many as the model was fitted on, so known positives are among them; say "
            "which they are (--label, or y)"
        )
    unl = np.arange(len(rows)) if s is None else np.flatnonzero(s == 0)
    heap = subset(rows, unl)
    # The model's own heap without its known positives, from a file of its own.
    beside = held.n_pos if s is None and len(rows) == held.n_unl and held.scenario == "one-sample" else 0
    score = fitted.score(heap)
    alpha = fitted.decision.alpha
    return draw_rows(
        score,
        fitted.probability(score) if alpha is None else fit_calibration(held, alpha, target="unlabelled").apply(score),
        cut=fitted.decision.threshold,
        n=n,
        seed=seed,
        number=unl + 1,
        n_known=beside if s is None else int(np.count_nonzero(s)),
        model=held.fingerprint(),
        data=heap.fingerprint(),
    )


def carry_answers(answers: Answers, fitted: Fitted, sample: PUSample) -> Answers:
    """Return the answers for another model, fitted on the rows that they are about; the draw stays as it was."""
    score = fitted.score(subset(sample.rows, sample.unl))
    return replace(answers, audit=answers.audit.carry(score, model=fitted.held.fingerprint()))


def check_heap(audit: Audit, sample: PUSample) -> None:
    """Refuse a sample whose unlabelled rows are not those that the audit was drawn from."""
    if subset(sample.rows, sample.unl).fingerprint() != audit.data:
        raise DataError(
            "the audit was drawn from other rows than the unlabelled ones of this data, so nobody knows what chance "
            "these had; fit on the data that it was drawn from, or draw a new one with the fitted model"
        )
