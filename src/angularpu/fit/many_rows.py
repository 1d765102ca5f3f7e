"""A sample of so many rows that estimates are made of a draw of them."""

import numpy as np

from angularpu.data.sources import as_rows
from angularpu.scenario.sample import PUSample

MOST_POSITIVES = 100_000
MOST_UNLABELLED = 100_000
PER_POSITIVE = 5


def draw_sample(sample: PUSample, *, seed: int) -> PUSample:
    """Return a sample that an estimator can hold in memory: itself, or a draw of its rows.

    At most 100,000 labelled positives are drawn and, besides, at most 100,000 unlabelled rows or five per positive. The
    standard error of a share among 100,000 drawn rows is .0016 at most.

    Parameters
    ----------
    sample : PUSample
    seed : int

    Examples
    --------
    >>> from angularpu.scenario.sample import make_sample
    >>> many = make_sample(np.zeros((150_000, 1)), np.arange(150_000) < 1000, scenario="one-sample")
    >>> drawn = draw_sample(many, seed=0)
    >>> drawn.n_pos, drawn.n_unl, draw_sample(drawn, seed=0) is drawn
    (1000, 100000, True)
    """
    n_pos = min(sample.n_pos, MOST_POSITIVES)
    n_unl = min(sample.n_unl, max(MOST_UNLABELLED, PER_POSITIVE * n_pos))
    if n_pos + n_unl == len(sample.s):
        return sample
    rng = np.random.default_rng([seed, 10])
    groups = ((sample.pos, n_pos), (sample.unl, n_unl))
    index = np.sort(np.concatenate([rng.choice(rows, n, replace=False) for rows, n in groups]))
    # Copied into memory: estimators read the rows several times, in several orders.
    reviews = None if sample.reviews is None else sample.reviews[index]
    return PUSample(as_rows(sample.rows.take(index)), sample.s[index], sample.scenario, reviews)
