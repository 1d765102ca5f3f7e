"""Columns with names and types."""

import datetime

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest

from angularpu.data.prepare.preparation import fit_preparation
from angularpu.data.sources import as_rows
from angularpu.errors import DataError

TABLE = pa.table(
    {
        "city": ["Oslo", "Oslo", "Bergen", None],
        "age": pa.array([20, 40, None, 30]),
        "kind": ["same"] * 4,
        "member": [True, False, True, False],
        "since": [datetime.date(2020, 1, day) for day in (1, 2, 3, 4)],
        "level": pa.array([1, 2, 1, 1]).dictionary_encode(),
    }
)


@pytest.fixture(scope="module")
def preparation():
    return fit_preparation(as_rows(TABLE))


def test_values_by_hand(preparation):
    days = np.array([-1.5, -0.5, 0.5, 1.5]) / np.sqrt(1.25)
    age = np.array([-10, 10, 0, 0]) / np.std([20, 40, 30])
    expected = [
        # age, member, since, age missing, Oslo first as the more frequent, Bergen, city missing, level 1, level 2
        [age[0], 1, days[0], 0, 1, 0, 0, 1, 0],
        [age[1], -1, days[1], 0, 1, 0, 0, 0, 1],
        [age[2], 1, days[2], 1, 0, 1, 0, 1, 0],
        [age[3], -1, days[3], 0, 0, 0, 1, 1, 0],
    ]
    np.testing.assert_allclose(preparation.apply(TABLE), expected, rtol=1e-6)
    assert preparation.notes == ("column 'kind' left out: every value is the same",)
    assert preparation.text_columns == ("city", "level")


def test_columns_are_found_by_name_beside_others(preparation):
    shuffled = TABLE.select(["level", "since", "member", "age", "city"]).append_column("more", [[[1]] * 4])
    assert preparation.apply(shuffled).tobytes() == preparation.apply(TABLE).tobytes()


def test_columns_that_did_not_come_are_listed(preparation):
    with pytest.raises(DataError, match="'age', 'city', which did not come"):
        preparation.apply(TABLE.drop_columns(["age", "city", "kind"]))


def test_numbers_and_dates_that_come_as_text_are_read(preparation):
    text = TABLE
    for name, cells in {
        "age": ["20", "40.0", "NA", " 30"],
        "member": ["True", "false", "TRUE", "False"],
        "since": [f"2020-01-0{day}" for day in (1, 2, 3, 4)],
        "level": ["1", "2", "1", "1"],
    }.items():
        text = text.set_column(text.column_names.index(name), name, [cells])
    assert preparation.apply(text).tobytes() == preparation.apply(TABLE).tobytes()


def test_text_that_is_no_number_is_named(preparation):
    bad = TABLE.set_column(1, "age", [["20", "forty", "30", "x"]])
    with pytest.raises(DataError, match=r"column 'age', row 6 .*'forty' is not a number"):
        preparation.apply(bad, first_row=5)


def test_a_column_in_pieces_is_read_whole(preparation):
    pieces = pa.concat_tables([TABLE.slice(0, 1), TABLE.slice(1, 2), TABLE.slice(3)])
    assert preparation.apply(pieces).tobytes() == preparation.apply(TABLE).tobytes()


def test_fitting_does_not_depend_on_chunks_of_a_pandas_frame():
    rng = np.random.default_rng(0)
    frame = pd.DataFrame({"a": rng.normal(size=70_000), "c": rng.choice(list("xyz"), 70_000)})
    preparation = fit_preparation(as_rows(frame))
    out = preparation.apply(as_rows(frame).table)
    np.testing.assert_allclose(out[:, 0], (frame["a"] - frame["a"].mean()) / frame["a"].std(ddof=0), atol=1e-5)
    order = frame["c"].value_counts().index
    np.testing.assert_array_equal(out[:, 1:], np.stack([frame["c"] == level for level in order], axis=1))


def test_infinite_values_are_named_by_column_and_row():
    values = np.arange(70_000.0)
    table = pa.table({"b": values, "a": values})
    preparation = fit_preparation(as_rows(table))
    values = values.copy()
    values[69_999] = np.inf
    for act in (lambda t: fit_preparation(as_rows(t)), preparation.apply):
        with pytest.raises(DataError, match="column 'a', row 69999"):
            act(table.set_column(1, "a", [values]))


def test_an_array_is_taken_by_position_when_all_columns_are_numbers():
    x = np.array([[1.0, 7.0, 2.0], [3.0, 7.0, 5.0]])
    frame = pa.table({"a": x[:, 0], "constant": x[:, 1], "b": x[:, 2]})
    preparation = fit_preparation(as_rows(frame))
    assert preparation.apply(x).tobytes() == preparation.apply(frame).tobytes()
    with pytest.raises(DataError, match="fitted on 3 columns, but 2 came"):
        preparation.apply(x[:, :2])


def test_an_array_is_refused_when_a_fitted_column_is_text_or_a_date(preparation):
    with pytest.raises(DataError, match="pass a frame with the columns 'city', 'age'"):
        preparation.apply(np.zeros((2, 6)))
    dates = fit_preparation(as_rows(TABLE.select(["since"])))
    with pytest.raises(DataError, match="pass a frame with the columns 'since'"):
        dates.apply(np.zeros((2, 1)))


def test_a_frame_of_text_alone_is_prepared():
    preparation = fit_preparation(as_rows(TABLE.select(["city"])))
    assert preparation.apply(TABLE).tolist() == [[1, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]]


@pytest.mark.parametrize("column", [[[1], [2]], [{"x": 1}, {"x": 2}], [b"a", b"b"]], ids=["list", "struct", "binary"])
def test_columns_of_other_types_are_refused(column):
    with pytest.raises(DataError, match=r"column 'odd' holds values of type .* leave the column out"):
        fit_preparation(as_rows(pa.table({"a": [1, 2], "odd": column})))
