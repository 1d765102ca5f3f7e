"""Rows of a file drawn to be checked by hand, with a model's scores."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from angularpu.audit.answers import Answers
from angularpu.audit.draw import Audit, draw_rows
from angularpu.audit.file import check_destination, write_audit
from angularpu.data.assembly import subset
from angularpu.data.columns import value_kind
from angularpu.data.io.arrays import ARRAY_SUFFIXES, find_rows, open_arrays
from angularpu.data.io.numpy_file import StoredArray
from angularpu.data.io.reading import refuse_path
from angularpu.data.io.tables import TABLE_SUFFIXES, open_table
from angularpu.data.prepare.frame import FramePreparation
from angularpu.data.rows import Rows
from angularpu.data.sources import as_rows
from angularpu.decide.calibrate import fit_calibration
from angularpu.errors import DataError, SettingError
from angularpu.methods.fitted import Fitted
from angularpu.scenario.sample import PUSample
from angularpu.scenario.sample_file import read_sample


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
    rows, s = _read(fitted, data, label=label, positive=positive)
    audit = draw_heap(fitted, rows, s, n=n, seed=seed)
    write_audit(audit, out, shown=_show(data, audit), overwrite=overwrite)
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


def _read(
    fitted: Fitted, data: Path, *, label: str | None, positive: str | None
) -> tuple[Rows, NDArray[np.int8] | None]:
    """Return the columns of a file that the model was fitted on, and who is a known positive."""
    refuse_path(data, (*TABLE_SUFFIXES, *ARRAY_SUFFIXES))
    is_table = data.suffix.lower() in TABLE_SUFFIXES
    text = fitted.preparation.text_columns if isinstance(fitted.preparation, FramePreparation) else ()
    others = []
    if is_table and isinstance(fitted.columns, tuple):
        others = [name for name in open_table(data).columns if name not in (*fitted.columns, label)]
    if label is not None:
        sample, _ = read_sample(data, label=label, positive=positive, ids=others, scenario=fitted.held.scenario)
        return sample.rows, sample.s
    if positive is not None:
        raise SettingError("--positive is a value of the column that --label names; name the column too")
    if is_table:
        file = open_table(data, text=text)
        return as_rows(file.read([name for name in file.columns if name not in others])), None
    arrays = open_arrays(data)
    return as_rows(arrays if isinstance(arrays, StoredArray) else find_rows(arrays, data)), None


def _show(data: Path, audit: Audit) -> pa.Table | None:
    """Return the drawn rows of a table with all columns that CSV can hold; of arrays nothing."""
    if data.suffix.lower() not in TABLE_SUFFIXES:
        return None
    file = open_table(data)
    # As text where a column is text, so that 007 stays 007 in the file, whatever a spreadsheet makes of it.
    table = open_table(data, text=file.columns).read().take(pa.array(audit.number - 1))
    return table.select([field.name for field in table.schema if value_kind(field.type) is not None])
