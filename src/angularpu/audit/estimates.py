"""What answers say about a cut: the share of positives, precision, recall and F1, with 90 % intervals.

Nothing is presumed about labels, scores or overlap: rows were drawn with known chances, and that is all.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from angularpu.audit.cells import Cells
from angularpu.audit.strata import Floats

SEED = 0  # equal answers, equal intervals
DRAWS = 2000
TAILS = (0.05, 0.95)
LEAST_TOTAL = 1e-3  # of a Beta law: all or nothing, as one row is
AWAY = 1.0  # pseudo-answers against the end of an interval, shared by all cells of a group
TOWARDS = 1 / 3  # and those in its favour


@dataclass(frozen=True)
class Estimate:
    """A share with its 90 % interval.

    Attributes
    ----------
    value, low, high : float
    at_least, at_most : float
        The value if every unsure answer meant whatever lowers it, and whatever raises it.
    """

    value: float
    low: float
    high: float
    at_least: float
    at_most: float

    def to_json(self) -> dict[str, Any]:
        """Return the numbers by name."""
        return {name: getattr(self, name) for name in ("value", "low", "high", "at_least", "at_most")}


@dataclass(frozen=True)
class Known:
    """Known positives of the same population that were left out of the heap.

    Attributes
    ----------
    n : int
        How many there are; 0 to speak of the heap alone.
    above, scored : int
        Of so many that were scored without being trained on, so many lie above the cut.
    """

    n: int
    above: int
    scored: int


@dataclass(frozen=True)
class Estimates:
    """What is estimated of a cut.

    Attributes
    ----------
    alpha : Estimate
        Share of positives in the heap.
    precision : Estimate or None
        None where no row lies above the cut.
    recall, f1 : Estimate
    """

    alpha: Estimate
    precision: Estimate | None
    recall: Estimate
    f1: Estimate


@dataclass(frozen=True, eq=False)
class _Positives:
    """Positives above and below a cut, known ones among those above and below; numbers or draws."""

    above: Floats
    below: Floats
    known_above: Floats


def estimate(cells: Cells, known: Known) -> Estimates:
    """Estimate what a cut does, from answers alone.

    The value of a cell is the share of yes among its answers. Its positives are y plus a part of the other N - n rows,
    which has the mean and the variance of Binomial(N - n, p)/(N - n) with p from Beta(y + a, n - y + b): that is the
    finite population's correction. All four figures rise with the positives
    above the cut and fall or rise with those below, so either end of an interval is drawn with pseudo-answers that lean
    its way (a third of an answer towards it, one away from it). A group of cells shares them, in proportion to its
    answers or to its rows, whichever is more. One flat prior for every cell would add up instead, and pull rare
    positives far up.

    Parameters
    ----------
    cells : Cells
    known : Known
        Known positives that count as a stratum of their own in precision, recall and F1; alpha is the heap's.

    Examples
    --------
    >>> size, n, yes = np.array([900, 100]), np.array([20, 20]), np.array([1, 16])
    >>> cells = Cells(size, n, yes, 0 * n, np.array([False, True]), yes / n)
    >>> found = estimate(cells, Known(0, 0, 0))
    >>> round(found.alpha.value, 3), round(found.precision.value, 3), round(found.recall.value, 3)
    (0.125, 0.8, 0.64)
    """
    total, called = int(cells.size.sum()), int(cells.size[cells.above].sum())
    value, least, most = (_guess(cells, known, unsure=part) for part in (0.5, 0.0, 1.0))
    everywhere = np.ones_like(cells.above)
    low, high = (_draw(cells, known, groups=[everywhere], end=end) for end in (0, 1))
    heap = [(each.above + each.below) / total for each in (value, low, high, least, most)]
    sides = [cells.above, ~cells.above]
    low, high = (_draw(cells, known, groups=sides, end=end) for end in (0, 1))

    def compare(low: _Positives, high: _Positives) -> tuple[Floats, Floats, Floats]:
        """Return precision, recall and F1 with positives above the cut as in ``low`` and below as in ``high``."""
        hits = low.above + low.known_above
        positives = hits + high.below + known.n - low.known_above
        labelled = called + low.known_above
        return _divide(hits, labelled), _divide(hits, positives), _divide(2 * hits, labelled + positives)

    figures = zip(
        *(compare(*pair) for pair in ((value, value), (low, high), (high, low), (least, most), (most, least))),
        strict=True,
    )
    precision, recall, f1 = (_summarise(*each) for each in figures)
    nothing = called + known.n == 0 or (called == 0 and known.above == 0)
    return Estimates(_summarise(*heap), None if nothing else precision, recall, f1)


def _guess(cells: Cells, known: Known, *, unsure: float) -> _Positives:
    """Return the positives to be expected if this part of the unsure answers meant yes."""
    share = np.where(cells.n > 0, (cells.yes + unsure * cells.unsure) / np.maximum(cells.n, 1), cells.rest)
    positives = cells.size * share
    above = known.n * known.above / max(1, known.scored)
    return _Positives(
        np.array([positives[cells.above].sum()]), np.array([positives[~cells.above].sum()]), np.array([above])
    )


def _draw(cells: Cells, known: Known, *, groups: list[NDArray[np.bool_]], end: int) -> _Positives:
    """Draw positives for the lower (0) or the upper end (1) of intervals."""
    rng = np.random.default_rng(SEED)
    pseudo = (TOWARDS, AWAY) if end == 0 else (AWAY, TOWARDS)
    share = _share_out(cells, groups)
    yes = cells.yes + end * cells.unsure
    a, b, open_ = yes + pseudo[0] * share, cells.n - yes + pseudo[1] * share, cells.size - cells.n
    # The part of M open rows that is positive is Beta-binomial; this Beta law has its mean and variance.
    total = np.maximum((a + b + 1) * open_ / (a + b + open_) - 1, LEAST_TOTAL)
    mean = a / (a + b)
    size = (DRAWS, len(cells.n))
    # Rows are whole: of a heap that was nearly all checked, most draws must add none.
    positives = yes + np.floor(open_ * rng.beta(mean * total, (1 - mean) * total, size=size) + rng.random(size))
    part = rng.beta(known.above + pseudo[0], known.scored - known.above + pseudo[1], size=DRAWS)
    above, below = (positives[:, side].sum(axis=1) for side in (cells.above, ~cells.above))
    return _Positives(above, below, known.n * part)


def _share_out(cells: Cells, groups: list[NDArray[np.bool_]]) -> Floats:
    """Return each cell's part of the pseudo-answers of its group; a cell without answers has all of them."""
    part = np.ones(len(cells.n))
    for group in groups:
        answers, rows = cells.n[group], cells.size[group]
        if answers.sum():
            part[group] = np.maximum(answers / answers.sum(), rows / rows.sum())
    return np.where(cells.n > 0, part, 1.0)


def _divide(part: Floats, whole: Floats) -> Floats:
    return np.divide(part, whole, out=np.zeros_like(part), where=whole > 0)


def _summarise(value: Floats, low: Floats, high: Floats, least: Floats, most: Floats) -> Estimate:
    middle = value[0]
    ends = min(middle, np.quantile(low, TAILS[0])), max(middle, np.quantile(high, TAILS[1]))
    extremes = min(middle, least[0]), max(middle, most[0])
    return Estimate(*(float(np.clip(each, 0, 1)) for each in (middle, *ends, *extremes)))  # but for rounding they are
