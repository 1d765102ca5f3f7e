"""Samples made from the truth."""

import numpy as np
import pytest

from angularpu.errors import DataError
from angularpu.scenario.oracle import oracle_sample
from angularpu.scenario.sample import Truth, make_sample


def test_every_positive_is_labelled_and_the_rows_are_the_same():
    sample = make_sample(np.arange(8.0).reshape(4, 2), [1, 0, 0, 0], scenario="two-sample")
    made = oracle_sample(sample, Truth(np.array([1, 1, 0, 0], np.int8)))
    assert made.s.tolist() == [1, 1, 0, 0]
    assert made.rows is sample.rows
    assert made.scenario == "two-sample"


def test_a_truth_about_other_rows_is_refused():
    sample = make_sample(np.eye(2), [1, 0], scenario="one-sample")
    with pytest.raises(DataError, match="about 3 rows"):
        oracle_sample(sample, Truth(np.array([1, 1, 0], np.int8)))
