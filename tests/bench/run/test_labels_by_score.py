"""Specs that label by score draw other labels, and leave the hashes of all other cells as they are."""

import numpy as np
import pyarrow as pa
import pytest

from angularpu.errors import SettingError
from angularpu_bench.catalogue.dataset import Dataset
from angularpu_bench.run.rows import draw_sample
from angularpu_bench.spec.grid import expand
from angularpu_bench.spec.spec_file import parse_spec

X = np.random.default_rng(0).normal(size=(400, 3))
Y = np.repeat([1, 0], 200)


def make_cell(**more):
    table = {"seeds": 1, "methods": ["naive"], "datasets": [{"name": "spam", "track": "table", "labelled": 50}], **more}
    return expand(parse_spec(table, name="tiny"))[0]


def make_dataset(rows):
    return Dataset("toy", "table", rows, Y, rows, Y, positives=frozenset({1}))


def draw(rows, **more):
    sample, _ = draw_sample(make_dataset(rows), make_cell(**more), oracle=False)
    return sample.pos


def spread_of_labels(pos):
    """Return how far the labelled positives lie from the mean of all positives, in deviations of that mean."""
    return np.abs(X[pos].mean(axis=0) - X[:200].mean(axis=0)).max() / (X[:200].std() / np.sqrt(50))


def test_labels_by_score_lie_to_one_side():
    assert spread_of_labels(draw(X)) < 3.5 < spread_of_labels(draw(X, labelling="score"))


def test_an_arrow_table_of_numbers_is_labelled_like_its_matrix():
    table = pa.table({f"c{i}": X[:, i] for i in range(3)})
    assert np.array_equal(draw(table, labelling="score"), draw(X, labelling="score"))


def test_rows_without_numbers_are_refused():
    with pytest.raises(SettingError, match="need a matrix of numbers, and toy has other rows"):
        draw(pa.table({"word": ["a"] * 400}), labelling="score")


def test_only_cells_that_label_by_score_have_another_hash():
    assert make_cell().hash == make_cell(labelling="random").hash != make_cell(labelling="score").hash
