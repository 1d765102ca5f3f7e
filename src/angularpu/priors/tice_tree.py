"""The subsets of rows that TIcE looks at: those in one quarter of a column, divided by further columns."""

import heapq
import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from angularpu.priors.inputs import Floats

PARTS = 4
LEAST_ROWS = 10
_PSEUDO_ROWS = 5  # L/(T + 5), so that tiny subsets do not look rich by chance

Rows = NDArray[np.intp]


@dataclass(frozen=True)
class _Subset:
    """Rows that grow the tree, rows that are counted, and which columns may still divide them."""

    grow: Rows
    count: Rows
    columns: NDArray[np.bool_]


class Tree:
    """A tree that is grown on some rows, and bounds c in its subsets of the others.

    The subset with the greatest bound among the rows it is grown on is divided next, along the column with the quarter
    richest in labels. No column divides a subset of its own quarter again.

    Parameters
    ----------
    quarter : int array of shape (n, columns)
        Which quarter of its column every number lies in, counted through the columns: 0 to 3, then 4 to 7, and so on.
    labelled : bool array of shape (n,)
        Which rows are labelled positives.
    grown_on : bool array of shape (n,)
        Which rows the tree is grown on; the others are counted.
    c : float in [0, 1]
        The label frequency that the bound supposes.

    Attributes
    ----------
    best : float
        The greatest lower bound on c so far; at first the labelled share of all rows that are counted.
    subsets : int
        How many subsets were looked at.

    Examples
    --------
    >>> quarter, labelled = np.repeat(np.arange(4), 100)[:, None], np.arange(400) >= 300
    >>> tree = Tree(quarter, labelled, grown_on=np.arange(400) % 2 == 0, c=1.0)
    >>> tree.grow(splits=1)
    >>> tree.best, tree.subsets
    (1.0, 5)
    """

    def __init__(self, quarter: Rows, labelled: NDArray[np.bool_], *, grown_on: NDArray[np.bool_], c: float) -> None:
        self.quarter, self.labelled, self.grown_on = quarter, labelled, grown_on
        total = np.count_nonzero(~grown_on)
        delta = max(0.025, 1 / (1 + 0.004 * total))
        self.spread = c * (1 - c) * (1 - delta) / delta
        self.best = np.count_nonzero(labelled & ~grown_on) / total if total >= LEAST_ROWS else 0.0
        self.subsets = 1
        self._least = 1.0
        self._queue: list[tuple[float, int, int, _Subset]] = []

    def grow(self, *, splits: int) -> None:
        """Divide the most promising subset, at most ``splits`` times."""
        columns = np.ones(self.quarter.shape[1], np.bool_)
        whole = _Subset(np.flatnonzero(self.grown_on), np.flatnonzero(~self.grown_on), columns)
        self._queue = [(0.0, 0, 0, whole)]
        for _ in range(splits):
            if not self._queue:
                return
            self._divide(heapq.heappop(self._queue)[3])

    def bound(self, total: Rows, rich: Rows) -> Floats:
        """Return L/T - sqrt(c (1 - c)(1 - delta)/(delta T)) for L labelled ones of T rows."""
        bound: Floats = rich / total - np.sqrt(self.spread / total)
        return bound

    def _divide(self, subset: _Subset) -> None:
        """Divide a subset along one column, and bound c in the parts."""
        total, rich = self._tally(subset.grow), self._tally(subset.grow[self.labelled[subset.grow]])
        found = self._tally(subset.count[self.labelled[subset.count]])
        useful = subset.columns & (found.max(axis=1) >= self._least)
        richness = np.where(useful, (rich / (total + _PSEUDO_ROWS)).max(axis=1), 0.0)
        chosen = int(richness.argmax())
        part_count = self.quarter[subset.count, chosen] - PARTS * chosen
        counted = np.bincount(part_count, minlength=PARTS)
        if richness[chosen] == 0 or np.count_nonzero(counted) == 1:
            return
        total, rich, found = total[chosen], rich[chosen], found[chosen]
        enough = counted >= LEAST_ROWS
        self.best = float(self.bound(counted[enough], found[enough]).max(initial=self.best))
        self.subsets += PARTS
        # A part with fewer labels could not raise the best bound, even if it held nothing else.
        self._least = self.spread / (1 - self.best) ** 2 if self.best < 1 else math.inf
        useful[chosen] = False
        part_grow = self.quarter[subset.grow, chosen] - PARTS * chosen
        for part in np.flatnonzero((found > self._least) & (total > LEAST_ROWS)):
            inside = _Subset(subset.grow[part_grow == part], subset.count[part_count == part], useful)
            promise = float(self.bound(total[part], rich[part]))
            # The number of the subset breaks ties, so that arrays are never compared.
            heapq.heappush(self._queue, (-promise, -int(rich[part]), self.subsets + int(part), inside))

    def _tally(self, rows: Rows) -> Rows:
        """Count rows in every quarter of every column, of shape (columns, 4)."""
        count = np.bincount(self.quarter[rows].ravel(), minlength=PARTS * self.quarter.shape[1])
        return count.reshape(-1, PARTS)
