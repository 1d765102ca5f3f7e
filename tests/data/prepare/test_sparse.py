"""Sparse rows."""

import numpy as np
import pyarrow as pa
import pytest
import scipy.sparse as sp
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from angularpu.data.prepare.preparation import fit_preparation
from angularpu.data.sources import as_rows
from angularpu.errors import DataError

X = np.array([[0.0, 2.0, 0.0, 1.0], [0.0, -4.0, 3.0, 1.0], [0.0, 0.0, 0.0, 1.0]])


def test_values_by_hand():
    preparation = fit_preparation(as_rows(sp.csr_matrix(X)))
    assert preparation.apply(sp.csr_matrix(X)).tolist() == [[0.5, 0], [-1, 1], [0, 0]]
    assert preparation.notes == ("2 of 4 columns left out: every value is the same",)


@given(hnp.arrays(np.int64, (6, 5), elements=st.integers(-3, 3)))
def test_scaling_is_by_the_largest_absolute_value(x):
    kept = x.min(axis=0) < x.max(axis=0)
    if kept.any():
        preparation = fit_preparation(as_rows(sp.csr_matrix(x)))
        expected = (x / np.maximum(np.abs(x).max(axis=0), 1))[:, kept]
        np.testing.assert_allclose(preparation.apply(sp.csr_matrix(x)), expected, rtol=1e-6)


def test_the_range_is_taken_over_all_chunks():
    tall = sp.vstack([sp.csr_matrix(([1.0], ([0], [0])), shape=(20_000, 2)), sp.csr_matrix([[-8.0, 5.0]])])
    assert fit_preparation(as_rows(tall)).peak.tolist() == [8.0, 5.0]


@pytest.mark.parametrize("form", [np.asarray, sp.csc_matrix, sp.coo_array])
def test_dense_rows_and_other_sparse_forms_are_scored_too(form):
    preparation = fit_preparation(as_rows(sp.csr_matrix(X)))
    assert preparation.apply(form(X)).tolist() == [[0.5, 0], [-1, 1], [0, 0]]


def test_values_stored_twice_are_added():
    preparation = fit_preparation(as_rows(sp.csr_matrix(X)))
    twice = sp.csr_matrix((np.array([1.0, 1.0]), [1, 1], [0, 2]), shape=(1, 4))
    assert preparation.apply(twice).tolist() == [[0.5, 0]]


def test_flags_are_scaled():
    flags = sp.csr_matrix(X.astype(bool))
    assert fit_preparation(as_rows(flags)).apply(flags).tolist() == [[1, 0], [1, 1], [0, 0]]


def test_huge_values_do_not_overflow():
    preparation = fit_preparation(as_rows(sp.csr_matrix(X)))
    assert preparation.apply(sp.csr_matrix([[0, 1e308, -1e308, 0]])).tolist() == [[1e6, -1e6]]


@pytest.mark.parametrize("bad", [np.nan, np.inf])
def test_missing_and_infinite_values_are_refused(bad):
    x = np.zeros((10_000, 3))
    x[0] = [1, 2, 3]
    x[9_000, 2] = bad
    with pytest.raises(DataError, match=f"column 2, row 9000 .* the value is {bad}"):
        fit_preparation(as_rows(sp.csr_matrix(x)))
    with pytest.raises(DataError, match=f"column 2, row 9100 .* the value is {bad}"):
        fit_preparation(as_rows(sp.csr_matrix(x[:5]))).apply(sp.csr_matrix(x), first_row=100)


@pytest.mark.parametrize(
    "block", [sp.csr_matrix((2, 3)), np.zeros((2, 9)), pa.table({"a": [1]}), np.zeros((2, 1, 2, 2))]
)
def test_other_rows_are_refused(block):
    with pytest.raises(DataError, match="fitted on"):
        fit_preparation(as_rows(sp.csr_matrix(X))).apply(block)
