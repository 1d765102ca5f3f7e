"""The known positives that lie nearest to a row, by angle."""

from typing import Any

import numpy as np
import scipy.sparse as sp
from numpy.typing import NDArray

from angularpu.data.rows import spans

NEAREST = 3
ROWS = 2_048
NOBODY = -1


def normalise_rows(prepared: Any) -> Any:
    """Return prepared rows as vectors of length 1; a row of zeros stays one."""
    if sp.issparse(prepared):
        length = np.sqrt(np.asarray(prepared.multiply(prepared).sum(axis=1)).ravel())
        return sp.diags(1 / np.maximum(length, 1e-12)) @ prepared
    flat = prepared.reshape(len(prepared), -1)
    return flat / np.maximum(np.linalg.norm(flat, axis=1, keepdims=True), 1e-12)


def find_nearest(
    z: Any, known: Any, *, place: NDArray[np.int64], known_place: NDArray[np.int64]
) -> tuple[NDArray[np.int32], NDArray[np.float32]]:
    """Return the places and the angles, in degrees, of the known positives nearest to each row, never the row itself.

    Parameters
    ----------
    z, known : arrays or CSR matrices of unit rows
        The rows, and the known positives.
    place, known_place : int64 arrays
        Where they stand on the page.

    Returns
    -------
    place : int32 array of shape (n, 3)
        -1 where there are fewer.
    angle : float32 array of shape (n, 3)

    Examples
    --------
    >>> z = np.eye(2, dtype=np.float32)
    >>> place, angle = find_nearest(z, z[:1], place=np.array([4, 5]), known_place=np.array([4]))
    >>> place.tolist(), angle[:, 0].tolist()
    ([[-1, -1, -1], [4, -1, -1]], [0.0, 90.0])
    """
    n = z.shape[0]
    found = np.full((n, NEAREST), NOBODY, np.int32)
    angle = np.zeros((n, NEAREST), np.float32)
    if known.shape[0] == 0:
        return found, angle
    for span in spans(n, ROWS):
        cosine = z[span] @ known.T
        cosine = np.asarray(cosine.todense() if sp.issparse(cosine) else cosine, np.float32)
        cosine[place[span, None] == known_place] = -np.inf
        few = min(NEAREST, cosine.shape[1])
        order = np.argpartition(-cosine, few - 1, axis=1)[:, :few]
        within = np.argsort(-np.take_along_axis(cosine, order, axis=1), axis=1, kind="stable")
        order = np.take_along_axis(order, within, axis=1)
        best = np.take_along_axis(cosine, order, axis=1)
        there = np.isfinite(best)
        found[span, :few] = np.where(there, known_place[order], NOBODY)
        angle[span, :few] = np.degrees(np.arccos(np.clip(np.where(there, best, 1), -1, 1)))
    return found, angle
