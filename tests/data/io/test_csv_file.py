"""The types of CSV columns."""

import pyarrow as pa
import pytest

from angularpu.data.io.tables import open_table


def read(tmp_path, content, **options):
    path = tmp_path / "t.csv"
    path.write_bytes(content.encode())
    return open_table(path, **options).read()


@pytest.mark.parametrize(
    ("cells", "type_", "values"),
    [
        (["1", "", "-3"], pa.int64(), [1, None, -3]),
        (["1", "NA", "2.5"], pa.float64(), [1.0, None, 2.5]),
        (["1e3", " 2 ", " null "], pa.float64(), [1000.0, 2.0, None]),
        (["99999999999999999999", "1", "2"], pa.float64(), [1e20, 1.0, 2.0]),
        (["true", "False", "nan"], pa.bool_(), [True, False, None]),
        (["1", "two", "None"], pa.string(), ["1", "two", None]),
        (["N/A", "", "NULL"], pa.null(), [None, None, None]),
        (['"a,b"', '"say ""x"""', '"two\nlines"'], pa.string(), ["a,b", 'say "x"', "two\nlines"]),
        (["1,5".replace(",", ";"), "2", "3"], pa.string(), ["1;5", "2", "3"]),
    ],
    ids=str,
)
def test_a_column_has_the_type_that_all_its_cells_have(tmp_path, cells, type_, values):
    table = read(tmp_path, "a,b\n" + "".join(f"{cell},{i}\n" for i, cell in enumerate(cells)))
    assert (table.schema.field("a").type, table["a"].to_pylist()) == (type_, values)


def test_dates_are_recognised(tmp_path):
    table = read(tmp_path, "day,moment,zoned\n2020-01-02,2020-01-02 10:00,2020-01-02T10:00:00Z\n,,\n")
    assert table.schema.types == [pa.timestamp("us"), pa.timestamp("us"), pa.timestamp("us", "UTC")]
    assert table["day"].null_count == 1


def test_a_cell_at_the_very_end_of_a_long_file_decides(tmp_path):
    # Longer than one block, so that the last cell is seen only by a pass over the whole file.
    n = 700_000
    text = "a,b,c\n" + "17,4,5\n" * n
    table = read(tmp_path, text + "x,0.5,6\n")
    assert table.schema.types == [pa.string(), pa.float64(), pa.int64()]
    assert (table["a"][0].as_py(), table["a"][n].as_py(), table["b"][n].as_py()) == ("17", "x", 0.5)


def test_codes_stay_text_when_asked(tmp_path):
    text = "code,n\n007,1\n42,2\n"
    assert read(tmp_path, text)["code"].to_pylist() == [7, 42]
    assert read(tmp_path, text, text=["code"])["code"].to_pylist() == ["007", "42"]


def test_blanks_after_commas_are_no_part_of_names_or_cells(tmp_path):
    table = read(tmp_path, "a, b\nx, NA\ny, 3\n")
    assert table.to_pydict() == {"a": ["x", "y"], "b": [None, 3]}


@pytest.mark.parametrize("text", ["\ufeffa,b\n1,2\n", "a,b\r\n1,2\r\n", "a,b\n1,2", '"a","b"\n"1","2"\n'])
def test_files_of_other_programs_are_read(tmp_path, text):
    assert read(tmp_path, text).to_pydict() == {"a": [1], "b": [2]}
