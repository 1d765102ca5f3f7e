"""What a page shows of the chosen rows, read in a second pass over the file, of which only these rows are held."""

from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import scipy.sparse as sp
from numpy.typing import NDArray

from angularpu.data.columns import value_kind
from angularpu.data.io.arrays import find_rows, open_arrays
from angularpu.data.io.numpy_file import StoredArray
from angularpu.data.io.tables import TABLE_SUFFIXES, open_table
from angularpu.data.prepare.frame import FramePreparation
from angularpu.data.row_fingerprints import fingerprint_each
from angularpu.errors import DataError
from angularpu.explore.ranking import Ranking
from angularpu.explore.sphere import Sphere
from angularpu.explore.thumbnails import Thumbnails, list_largest
from angularpu.methods.fitted import Fitted
from angularpu.model.pieces import open_pieces


@dataclass(eq=False)
class Gathered:
    """What is kept of the chosen rows, in the order of ``ranking.rows``.

    Attributes
    ----------
    fingerprint : int64 array of shape (m,)
    table : pyarrow.Table
        The columns that can be shown of every row.
    deep_table : pyarrow.Table
        Those that can be shown of the rows of ``ranking.deep`` alone.
    images : Thumbnails or None
        Of the rows of ``ranking.deep``.
    z : float32 array of shape (m, d), or None
        Unit vectors on the sphere.
    prepared : matrix
        The rows of ``ranking.deep`` as the scorer takes them.
    """

    fingerprint: NDArray[np.int64]
    table: pa.Table
    deep_table: pa.Table
    images: Thumbnails | None
    z: NDArray[np.float32] | None
    prepared: Any


@dataclass(eq=False)
class _Parts:
    fingerprint: list[Any] = field(default_factory=list)
    tables: list[Any] = field(default_factory=list)
    deep: list[Any] = field(default_factory=list)
    z: list[Any] = field(default_factory=list)
    prepared: list[Any] = field(default_factory=list)


def gather_rows(fitted: Fitted, data: Path, ranking: Ranking, *, sphere: Sphere | None) -> Gathered:
    """Read the chosen rows of a file again, with every column that can be shown.

    Parameters
    ----------
    fitted : Fitted
    data : Path
    ranking : Ranking
    sphere : Sphere or None
    """
    inside = np.zeros(len(ranking.score), bool)
    inside[ranking.rows] = True
    deep = np.zeros(len(ranking.score), bool)
    deep[ranking.rows[ranking.deep]] = True
    parts, first = _Parts(), 0
    for block, columns in open_pieces(data, fitted.preparation, kept=list_others(fitted, data)).blocks:
        n = block.num_rows if isinstance(block, pa.Table) else block.shape[0]
        chosen = np.flatnonzero(inside[first : first + n])
        if len(chosen):
            _take(parts, block, columns, chosen=chosen, deep=deep[first + chosen], fitted=fitted, sphere=sphere)
        first += n
    return _arrange(parts, ranking)


def list_others(fitted: Fitted, data: Path) -> list[str]:
    """Return the columns of a file, or arrays beside its rows, that the model does not use and a page can show."""
    if data.suffix.lower() in TABLE_SUFFIXES:
        if not isinstance(fitted.preparation, FramePreparation):
            return []
        used = {*fitted.preparation.sources, *fitted.preparation.text_columns}
        file = open_table(data)
        others = [name for name in file.columns if name not in used]
        first = next(iter(file.batches(1, others)), None) if others else None
        return [] if first is None else [f.name for f in first.schema if value_kind(f.type) is not None]
    arrays = open_arrays(data)
    if isinstance(arrays, StoredArray):
        return []
    n = len(find_rows(arrays, data, besides=[name for name in arrays if name not in ("X", "x", "data")]))
    return [name for name in arrays if _is_column(arrays, name, n=n)]


def _is_column(arrays: Any, name: str, *, n: int) -> bool:
    try:
        array = arrays[name]
        return array.shape == (n,) and array.dtype.kind in "biufUS"
    except DataError:  # Python objects are never read
        return False


def _take(
    parts: _Parts,
    block: Any,
    columns: dict[str, Any],
    *,
    chosen: NDArray[np.int64],
    deep: NDArray[np.bool_],
    fitted: Fitted,
    sphere: Sphere | None,
) -> None:
    index = pa.array(chosen)
    rows = block.take(index) if isinstance(block, pa.Table) else block[chosen]
    beside = {name: column.take(index) for name, column in columns.items()}
    prepared = fitted.preparation.apply(rows)
    parts.fingerprint.append(fingerprint_each(rows))
    if isinstance(rows, pa.Table):
        beside |= {name: rows[name] for name in rows.column_names}
    else:
        parts.deep.append(rows[deep])
    parts.tables.append(pa.table({name: _as_plain(column) for name, column in beside.items()}))
    if sphere is not None:
        parts.z.append(sphere.embed(prepared))
    parts.prepared.append(prepared[deep])


def _as_plain(column: Any) -> Any:
    """Return a column without a dictionary, which may differ from piece to piece."""
    return column.cast(column.type.value_type) if pa.types.is_dictionary(column.type) else column


def _arrange(parts: _Parts, ranking: Ranking) -> Gathered:
    """Put what was read in the file's order into the page's."""
    rank = np.argsort(np.argsort(ranking.rows))  # where each row of the page stands among those read
    deep_rank = np.argsort(np.argsort(ranking.rows[ranking.deep]))
    table = pa.concat_tables(parts.tables, promote_options="permissive").take(pa.array(rank))
    prepared = (
        sp.vstack(parts.prepared).tocsr() if sp.issparse(parts.prepared[0]) else np.concatenate(parts.prepared)
    )[deep_rank]
    deep_table, images = pa.table({}), None
    if parts.deep:
        raw = (sp.vstack(parts.deep).tocsr() if sp.issparse(parts.deep[0]) else np.concatenate(parts.deep))[deep_rank]
        if raw.ndim > 2:
            images = Thumbnails.make(raw)
        else:
            deep_table = list_largest(raw)
    return Gathered(
        np.concatenate(parts.fingerprint)[rank],
        table,
        deep_table,
        images,
        np.concatenate(parts.z)[rank] if parts.z else None,
        prepared,
    )
