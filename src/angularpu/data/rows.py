"""Rows of whatever kind, behind one small interface: how many, which ones, and a fingerprint."""

from collections.abc import Iterator
from typing import Any, Literal, Protocol

import numpy as np
from numpy.typing import NDArray

Kind = Literal["dense", "sparse", "image", "frame"]
Block = Any  # dense, image: ndarray; sparse: scipy CSR matrix; frame: pyarrow Table


class Rows(Protocol):
    """Rows that can be counted, taken by number and walked through, without ever being copied whole.

    Attributes
    ----------
    kind : {"dense", "sparse", "image", "frame"}
        What a block of rows looks like.
    shape : tuple of int
        The shape of one row: (columns,) or (channels, height, width).
    in_memory : bool
        False for rows that lie on disk and should be read only as they are needed.
    """

    kind: Kind
    shape: tuple[int, ...]
    in_memory: bool

    def __len__(self) -> int: ...

    def take(self, index: NDArray[np.int64]) -> Block:
        """Return the rows with these numbers, in this order, in their own type."""
        ...

    def chunks(self, n: int) -> Iterator[Block]:
        """Walk through all rows, ``n`` at a time; the last chunk may be shorter."""
        ...

    def fingerprint(self) -> str:
        """Return a checksum of the rows' content: equal rows, equal fingerprint."""
        ...


def spans(n: int, size: int) -> Iterator[slice]:
    """Cut ``n`` rows into runs of ``size``, the last one shorter.

    >>> [(span.start, span.stop) for span in spans(5, 2)]
    [(0, 2), (2, 4), (4, 5)]
    """
    for start in range(0, n, size):
        yield slice(start, min(start + size, n))


def rows_within(cells: int, shape: tuple[int, ...]) -> int:
    """Return how many rows of this shape hold about ``cells`` numbers, at least one.

    >>> rows_within(1000, (3, 10, 10)), rows_within(1000, (5000,))
    (3, 1)
    """
    return max(1, cells // max(1, int(np.prod(shape))))


def spread(rows: NDArray[np.int64], most: int) -> NDArray[np.int64]:
    """Return at most so many of the rows, evenly from the first to the last.

    >>> spread(np.arange(10), 4).tolist(), spread(np.arange(3), 4).tolist()
    ([0, 3, 6, 9], [0, 1, 2])
    """
    return rows[np.linspace(0, len(rows) - 1, min(len(rows), most)).astype(np.int64)]
