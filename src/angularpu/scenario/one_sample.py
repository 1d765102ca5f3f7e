"""The one-sample scenario: one population in which some positives get labels (single training set)."""

import numpy as np

from angularpu.data.rows import Rows
from angularpu.errors import DataError
from angularpu.scenario.labelling import Chooser, label_at_random
from angularpu.scenario.sample import PUSample, Truth


def one_sample(
    rows: Rows, truth: Truth, *, n_labelled: int, rng: np.random.Generator, chooser: Chooser = label_at_random
) -> tuple[PUSample, Truth]:
    """Label some positives of a population and leave all other rows unlabelled.

    The rows stay as they are. The unlabelled ones hold fewer positives than the population does.

    Parameters
    ----------
    rows : Rows
        The population.
    truth : Truth
        Its true classes.
    n_labelled : int
        How many positives get a label.
    rng : numpy.random.Generator
        Makes the random choices.
    chooser : callable, default label_at_random
        Which positives get a label; see :mod:`angularpu.scenario.labelling`.

    Returns
    -------
    sample : PUSample
        The same rows with their labels.
    truth : Truth
        The true classes of the sample's rows.

    Examples
    --------
    >>> from angularpu.data.sources import as_rows
    >>> truth = Truth(np.array([1, 1, 0, 0], np.int8))
    >>> sample, truth = one_sample(as_rows(np.eye(4)), truth, n_labelled=1, rng=np.random.default_rng(0))
    >>> sample.n_pos, sample.n_unl, sample.scenario
    (1, 3, 'one-sample')
    """
    check_truth(rows, truth)
    s = np.zeros(len(truth), dtype=np.int8)
    s[chooser(np.flatnonzero(truth.y), n_labelled, rng=rng)] = 1
    return PUSample(rows, s, "one-sample"), truth


def check_truth(rows: Rows, truth: Truth) -> None:
    """Refuse a truth with another number of rows.

    >>> check_truth([10, 20], Truth(np.array([1, 0], np.int8)))
    """
    if len(rows) != len(truth):
        raise DataError(f"there are {len(rows)} rows but {len(truth)} true classes; pass one class per row")
