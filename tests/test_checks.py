"""Checks of options: what passes, and the sentence for what does not."""

import math
from typing import Any, Literal

import numpy as np
import pytest

from angularpu.checks import check_choice, check_range, check_share, fits
from angularpu.errors import SettingError


@pytest.mark.parametrize("value", [3, 3.0, np.int64(3), np.float32(3), np.float64(3)])
def test_any_kind_of_number_becomes_a_float(value):
    number = check_range("kappa", value, low=0)
    assert type(number) is float
    assert number == 3


@pytest.mark.parametrize("value", [True, "3", None, [3], math.nan, math.inf, -math.inf])
def test_what_is_no_finite_number_is_refused(value):
    with pytest.raises(SettingError, match="kappa must be a finite number, got"):
        check_range("kappa", value)


def test_a_closed_end_belongs_to_the_range_and_an_open_one_does_not():
    assert check_range("margin", -1, low=-1, high=1) == -1
    assert check_range("margin", 1, low=-1, high=1) == 1
    assert check_range("t", 1, low=0, high=1, open_low=True) == 1
    with pytest.raises(SettingError, match="t must be a number above 0 and at most 1, got 0"):
        check_range("t", 0, low=0, high=1, open_low=True)


@pytest.mark.parametrize(
    ("bounds", "sentence"),
    [
        ({"low": 0}, "k must be a number at least 0, got -5"),
        ({"low": 0, "open_low": True}, "k must be a number above 0, got -5"),
        ({"low": -1, "high": 1}, "k must be a number at least -1 and at most 1, got -5"),
        ({"high": -6}, "k must be a number at most -6, got -5"),
        ({"low": 0, "words": ("x", "y")}, "k must be 'x', 'y' or a number at least 0, got -5"),
    ],
)
def test_the_sentence_names_what_is_allowed(bounds, sentence):
    with pytest.raises(SettingError) as error:
        check_range("k", -5, **bounds)
    assert str(error.value) == sentence


def test_a_choice_is_handed_back_or_refused_with_all_that_is_allowed():
    assert check_choice("weight", None, ("prototype", None)) is None
    with pytest.raises(SettingError) as error:
        check_choice("weight", "none", ("prototype", None))
    assert str(error.value) == "weight must be one of 'prototype', None, got 'none'"


@pytest.mark.parametrize("value", [0, 1, -0.5, 100, math.nan, True, "bbe", None])
def test_a_share_lies_strictly_between_0_and_1(value):
    assert check_share("prior", np.float32(0.5)) == 0.5
    with pytest.raises(SettingError) as error:
        check_share("prior", value)
    assert str(error.value) == f"prior must lie in (0, 1), got {value!r}"


@pytest.mark.parametrize(
    ("hint", "good", "bad"),
    [
        (float, [3, 0.5], [True, "3", None]),
        (int, [3], [True, 0.5]),
        (bool, [True], [1]),
        (float | None, [None, 1], ["x"]),
        (float | Literal["learnable"], ["learnable", 2.0], ["softplus", True]),
        (tuple[int, ...], [[1, 2], []], [[1, "a"], 3]),
        (dict[str, int], [{"a": 1}], [{"a": "b"}, []]),
        (Any, ["x", None], []),
    ],
)
def test_a_value_read_from_text_fits_a_hint_or_does_not(hint, good, bad):
    assert all(fits(value, hint) for value in good)
    assert not any(fits(value, hint) for value in bad)
