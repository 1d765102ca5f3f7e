"""The two-sample scenario: positives drawn apart, and unlabelled rows that are the population (case-control)."""

import numpy as np
from numpy.typing import NDArray

from angularpu.data.assembly import subset
from angularpu.data.rows import Rows
from angularpu.errors import SettingError
from angularpu.scenario.labelling import Chooser, label_at_random
from angularpu.scenario.one_sample import check_truth
from angularpu.scenario.sample import PUSample, Truth


def two_sample(
    rows: Rows,
    truth: Truth,
    *,
    n_labelled: int,
    rng: np.random.Generator,
    chooser: Chooser = label_at_random,
    overlap: bool = False,
) -> tuple[PUSample, Truth]:
    """Draw labelled positives, and apart from them unlabelled rows with the population's share of positives.

    Parameters
    ----------
    rows : Rows
        The population.
    truth : Truth
        Its true classes.
    n_labelled : int
        How many labelled positives are drawn.
    rng : numpy.random.Generator
        Makes the random choices.
    chooser : callable, default label_at_random
        Which positives are drawn; see :mod:`angularpu.scenario.labelling`.
    overlap : bool, default False
        True: all rows are unlabelled and the labelled positives are copies beside them, as in most benchmarks; a
        positive may then be held out while its copy is trained on. False: no row is both labelled and unlabelled, and
        negatives are dropped at random until the unlabelled rows have the population's share of positives, up to
        rounding to whole rows.

    Returns
    -------
    sample : PUSample
        The labelled positives, then the unlabelled rows, in the population's order; a view, nothing is copied.
    truth : Truth
        The true classes of the sample's rows.

    Examples
    --------
    >>> from angularpu.data.sources import as_rows
    >>> truth = Truth(np.array([1, 1, 0, 0], np.int8))
    >>> sample, truth = two_sample(as_rows(np.eye(4)), truth, n_labelled=1, rng=np.random.default_rng(0))
    >>> sample.s, truth.y
    (array([1, 0, 0], dtype=int8), array([1, 1, 0], dtype=int8))
    """
    check_truth(rows, truth)
    pos = chooser(np.flatnonzero(truth.y), n_labelled, rng=rng)
    unl = np.arange(len(truth)) if overlap else _draw_population(truth, without=pos, rng=rng)
    index = np.concatenate([pos, unl])
    s = np.repeat(np.array([1, 0], dtype=np.int8), [len(pos), len(unl)])
    return PUSample(subset(rows, index), s, "two-sample"), truth.take(index)


def _draw_population(truth: Truth, *, without: NDArray[np.int64], rng: np.random.Generator) -> NDArray[np.int64]:
    positives, negatives = np.flatnonzero(truth.y), np.flatnonzero(truth.y == 0)
    rest = np.setdiff1d(positives, without, assume_unique=True)
    if len(rest) == 0:
        raise SettingError(
            f"labelling all {len(positives)} positives leaves none for the unlabelled rows; label fewer of them, "
            "or pass overlap=True"
        )
    n_kept = round(len(rest) * len(negatives) / len(positives))
    return np.sort(np.concatenate([rest, rng.choice(negatives, n_kept, replace=False)]))
