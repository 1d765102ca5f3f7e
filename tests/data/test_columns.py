"""Numbers and text out of columns of every type."""

import datetime
import decimal

import numpy as np
import pyarrow as pa
import pytest

from angularpu.data.columns import as_numbers, as_text, blank_missing, value_kind
from angularpu.errors import DataError


@pytest.mark.parametrize(
    ("column", "expected"),
    [
        (pa.array([1, None, -3], pa.int8()), [1, np.nan, -3]),
        (pa.array([2**63], pa.uint64()), [2.0**63]),
        (pa.array([1.5, None, float("nan")], pa.float32()), [1.5, np.nan, np.nan]),
        (pa.array([np.float16(0.5), None]), [0.5, np.nan]),
        (pa.array([True, None, False]), [1, np.nan, 0]),
        (pa.array([decimal.Decimal("1.25"), None]), [1.25, np.nan]),
        (pa.nulls(2), [np.nan, np.nan]),
        (pa.array([9, 9, 1, 2]).slice(2), [1, 2]),
        (pa.array(["1.5", " 2 ", "NA", "", None, "-3e2"]), [1.5, 2, np.nan, np.nan, np.nan, -300]),
        (pa.array(["true", "N/A", "False"]), [1, np.nan, 0]),
        (pa.array(["5", "6", "5"]).dictionary_encode(), [5, 6, 5]),
        (pa.array([5, 6, 5]).dictionary_encode(), [5, 6, 5]),
    ],
    ids=str,
)
def test_numbers_come_out_with_nan_for_what_is_missing(column, expected):
    np.testing.assert_array_equal(as_numbers(column, "number", name="a").astype(float), expected)


DAY = datetime.date(2020, 1, 2)
NOON = datetime.datetime(2020, 1, 2, 12)
SECONDS = 1577966400.0  # noon of 2 January 2020, in seconds since 1970


@pytest.mark.parametrize(
    ("column", "expected"),
    [
        (pa.array([DAY, None], pa.date32()), SECONDS - 43200),
        (pa.array([DAY, None], pa.date64()), SECONDS - 43200),
        *[(pa.array([NOON, None], pa.timestamp(unit)), SECONDS) for unit in ("s", "ms", "us", "ns")],
        (pa.array([NOON, None], pa.timestamp("us", "Europe/Oslo")), SECONDS),
        (pa.array(["2020-01-02 12:00", "NA"]), SECONDS),
        (pa.array(["2020-01-02T14:00:00+02:00", None]), SECONDS),
    ],
    ids=str,
)
def test_dates_become_seconds(column, expected):
    np.testing.assert_array_equal(as_numbers(column, "date", name="a"), [expected, np.nan])


@pytest.mark.parametrize("type_", [pa.time32("s"), pa.time32("ms"), pa.time64("us"), pa.time64("ns")])
def test_times_of_day_become_seconds(type_):
    column = pa.array([datetime.time(1, 0, 30), None], type_)
    np.testing.assert_array_equal(as_numbers(column, "duration", name="a"), [3630, np.nan])


def test_durations_become_seconds():
    column = pa.array([datetime.timedelta(minutes=2)], pa.duration("ms"))
    assert as_numbers(column, "duration", name="a").tolist() == [120]


def test_a_column_of_numbers_is_not_copied():
    values = np.arange(5.0)
    assert np.shares_memory(as_numbers(pa.array(values), "number", name="a"), values)


@pytest.mark.parametrize("bad_row", [0, 1, 77, 99])
def test_the_first_text_that_is_no_number_is_named(bad_row):
    cells = [str(i) for i in range(100)]
    cells[bad_row] = "twelve"
    if bad_row < 99:
        cells[99] = "thirteen"
    with pytest.raises(DataError, match=f"column 'age', row {1000 + bad_row} .*: 'twelve' is not a number"):
        as_numbers(pa.array(cells), "number", name="age", first_row=1000)


@pytest.mark.parametrize(
    ("column", "kind", "message"),
    [
        (pa.array([NOON]), "number", "holds numbers in the fitted data, but values of type timestamp"),
        (pa.array([3]), "date", "holds dates in the fitted data, but values of type int64"),
        (pa.array([[1]]), "number", "cannot be used"),
        (pa.array([b"1"]), "number", "cannot be used"),
        (pa.array(["soon"]), "date", "'soon' is not a date"),
        (pa.array(["1 h"]), "duration", "'1 h' is not a duration"),
    ],
)
def test_values_of_another_kind_are_refused(column, kind, message):
    with pytest.raises(DataError, match=message):
        as_numbers(column, kind, name="a")


@pytest.mark.parametrize(
    "column",
    [
        pa.array(["3", None]),
        pa.array(["3", None], pa.large_string()),
        pa.array(["3", None], pa.string_view()),
        pa.array([3, None]),
        pa.array([3.0, None]),
        pa.array([3, None], pa.uint8()).dictionary_encode(),
        pa.array(["3", None]).dictionary_encode(),
    ],
    ids=lambda column: str(column.type),
)
def test_a_whole_number_is_the_same_text_whatever_its_type(column):
    assert as_text(column).to_pylist() == ["3", None]
    assert as_text(column).type == pa.large_string()


def test_cells_that_stand_for_missing_values_are_null():
    cells = ["", "NA", "N/A", "NaN", "nan", "null", "NULL", "None", " NA ", "Na", "0", "none at all"]
    assert blank_missing(pa.array(cells)).to_pylist() == [None] * 9 + ["Na", "0", "none at all"]


@pytest.mark.parametrize(
    "type_", [pa.binary(), pa.list_(pa.int8()), pa.struct([]), pa.dictionary(pa.int8(), pa.binary())]
)
def test_other_types_have_no_kind(type_):
    assert value_kind(type_) is None
