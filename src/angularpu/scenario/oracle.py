"""Samples made from the truth, for comparison with supervised learning; nothing uses them by default."""

from angularpu.scenario.one_sample import check_truth
from angularpu.scenario.sample import PUSample, Truth


def supervised_sample(sample: PUSample, truth: Truth) -> PUSample:
    """Label every true positive, so that s = y and the unlabelled rows are exactly the negatives.

    Parameters
    ----------
    sample : PUSample
        The sample whose rows and scenario are kept.
    truth : Truth
        The true classes of its rows, both of which must occur.

    Examples
    --------
    >>> import numpy as np
    >>> from angularpu.scenario.sample import make_sample
    >>> sample = make_sample(np.eye(3), [1, 0, 0], scenario="one-sample")
    >>> supervised_sample(sample, Truth(np.array([1, 1, 0], np.int8))).s
    array([1, 1, 0], dtype=int8)
    """
    check_truth(sample.rows, truth)
    return PUSample(sample.rows, truth.y, sample.scenario)
