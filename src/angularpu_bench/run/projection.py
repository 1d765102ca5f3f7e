"""Embeddings in the plane: where a network puts some of the rows it is judged by."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from angularpu.data.assembly import subset
from angularpu.data.rows import Rows
from angularpu.methods.fitted import Fitted

MOST = 400
Floats = NDArray[np.float64]


def spread(n: int, most: int = MOST) -> NDArray[np.int64]:
    """Choose at most ``most`` of ``n`` rows, evenly spaced.

    >>> spread(10, 4), spread(3, 4)
    (array([0, 3, 6, 9]), array([0, 1, 2]))
    """
    return np.linspace(0, n - 1, min(n, most)).round().astype(np.int64)


def project(fitted: Fitted, held: tuple[Rows, Rows]) -> dict[str, NDArray[Any]]:
    """Embed some labelled and some unlabelled rows and put them into the plane.

    With one network of AngularPU and its prototype mu, x is the cosine mu.z and y what is left of z, z - (mu.z) mu,
    along the axis on which rows differ most. For anything else x and y are the two principal axes of the embeddings.

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
    mu = fitted.scorer.arrays().get("mu") if fitted.method == "angular" else None
    n_pos = len(pos)
    xy = _find_axes(z, n_pos=n_pos) if mu is None else _measure_from(mu[0].astype(np.float64), z, n_pos=n_pos)
    xy = xy.astype(np.float32)
    return {"xy_pos": xy[: len(pos)], "xy_unl": xy[len(pos) :], "rows_unl": chosen[1]}


def _measure_from(mu: Floats, z: Floats, *, n_pos: int) -> Floats:
    cosine = z @ mu
    rest = z - cosine[:, None] * mu
    return np.column_stack([cosine, _find_axes(rest, n_pos=n_pos)[:, 0]])


def _find_axes(z: Floats, *, n_pos: int) -> Floats:
    """Return the rows along their two principal axes; the sign of each is such that the first n_pos lie above 0."""
    centred = z - z.mean(axis=0)
    xy: Floats = centred @ np.linalg.svd(centred, full_matrices=False)[2][:2].T
    xy *= np.where(xy[:n_pos].mean(axis=0) < 0, -1, 1)
    return xy
