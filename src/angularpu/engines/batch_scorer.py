"""A model as a function of batches, which travels to other processes as a path."""

from collections.abc import Mapping
from functools import lru_cache
from hashlib import sha256
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa

from angularpu import __version__
from angularpu.data.columns import as_column
from angularpu.data.prepare.frame import FramePreparation
from angularpu.data.sources import as_rows
from angularpu.errors import DataError, ModelError, list_names
from angularpu.files import dump_json
from angularpu.methods.fitted import Fitted
from angularpu.model.description import read_description
from angularpu.model.directory import read_model
from angularpu.model.scored_pieces import tabulate


class BatchScorer:
    """Give every row of a batch a score, a probability and a prediction, in whatever process the batch is.

    It is pickled as the model's path and checksums. Each process that gets it reads the model once, from that path, and
    refuses another model, or another version of this package, than there was when the scorer was made.

    Parameters
    ----------
    model : str or Path
        A model directory, which every machine finds under this path.
    trusted : bool
        Read a classical model of an earlier version; see :func:`angularpu.load`.

    Attributes
    ----------
    path : Path
        Of the model, from the root.
    digest : str
        Differs between any two models.

    Examples
    --------
    With Ray Data: ``dataset.map_batches(BatchScorer("model"), batch_format="pyarrow")``.
    """

    def __init__(self, model: str | Path, *, trusted: bool = False) -> None:
        self.path = Path(model).absolute()
        self.trusted = trusted
        self.digest = read_digest(self.path)
        self.version = __version__

    @property
    def fitted(self) -> Fitted:
        """The model, read when it is first asked for in a process."""
        if self.version != __version__:
            raise ModelError(
                f"this process has angularpu {__version__}, but the scorer was made by {self.version}; "
                "install one version on all machines"
            )
        return _read(self.path, self.digest, self.trusted)

    def __call__(self, batch: Any) -> Any:
        """Return score, probability and prediction of every row.

        Parameters
        ----------
        batch : pyarrow.Table, pandas.DataFrame or dict of str to array
            Columns by name, with those the model was fitted on; others are not read. No rows are allowed.

        Returns
        -------
        pyarrow.Table, pandas.DataFrame or dict of str to array
            As the batch came, in its order; a frame keeps its index.
        """
        scored = self._score(_select(_as_table(batch), self.fitted))
        if isinstance(batch, pa.Table):
            return scored
        if isinstance(batch, Mapping):
            return {name: scored[name].to_numpy() for name in scored.column_names}
        frame = scored.to_pandas()
        frame.index = batch.index
        return frame

    def _score(self, table: pa.Table) -> pa.Table:
        fitted = self.fitted
        score = fitted.score(as_rows(table)) if table.num_rows else np.empty(0, np.float32)
        return tabulate(fitted, score, {})


def read_digest(model: Path) -> str:
    """Return what tells one model from another: the checksum of its JSON, which has those of its other files."""
    return sha256(dump_json(read_description(model))).hexdigest()


@lru_cache(maxsize=1)  # a process scores by one model at a time
def _read(path: Path, digest: str, trusted: bool) -> Fitted:
    _refuse_other(path, digest)
    fitted = read_model(path, trusted=trusted)
    _refuse_other(path, digest)  # it may have been replaced meanwhile
    return fitted


def _refuse_other(path: Path, digest: str) -> None:
    if read_digest(path) != digest:
        raise ModelError(
            f"{path} is another model on this machine, or was replaced since the scorer was made; "
            "put one model there on all machines, and start again"
        )


def _as_table(batch: Any) -> pa.Table:
    if isinstance(batch, pa.Table):
        return batch
    if isinstance(batch, Mapping):
        columns = {name: as_column(values, name=name) for name, values in batch.items()}
        lengths = {len(column) for column in columns.values()}
        if len(lengths) > 1:
            raise DataError(f"the columns of a batch must have one length, got {sorted(lengths)}")
        return pa.table(columns)
    if type(batch).__module__.partition(".")[0] == "pandas" and getattr(batch, "ndim", 0) == 2:
        return pa.Table.from_pandas(batch, preserve_index=False)
    raise DataError(
        f"a batch must be a pyarrow table, a pandas frame or a dict of arrays by column, got {type(batch).__name__}"
    )


def _select(table: pa.Table, fitted: Fitted) -> pa.Table:
    """Return the columns that the model reads: the others may hold anything."""
    preparation = fitted.preparation
    if not isinstance(preparation, FramePreparation):
        return table
    needed = [*preparation.sources, *preparation.text_columns]
    absent = [name for name in needed if name not in table.column_names]
    if absent:
        raise DataError(
            f"the batch has no column {list_names(absent)}, which the model needs; it has "
            f"{list_names(table.column_names)}"
        )
    return table.select(needed)
