"""A number for every prepared row, by which the row is found again."""

from typing import Any

import numpy as np
import scipy.sparse as sp
from numpy.typing import NDArray

from angularpu.data.rows import rows_within, spans

CELLS = 1 << 20
GOLDEN = np.uint64(0x9E3779B97F4A7C15)
FIRST, SECOND = np.uint64(0xBF58476D1CE4E5B9), np.uint64(0x94D049BB133111EB)
Hashes = NDArray[np.int64]


def hash_rows(prepared: Any) -> Hashes:
    """Return 64 bits for every row: equal rows have equal numbers, others differ but for a chance of one in 2^64.

    They serve to find a row again, not to hide it: whoever wants two rows with one number can make them.

    Parameters
    ----------
    prepared : float32 array of shape (n, ...), or CSR matrix of shape (n, d)
        Rows as a preparation returns them. A dense and a sparse matrix of equal rows give equal numbers.

    Examples
    --------
    >>> x = np.array([[1, 0], [0, 1], [1, 0]], np.float32)
    >>> a, b, c = hash_rows(x)
    >>> bool(a == c), bool(a == b), bool((hash_rows(sp.csr_matrix(x)) == [a, b, c]).all())
    (True, False, True)
    """
    if sp.issparse(prepared):
        weights = _mix(np.arange(1, prepared.shape[1] + 1, dtype=np.uint64))[prepared.indices]
        whole = np.append(np.uint64(0), np.cumsum(_mix_values(prepared.data) * weights, dtype=np.uint64))
        sparse: NDArray[np.uint64] = whole[prepared.indptr[1:]] - whole[prepared.indptr[:-1]]
        return sparse.view(np.int64)
    x = prepared.reshape(len(prepared), -1)
    weights = _mix(np.arange(1, x.shape[1] + 1, dtype=np.uint64))
    found = np.empty(len(x), np.uint64)
    for span in spans(len(x), rows_within(CELLS, x.shape[1:])):
        found[span] = (_mix_values(x[span]) * weights).sum(axis=1, dtype=np.uint64)
    return found.view(np.int64)


def _mix_values(values: NDArray[np.float32]) -> NDArray[np.uint64]:
    """Return mixed bits of float32 numbers; 0 stays 0, so that sparse rows need not know of it."""
    bits = np.ascontiguousarray(values + np.float32(0), np.float32).view(np.uint32)  # -0 becomes 0
    return _mix(bits.astype(np.uint64) * GOLDEN)


def _mix(x: NDArray[np.uint64]) -> NDArray[np.uint64]:
    """Spread bits over the whole word, as SplitMix64 does (Steele, Lea and Flood 2014)."""
    x = (x ^ (x >> np.uint64(30))) * FIRST
    x = (x ^ (x >> np.uint64(27))) * SECOND
    mixed: NDArray[np.uint64] = x ^ (x >> np.uint64(31))
    return mixed
