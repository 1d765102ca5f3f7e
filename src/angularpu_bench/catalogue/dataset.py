"""A data set in memory: rows and classes of its training and test part, and which classes are positive."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from angularpu.errors import DataError
from angularpu_bench.catalogue.entry import DatasetKind

Parts = tuple[Any, NDArray[np.int64], Any, NDArray[np.int64]]  # training rows and classes, test rows and classes


@dataclass(frozen=True, eq=False)
class Dataset:
    """Rows with their classes, in a training and a test part.

    Attributes
    ----------
    name : str
        Its name in the catalogue.
    kind : {"image", "table", "text"}
        What its rows are.
    x_train, x_test : array, CSR matrix or Arrow table
        Images are uint8 (n, channels, height, width), whole or memory-mapped; text is CSR; tables are Arrow tables.
        ``as_rows`` takes any of them.
    labels_train, labels_test : (n,) int64
        The original classes.
    positives : frozenset of int
        The classes that count as positive.
    warnings : tuple of str
        Sentences that every result from this data set must carry, e.g. that a file is not the official one.

    Examples
    --------
    >>> x, labels = np.eye(3), np.array([0, 1, 2])
    >>> dataset = Dataset("toy", "table", x, labels, x[2:], labels[2:], positives=frozenset({1, 2}))
    >>> dataset.y_train, dataset.y_test, round(dataset.prior, 3)
    (array([0, 1, 1], dtype=int8), array([1], dtype=int8), 0.667)
    """

    name: str
    kind: DatasetKind
    x_train: Any
    labels_train: NDArray[np.int64]
    x_test: Any
    labels_test: NDArray[np.int64]
    positives: frozenset[int]
    warnings: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        for part, x, labels in (
            ("training", self.x_train, self.labels_train),
            ("test", self.x_test, self.labels_test),
        ):
            # Not len(x): a sparse matrix has no length.
            if x.shape[0] != len(labels):
                raise DataError(f"{self.name}: {x.shape[0]} {part} rows do not match {len(labels)} classes")
        share = self.prior
        if not 0 < share < 1:
            raise DataError(
                f"{self.name}: {'every' if share else 'no'} training row belongs to the positive classes "
                f"{sorted(self.positives)}; name classes that some of the rows have"
            )

    @property
    def y_train(self) -> NDArray[np.int8]:
        """The true class of each training row: 1 positive, 0 not."""
        return self._is_positive(self.labels_train)

    @property
    def y_test(self) -> NDArray[np.int8]:
        """The true class of each test row: 1 positive, 0 not."""
        return self._is_positive(self.labels_test)

    @property
    def prior(self) -> float:
        """The share of positives in the training part."""
        return float(self.y_train.mean())

    def _is_positive(self, labels: NDArray[np.int64]) -> NDArray[np.int8]:
        return np.isin(labels, sorted(self.positives)).astype(np.int8)
