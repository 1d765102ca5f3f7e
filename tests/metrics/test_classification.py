import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.metrics import accuracy_score, f1_score, precision_score, recall_score

from angularpu.errors import DataError
from angularpu.metrics.classification import Confusion


def test_predictions_are_counted_against_the_truth():
    counts = Confusion.of(np.array([1, 1, 1, 0, 0, 0, 0]), np.array([1, 1, 0, 1, 0, 0, 0]))
    assert counts == Confusion(tp=2, fp=1, fn=1, tn=3)
    assert counts.n == 7
    assert counts.prior == 3 / 7


@settings(max_examples=25)
@given(st.lists(st.tuples(st.integers(0, 1), st.integers(0, 1)), min_size=1))
def test_metrics_agree_with_scikit_learn(pairs):
    y, predicted = np.array(pairs).T
    counts = Confusion.of(y, predicted)
    assert counts.accuracy == pytest.approx(accuracy_score(y, predicted), abs=1e-12)
    for ours, theirs in ((counts.precision, precision_score), (counts.recall, recall_score), (counts.f1, f1_score)):
        assert ours == pytest.approx(theirs(y, predicted, zero_division=0), abs=1e-12)


def test_nothing_over_nothing_is_zero():
    nothing_called = Confusion(tp=0, fp=0, fn=3, tn=4)
    assert (nothing_called.precision, nothing_called.recall, nothing_called.f1) == (0, 0, 0)
    no_positive = Confusion(tp=0, fp=0, fn=0, tn=4)
    assert (no_positive.recall, no_positive.f1, no_positive.accuracy) == (0, 0, 1)


def test_unequal_lengths_and_no_rows_are_refused():
    with pytest.raises(DataError, match="equally long"):
        Confusion.of(np.array([1, 0]), np.array([1]))
    with pytest.raises(DataError, match="at least one row"):
        Confusion.of(np.array([]), np.array([]))
