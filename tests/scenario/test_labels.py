from datetime import date
from decimal import Decimal

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from angularpu.errors import DataError
from angularpu.scenario.labels import encode_labels, encode_positive


@pytest.mark.parametrize(
    ("given_s", "classes"),
    [
        ([0, 1, 1], (0, 1)),
        (np.array([-1, 1, 1]), (-1, 1)),
        (np.array([False, True, True]), (False, True)),
        (["no", "yes", "yes"], ("no", "yes")),
        (np.array(["a", "b", "b"]), ("a", "b")),
        (np.array(["a", "b", "b"], dtype=object), ("a", "b")),
        (np.array([0.5, 2.0, 2.0]), (0.5, 2.0)),
        (np.array([0, 255, 255], dtype=np.uint8), (0, 255)),
        (pd.Series(["u", "v", "v"]), ("u", "v")),
        (pd.Series([0, 1, 1], dtype="Int64"), (0, 1)),
        (pd.Series(["u", "v", "v"], dtype="category"), ("u", "v")),
        (np.array([b"n", b"y", b"y"]), ("n", "y")),
        ([Decimal("0"), Decimal("1"), Decimal("1")], (0, 1)),
        ([Decimal("0.5"), Decimal("1.0"), Decimal("1.0")], (0.5, 1)),
    ],
)
def test_the_greater_of_two_values_is_the_labelled_one(given_s, classes):
    s, found = encode_labels(given_s)
    assert s.dtype == np.int8
    assert s.tolist() == [0, 1, 1]
    assert found == classes


@given(st.sets(st.integers(-(2**60), 2**60), min_size=2, max_size=2), st.lists(st.booleans(), min_size=1))
def test_any_two_numbers_serve(pair, rest):
    low, high = sorted(pair)
    labelled = [True, False, *rest]
    s, classes = encode_labels(np.where(labelled, high, low))
    assert classes == (low, high)
    np.testing.assert_array_equal(s, labelled)


def test_one_value_only_is_refused_and_named():
    with pytest.raises(DataError, match="one class only, 'x'"):
        encode_labels(["x", "x"])


def test_more_than_two_values_are_refused_and_listed_up_to_eight():
    with pytest.raises(DataError, match=r"3 values \(-1, 0, 1\)"):
        encode_labels([0, 1, -1])
    with pytest.raises(DataError, match=r"100 values \(0, 1, 2, 3, 4, 5, 6, 7 and 92 more\)"):
        encode_labels(np.arange(100))


@pytest.mark.parametrize(
    "given_s",
    [[1, 0, np.nan], np.array([1, 0, np.nan]), ["a", "b", None], pd.Series([1, 0, None], dtype="Int64"), [0, np.nan]],
)
def test_missing_values_beside_two_others_are_refused(given_s):
    with pytest.raises(DataError, match="missing"):
        encode_labels(given_s)


@pytest.mark.parametrize(
    ("given_s", "classes"),
    [
        (["fraud", np.nan, None], ("", "fraud")),
        (np.array(["fraud", None, None]), ("", "fraud")),
        (np.array([1, np.nan, np.nan]), (0, 1)),
        (pd.Series([1, None, None], dtype="Int64"), (0, 1)),
        (pd.Series([True, None, None], dtype="boolean"), (False, True)),
        (pd.Series(["fraud", None, None]), ("", "fraud")),
    ],
)
def test_beside_a_single_value_a_missing_one_means_unlabelled(given_s, classes):
    s, found = encode_labels(given_s)
    assert s.tolist() == [1, 0, 0]
    assert found == classes


@pytest.mark.parametrize(
    ("given_s", "positive", "classes"),
    [
        (["fraud", "unknown", "unknown"], "fraud", ("unknown", "fraud")),
        (["fraud", "ok", None], "fraud", ("unlabelled", "fraud")),
        (np.array([2.0, 0.0, np.nan]), "2", ("unlabelled", 2.0)),
        (np.array([True, False, False]), "true", (False, True)),
        (np.array([0, 1, 1]), "0", (1, 0)),
    ],
)
def test_the_positive_value_may_be_named(given_s, positive, classes):
    s, found = encode_positive(given_s, positive)
    assert s.tolist() == [1, 0, 0]
    assert found == classes


def test_a_positive_value_that_no_row_or_every_row_has_is_refused():
    with pytest.raises(DataError, match=r"no row has the value 'x'; the values are 'a', 'b'"):
        encode_positive(["a", "b"], "x")
    with pytest.raises(DataError, match="every row has the value 'a'"):
        encode_positive(["a", "a"], "a")


def test_values_that_a_models_json_cannot_hold_are_refused():
    with pytest.raises(DataError, match="of type date; pass 1 and 0"):
        encode_labels([date(2026, 1, 1), date(2026, 1, 2)])


def test_values_of_two_types_are_refused_instead_of_becoming_strings():
    with pytest.raises(DataError, match="cannot be compared"):
        encode_labels([1, "1"])


@pytest.mark.parametrize("given_s", [[], np.zeros((2, 2)), 3])
def test_what_is_no_flat_array_is_refused(given_s):
    with pytest.raises(DataError, match="shape"):
        encode_labels(given_s)


def test_dates_are_refused():
    with pytest.raises(DataError, match="datetime64"):
        encode_labels(np.array(["2024-01-01", "2024-01-02"], dtype="datetime64[D]"))


@pytest.mark.parametrize(
    "labels",
    [
        np.array(["p", "\ud800"]),
        ["p", "\udcff"],
        np.array([ord("p"), 0x7FFFFFFF], np.uint32).view("<U1"),
    ],
    ids=["half a pair", "half a pair in a list", "no character"],
)
def test_text_that_is_no_unicode_is_refused(labels):
    with pytest.raises(DataError, match="no valid Unicode"):
        encode_labels(labels)
    with pytest.raises(DataError, match="no valid Unicode"):
        encode_positive(labels, "p")


@pytest.mark.parametrize(
    "labels", [[0.0, float("inf")], np.array([-np.inf, 1]), [0, 10**30], [Decimal(0), Decimal("1e30")]]
)
def test_labels_that_no_file_can_hold_are_refused(labels):
    with pytest.raises(DataError, match="finite numbers of at most 64 bits, got"):
        encode_labels(labels)


def test_labels_that_are_lists_or_mappings_are_refused():
    with pytest.raises(DataError, match="s must hold numbers, booleans or strings"):
        encode_labels(np.array([{"a": 1}, {"a": 2}], object))
