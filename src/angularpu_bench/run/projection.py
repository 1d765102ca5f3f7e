"""Embeddings in the plane: where a network puts some of the rows it is judged by."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from angularpu.data.assembly import subset
from angularpu.data.rows import Rows
from angularpu.methods.fitted import Fitted

MOST = 400


def spread(n: int, most: int = MOST) -> NDArray[np.int64]:
    """Choose at most ``most`` of ``n`` rows, evenly spaced.

    >>> spread(10, 4), spread(3, 4)
    (array([0, 3, 6, 9]), array([0, 1, 2]))
    """
    return np.linspace(0, n - 1, min(n, most)).round().astype(np.int64)


def project(fitted: Fitted, held: tuple[Rows, Rows]) -> dict[str, NDArray[Any]]:
    """Embed some labelled and some unlabelled rows and project them onto their two principal axes.

    Parameters
    ----------
    fitted : Fitted
        With a network.
    held : (Rows, Rows)
        Labelled and unlabelled rows, at most 400 of which are taken each.

    Returns
    -------
    dict of str to array
        ``xy_pos`` and ``xy_unl`` of shape (n, 2), and ``rows_unl``, which unlabelled rows those are.
    """
    chosen = [spread(len(rows)) for rows in held]
    pos, unl = (fitted.embed(subset(rows, index)).astype(np.float64) for rows, index in zip(held, chosen, strict=True))
    z = np.concatenate([pos, unl])
    z -= z.mean(axis=0)
    axes = np.linalg.svd(z, full_matrices=False)[2][:2]
    xy = z @ axes.T
    # The sign of an axis is arbitrary: labelled positives lie on the positive side of both.
    xy *= np.where(xy[: len(pos)].mean(axis=0) < 0, -1, 1)
    xy = xy.astype(np.float32)
    return {"xy_pos": xy[: len(pos)], "xy_unl": xy[len(pos) :], "rows_unl": chosen[1]}
