import dataclasses

import numpy as np
import pytest

from angularpu.data.sources import as_rows
from angularpu.errors import DataError, SettingError
from angularpu.scenario.sample import PUSample, Truth, make_sample

X = np.arange(10, dtype=np.float32).reshape(5, 2)
S = np.array([0, 1, 0, 1, 0], dtype=np.int8)


def test_a_sample_counts_and_numbers_its_rows():
    sample = make_sample(X, S, scenario="one-sample")
    assert (sample.n_pos, sample.n_unl) == (2, 3)
    assert sample.pos.tolist() == [1, 3]
    assert sample.unl.tolist() == [0, 2, 4]
    assert sample.pos.dtype == sample.unl.dtype == np.int64


def test_a_sample_knows_no_truth():
    assert {field.name for field in dataclasses.fields(PUSample)} == {
        "rows",
        "s",
        "scenario",
        "reviews",
    }  # what a person said
    sample = make_sample(X, S, scenario="one-sample")
    assert not hasattr(sample, "y")
    assert not hasattr(sample, "truth")


def test_a_part_of_a_sample_keeps_order_and_scenario():
    part = make_sample(X, S, scenario="two-sample").take(np.array([3, 0]))
    assert part.s.tolist() == [1, 0]
    assert part.scenario == "two-sample"
    np.testing.assert_array_equal(part.rows.take(np.array([0, 1])), X[[3, 0]])


def test_equal_samples_have_equal_fingerprints_and_other_samples_other_ones():
    first = make_sample(X, S, scenario="one-sample")
    assert first.fingerprint() == make_sample(X.copy(), S.astype(bool), scenario="one-sample").fingerprint()
    others = [
        make_sample(X, S, scenario="two-sample"),
        make_sample(X, 1 - S, scenario="one-sample"),
        make_sample(X + 1, S, scenario="one-sample"),
        first.take(np.array([0, 1])),
    ]
    assert len({sample.fingerprint() for sample in [first, *others]}) == 5


def test_the_scenario_must_be_declared():
    with pytest.raises(TypeError):
        make_sample(X, S)
    with pytest.raises(SettingError, match='did you mean "one-sample"'):
        make_sample(X, S, scenario="one_sample")


def test_rows_and_labels_must_be_equally_many():
    with pytest.raises(DataError, match="5 rows but s has 4"):
        make_sample(X, S[:4], scenario="one-sample")


def test_a_sample_needs_a_positive_and_an_unlabelled_row():
    rows = as_rows(X)
    with pytest.raises(DataError, match="no row is labelled"):
        PUSample(rows, np.zeros(5, np.int8), "one-sample")
    with pytest.raises(DataError, match="every row is labelled"):
        PUSample(rows, np.ones(5, np.int8), "one-sample")


@pytest.mark.parametrize("s", [S.astype(np.int64), S * 2 - 1, S[:, None]])
def test_inside_a_sample_labels_are_int8_ones_and_zeros(s):
    with pytest.raises(DataError, match="int8"):
        PUSample(as_rows(X), s, "one-sample")


def test_truth_is_a_flat_array_of_ones_and_zeros():
    assert Truth(S).take(np.array([1, 0])).y.tolist() == [1, 0]
    with pytest.raises(DataError, match="y must be"):
        Truth(np.array([0, 2], np.int8))
