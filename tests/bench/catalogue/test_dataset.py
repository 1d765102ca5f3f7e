"""A data set and its positives."""

import dataclasses

import numpy as np
import pyarrow as pa
import pytest
import scipy.sparse as sp

from angularpu.errors import DataError
from angularpu_bench.catalogue.dataset import Dataset

LABELS = np.array([0, 1, 2, 2])


@pytest.mark.parametrize("x", [np.eye(4), sp.csr_matrix(np.eye(4)), pa.table({"a": [1, 2, 3, 4]})])
def test_positives_are_marked_in_rows_of_every_kind(x):
    dataset = Dataset("toy", "table", x, LABELS, x, LABELS, frozenset({2}))
    assert dataset.y_train.tolist() == dataset.y_test.tolist() == [0, 0, 1, 1]
    assert dataset.y_train.dtype == np.int8
    assert dataset.prior == 0.5


def test_rows_and_classes_must_match():
    with pytest.raises(DataError, match="toy: 3 test rows do not match 4 classes"):
        Dataset("toy", "table", np.eye(4), LABELS, np.eye(3), LABELS, frozenset({2}))


@pytest.mark.parametrize(("positives", "word"), [({7}, "no"), ({0, 1, 2}, "every")])
def test_a_grouping_needs_positives_and_others(positives, word):
    with pytest.raises(DataError, match=f"{word} training row belongs to the positive classes"):
        Dataset("toy", "table", np.eye(4), LABELS, np.eye(4), LABELS, frozenset(positives))


def test_rows_can_be_replaced_by_features():
    dataset = Dataset("toy", "table", np.eye(4), LABELS, np.eye(4), LABELS, frozenset({2}), ("careful",))
    replaced = dataclasses.replace(dataset, x_train=np.ones((4, 9)), x_test=np.ones((4, 9)))
    assert (replaced.x_train.shape, replaced.warnings) == ((4, 9), ("careful",))
