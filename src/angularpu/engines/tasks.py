"""The scoring of one file: what every engine runs, wherever it runs it."""

import time
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from angularpu.data.io.writing import open_writer
from angularpu.engines.batch_scorer import BatchScorer
from angularpu.engines.partitions import MARK, Partition, read_footer_digest
from angularpu.errors import BusyError, DataError
from angularpu.model.scored_pieces import score_pieces, tabulate

SECONDS = 30.0  # for a process that outlives its machine's part in a cluster


@dataclass(frozen=True)
class FileScorer:
    """Scores one file of a directory and returns its name.

    Attributes
    ----------
    scorer : BatchScorer
    ids : tuple of str
        Columns to keep in front of the scores.
    """

    scorer: BatchScorer
    ids: tuple[str, ...]

    def __call__(self, partition: Partition) -> str:
        """Write the scores of one file, unless they are there already."""
        if partition.is_done():
            return partition.data.name
        if not partition.data.is_file() or read_footer_digest(partition.data) != partition.footer:
            raise DataError(
                f"{partition.data} is missing or another file on this machine, or has changed since the start; "
                "all machines need one disk, and files that stay as they are"
            )
        try:
            with open_writer(partition.out) as writer:
                for table in self._score(partition):
                    writer.write(table.replace_schema_metadata({MARK: partition.mark.encode()}))
        except DataError as error:
            named = str(partition.data) in str(error) or str(partition.out) in str(error)
            raise error if named else DataError(f"{partition.data}: {error}") from error
        return partition.data.name

    def _score(self, partition: Partition) -> Iterator[pa.Table]:
        fitted = self.scorer.fitted
        if partition.rows:
            return (piece.table for piece in score_pieces(fitted, partition.data, ids=self.ids))
        # Spark writes files without rows, which are no mistake beside others that have some.
        kept = pq.read_table(partition.data, columns=list(self.ids))
        return iter([tabulate(fitted, np.empty(0, np.float32), {name: kept[name] for name in self.ids})])


@dataclass(frozen=True)
class WhenFree:
    """Scores one file, after a while if a process of a lost machine still holds it.

    Attributes
    ----------
    score : FileScorer
    """

    score: FileScorer

    def __call__(self, partition: Partition) -> str:
        """Write the scores of one file, and return its name."""
        end = time.monotonic() + SECONDS
        while True:
            try:
                return self.score(partition)
            except BusyError:
                if time.monotonic() > end:
                    raise
                time.sleep(0.5)
