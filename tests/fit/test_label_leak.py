"""A column that gives the label away is named."""

import numpy as np
import pandas as pd
import pytest

from angularpu import AngularPUClassifier


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
