"""A column that gives the label away is named."""

import numpy as np
import pandas as pd
import pytest
import scipy.sparse

from angularpu import AngularPUClassifier, make_sample
from angularpu.data.prepare.preparation import fit_preparation
from angularpu.fit.label_leak import find_telling


@pytest.fixture
def frame():
    """Rows whose positives hardly differ, positives first: the row number tells labelled from unlabelled."""
    rng = np.random.default_rng(0)
    s = np.arange(400) < 100
    x = rng.normal(size=(400, 3)) + 0.5 * (np.arange(400) < 200)[:, None]
    return pd.DataFrame(x, columns=list("abc")).assign(row=np.arange(400)), s


def test_a_row_number_that_tells_the_label_is_named(frame):
    x, s = frame
    model = AngularPUClassifier(epochs=40, learning_rate=1e-3).fit(x, s)
    (said,) = [note for note in model.notes_ if "gives the label away" in note]
    assert "column 'row' alone would do" in said
    assert "column 'a'" not in said


def test_ordinary_rows_have_no_such_note(frame):
    x, s = frame
    model = AngularPUClassifier(epochs=40, learning_rate=1e-3).fit(x.drop(columns="row"), s)
    assert not any("gives the label away" in note for note in model.notes_)


def test_columns_of_an_array_are_named_by_their_place(frame):
    x, s = frame
    model = AngularPUClassifier(epochs=40, learning_rate=1e-3).fit(x.to_numpy(), s)
    assert any("column 3 alone would do" in note for note in model.notes_)


def telling(x, s):
    sample = make_sample(x, s, scenario="one-sample")
    return find_telling(sample, fit_preparation(sample.rows))


@pytest.mark.parametrize("labelled", [slice(0, 50), slice(700, 750), slice(950, 1000)])
def test_a_row_number_is_named_wherever_the_labelled_rows_lie(labelled):
    s = np.zeros(1000, bool)
    s[labelled] = True
    x = np.random.default_rng(0).normal(size=(1000, 3))
    frame = pd.DataFrame(x, columns=list("abc")).assign(row=np.arange(1000))
    assert telling(frame, s) == ["column 'row'"]
    assert telling(frame.to_numpy(), s) == ["column 3"]


def test_a_column_that_the_model_made_nothing_of_is_named_too():
    rng = np.random.default_rng(1)
    s = np.arange(600) < 50
    x = pd.DataFrame(rng.normal(size=(600, 20))).rename(columns=str).assign(row=np.arange(600))
    model = AngularPUClassifier(epochs=1, learning_rate=1e-6, validation="hold-out").fit(x, s)
    (said,) = [note for note in model.notes_ if "gives the label away" in note]
    assert said.startswith("column 'row' alone tells known positives from practically every unlabelled row")


def test_a_text_column_whose_levels_are_those_of_the_labelled_rows_is_named():
    rng = np.random.default_rng(2)
    s = np.arange(900) < 90
    source = np.where(s, rng.choice(["ward 1", "ward 2", "ward 3"], 900), rng.choice(["web", "post"], 900))
    frame = pd.DataFrame({"a": rng.normal(size=900), "source": source, "city": rng.choice(list("xyz"), 900)})
    assert telling(frame, s) == ["column 'source'"]


def test_a_sparse_column_that_only_labelled_rows_have_is_named():
    rng = np.random.default_rng(3)
    s = np.arange(300) < 40
    x = (rng.random((300, 30)) < 0.2) * 1.0
    x[:, 7] = s
    assert telling(scipy.sparse.csr_matrix(x), s) == ["column 7"]


def test_a_row_number_of_rows_labelled_at_random_is_not_named():
    rng = np.random.default_rng(4)
    n = 60_000  # so many that not all unlabelled rows are looked at
    s = rng.random(n) < 0.02
    assert telling(np.column_stack([np.arange(n), rng.normal(size=(n, 50))]), s) == []


def test_four_labelled_rows_accuse_no_column():
    s = np.arange(100) < 4
    assert telling(np.column_stack([np.arange(100), np.arange(100) % 7]), s) == []
