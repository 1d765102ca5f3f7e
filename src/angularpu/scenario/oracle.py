"""Samples made from the truth, for the supervised end that PU methods are compared with."""

from angularpu.errors import DataError
from angularpu.scenario.sample import PUSample, Truth


def oracle_sample(sample: PUSample, truth: Truth) -> PUSample:
    """Label every positive and nothing else: what is unlabelled then are the negatives.

    Parameters
    ----------
    sample : PUSample
    truth : Truth
        Of the sample's rows, in their order.

    Examples
    --------
    >>> import numpy as np
    >>> from angularpu.scenario.sample import make_sample
    >>> sample = make_sample(np.eye(3), [1, 0, 0], scenario="one-sample")
    >>> oracle_sample(sample, Truth(np.array([1, 0, 1], np.int8))).s
    array([1, 0, 1], dtype=int8)
    """
    if len(truth) != len(sample.s):
        raise DataError(f"the truth is about {len(truth)} rows, not {len(sample.s)}; pass that of the sample")
    return PUSample(sample.rows, truth.y, sample.scenario)
