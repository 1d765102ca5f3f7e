"""Rows dealt into two parts."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from angularpu_bench.catalogue.partition import split_groups, split_rows


@given(st.lists(st.integers(0, 4), min_size=1, max_size=80))
def test_every_row_is_in_one_part_and_every_class_is_split_seventy_to_thirty(labels):
    labels = np.array(labels)
    train, test = split_rows(labels)
    assert sorted([*train, *test]) == [*range(len(labels))]
    assert (np.diff(train) > 0).all()
    for label in np.unique(labels):
        assert (labels[train] == label).sum() == round(0.7 * (labels == label).sum())


@given(st.lists(st.integers(0, 9), min_size=1, max_size=80))
def test_no_group_is_in_both_parts(groups):
    groups = np.array(groups)
    train, test = split_groups(groups)
    assert sorted([*train, *test]) == [*range(len(groups))]
    assert not set(groups[train]) & set(groups[test])
    assert len(set(groups[train])) == round(0.7 * len(set(groups)))


def test_the_parts_are_not_the_order_of_the_file():
    train, _ = split_rows(np.zeros(100, np.int64))
    assert 40 < (train < 70).sum() < 60
