"""The subsets that TIcE looks at: boxes divided into quarters, those richest in labels first."""

import heapq

import numpy as np
from numpy.typing import NDArray

from angularpu.priors.inputs import Floats

_PARTS = 4
_PSEUDO_ROWS = 5  # L/(T + 5), so that tiny boxes do not look rich by chance
_LEAST_ROWS = 10


def grow_subsets(
    x: Floats, labelled: NDArray[np.bool_], *, grown_on: NDArray[np.bool_], splits: int
) -> tuple[Floats, Floats]:
    """Grow a tree on some rows, and count all and labelled ones among the other rows in each of its boxes.

    The box richest in labels is divided next, along the column with the quarter that is richest in labels.

    Parameters
    ----------
    x : float array of shape (n, columns), in [0, 1]
        All rows.
    labelled : bool array of shape (n,)
        Which rows are labelled positives.
    grown_on : bool array of shape (n,)
        Which rows the tree is grown on; the others are counted.
    splits : int
        How often a box may be divided.

    Returns
    -------
    total, labelled : float arrays of shape (boxes,)
        Counts in every box; the first box holds all rows.

    Examples
    --------
    >>> x, labelled = np.linspace(0, 1, 80)[:, None], np.arange(80) >= 60
    >>> total, rich = grow_subsets(x, labelled, grown_on=np.arange(80) % 2 == 0, splits=1)
    >>> total, rich
    (array([40., 10., 10., 10., 10.]), array([10.,  0.,  0.,  0., 10.]))
    """
    columns = x.shape[1]
    box = (np.flatnonzero(grown_on), np.flatnonzero(~grown_on), np.zeros(columns), np.ones(columns))
    counts = [(len(box[1]), np.count_nonzero(labelled[box[1]]))]
    queue = [(-1.0, 0, box)]
    for _ in range(splits):
        if not queue:
            break
        grow, count, low, high = heapq.heappop(queue)[2]
        richness = _measure_richness(x[grow], labelled[grow], low=low, high=high)
        column = int(np.argmax(richness.max(axis=1)))
        edges = np.linspace(low[column], high[column], _PARTS + 1)
        part_grow, part_count = (np.searchsorted(edges[1:-1], x[rows, column], "right") for rows in (grow, count))
        for part in range(_PARTS):
            inner_low, inner_high = low.copy(), high.copy()
            inner_low[column], inner_high[column] = edges[part], edges[part + 1]
            inside = (grow[part_grow == part], count[part_count == part], inner_low, inner_high)
            counts.append((len(inside[1]), np.count_nonzero(labelled[inside[1]])))
            if len(inside[0]) >= _LEAST_ROWS and len(inside[1]) >= _LEAST_ROWS:
                # The number of the box breaks ties, so that arrays are never compared.
                heapq.heappush(queue, (-float(richness[column, part]), len(counts), inside))
    table = np.array(counts, dtype=np.float64)
    return table[:, 0], table[:, 1]


def _measure_richness(x: Floats, labelled: NDArray[np.bool_], *, low: Floats, high: Floats) -> Floats:
    """Return L/(T + 5) for every quarter of a box along every column, of shape (columns, parts)."""
    width = np.where(high > low, high - low, 1.0)
    part = np.clip(((x - low) / width * _PARTS).astype(np.int64), 0, _PARTS - 1)
    quarter = part + _PARTS * np.arange(x.shape[1])
    total = np.bincount(quarter.ravel(), minlength=_PARTS * x.shape[1])
    rich = np.bincount(quarter[labelled].ravel(), minlength=_PARTS * x.shape[1])
    richness: Floats = (rich / (total + _PSEUDO_ROWS)).reshape(-1, _PARTS)
    return richness
