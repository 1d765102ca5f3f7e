"""Tables written in pieces."""

import csv
import errno

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from angularpu.data.io.csv_file import open_csv
from angularpu.data.io.formats import TABLES, TableFormat
from angularpu.data.io.tables import open_table
from angularpu.data.io.writing import open_writer
from angularpu.errors import DataError, SettingError

WRITTEN = [suffix for suffix, known in TABLES.items() if known.write]
TABLE = pa.table({"id": ["a,b", None], "the score": [0.5, None], "yes": [True, False], "n": [1, None]})


@pytest.mark.parametrize("suffix", [".csv", ".parquet", ".CSV"])
def test_pieces_follow_each_other(tmp_path, suffix):
    path = tmp_path / f"out{suffix}"
    with open_writer(path) as writer:
        writer.write(TABLE)
        writer.write(TABLE.slice(1))
        assert not path.exists()
    if suffix == ".parquet":
        assert pq.read_table(path).equals(pa.concat_tables([TABLE, TABLE.slice(1)]))
    else:
        assert path.read_text() == 'id,the score,yes,n\n"a,b",0.5,true,1\n,,false,\n,,false,\n'
    assert [entry.name for entry in tmp_path.iterdir()] == [path.name]


@pytest.mark.parametrize("suffix", WRITTEN)
def test_a_failure_leaves_what_was_there(tmp_path, suffix):
    path = tmp_path / f"out{suffix}"
    path.write_text("before")

    def fail_halfway():
        with open_writer(path) as writer:
            writer.write(TABLE)
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        fail_halfway()
    assert [entry.name for entry in tmp_path.iterdir()] == [path.name]
    assert path.read_text() == "before"


def test_a_failure_before_the_first_row_is_not_hidden(tmp_path):
    with pytest.raises(ZeroDivisionError), open_writer(tmp_path / "out.csv"):
        raise ZeroDivisionError
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("suffix", WRITTEN)
def test_a_file_without_rows_is_not_made(tmp_path, suffix):
    with pytest.raises(DataError, match="no rows for it"), open_writer(tmp_path / f"out{suffix}"):
        pass
    assert not list(tmp_path.iterdir())


def test_a_full_disk_is_named_and_leaves_nothing_behind(tmp_path, monkeypatch):
    def fail(*_):
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr("angularpu.data.io.csv_file.CsvWriter.write_table", fail)
    with (
        pytest.raises(DataError, match=r"out\.csv cannot be written: No space left"),
        open_writer(tmp_path / "out.csv") as writer,
    ):
        writer.write(TABLE)
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("out.json", "ends in '.json'; tables are written as .csv, .parquet"),
        ("out", "'no suffix'"),
        ("nowhere/out.csv", "is not a directory, so out.csv cannot be written there"),
        ("folder.csv", "is a directory"),
    ],
)
def test_bad_paths_are_refused(tmp_path, name, message):
    (tmp_path / "folder.csv").mkdir()
    with pytest.raises(DataError, match=message), open_writer(tmp_path / name):
        pass


@pytest.mark.parametrize("name", ['q"uote', "com,ma", "plain", "é"])
def test_any_name_survives_as_a_header(tmp_path, name):
    with open_writer(tmp_path / "t.csv") as writer:
        writer.write(pa.table({name: [1], "b": [2]}))
    assert open_table(tmp_path / "t.csv").columns == (name, "b")


def test_a_format_that_is_only_read_is_not_written(tmp_path, monkeypatch):
    monkeypatch.setitem(TABLES, ".tab", TableFormat(open_csv))
    (tmp_path / "t.tab").write_text("a\n1\n")
    assert open_table(tmp_path / "t.tab").read().to_pydict() == {"a": [1]}
    with (
        pytest.raises(DataError, match=r"ends in '\.tab'; tables are written as \.csv, \.parquet"),
        open_writer(tmp_path / "t.tab"),
    ):
        pass


FORMULAS = [
    "=1+1",
    "+x",
    "-x",
    "@x",
    "\tx",
    "\rx",
    "\nx",
    "\uff1dx",
    "-5",
    "+5.5e3",
    "a=1",
    "",
    None,
    "'=1",
    "-5=1",
    "-5\n=1",
]
HARMLESS = [
    *("'=1+1", "'+x", "'-x", "'@x", "'\tx", "'\rx", "'\nx", "'\uff1dx"),
    *("-5", "+5.5e3", "a=1", "", None, "'=1", "'-5=1", "'-5\n=1"),
]


@pytest.mark.parametrize("type_", [pa.string(), pa.large_string(), pa.binary(), pa.dictionary(pa.int8(), pa.string())])
def test_text_that_a_spreadsheet_would_run_gets_an_apostrophe_when_asked(tmp_path, type_):
    column = pa.array([None if each is None else each.encode() for each in FORMULAS], pa.binary())
    column = column if type_ == pa.binary() else column.cast(pa.string())
    column = column.dictionary_encode() if pa.types.is_dictionary(type_) else column.cast(type_)
    table = pa.table({"@id": column, "score": [-float(i) for i in range(len(FORMULAS))]})
    for safe in (False, True):
        with open_writer(tmp_path / "o.csv", safe=safe) as writer:
            writer.write(table)
        with (tmp_path / "o.csv").open(newline="") as file:
            header, *rows = csv.reader(file)
        assert header == ["'@id" if safe else "@id", "score"]
        assert [row[0] for row in rows] == [each or "" for each in (HARMLESS if safe else FORMULAS)]
        assert [float(row[1]) for row in rows] == table["score"].to_pylist()


def test_only_csv_is_made_safe(tmp_path):
    with (
        pytest.raises(SettingError, match=r"only CSV can be made safe for spreadsheets, got .*o\.parquet"),
        open_writer(tmp_path / "o.parquet", safe=True),
    ):
        pass
