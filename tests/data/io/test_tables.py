"""Tables in files of either format."""

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from angularpu.data.io.formats import TABLES
from angularpu.data.io.tables import open_table
from angularpu.data.io.writing import open_writer
from angularpu.errors import DataError

N = 10_000
TABLE = pa.table(
    {
        "n": pa.array([None if i % 11 == 0 else i / 7 for i in range(N)]),
        "x.box": np.arange(N),
        "x": pa.array([i % 3 == 0 for i in range(N)]),
        "text": [None if i % 5 == 0 else f'"{i}", {i}\n' if i % 50 == 1 else str(i) + "é" for i in range(N)],
    }
)


@pytest.fixture(params=[suffix for suffix, known in TABLES.items() if known.write])
def path(request, tmp_path):
    path = tmp_path / f"table{request.param}"
    with open_writer(path) as writer:
        for start in range(0, N, 3000):
            writer.write(TABLE.slice(start, 3000))
    return path


def trimmed(table):
    """Blanks at the ends of cells are not kept in CSV, in which they are hardly ever meant."""
    return [None if cell is None else cell.strip() for cell in table["text"].to_pylist()]


def test_what_was_written_is_read(path):
    file = open_table(path)
    assert (file.columns, file.count_rows()) == (("n", "x.box", "x", "text"), N)
    table = file.read()
    assert table.drop_columns(["text"]).equals(TABLE.drop_columns(["text"]))
    assert trimmed(table) == trimmed(TABLE)


@pytest.mark.parametrize("n", [1, 997, N, 10 * N])
def test_batches_hold_at_most_n_rows_and_all_of_them(path, n):
    if n == 1:
        assert next(open_table(path).batches(1)).num_rows == 1
        return
    batches = list(open_table(path).batches(n, ["x", "x.box"]))
    assert max(batch.num_rows for batch in batches) <= n
    assert pa.concat_tables(batches).equals(TABLE.select(["x", "x.box"]))


def test_columns_come_in_the_order_asked_for(path):
    assert open_table(path).read(["x", "n"]).column_names == ["x", "n"]


def test_an_unknown_column_is_named_with_the_known_ones(path):
    with pytest.raises(DataError, match=r"has no column 'y'; it has 'n', 'x\.box', 'x', 'text'"):
        open_table(path).read(["n", "y"])


def test_half_a_parquet_file_is_refused(tmp_path):
    path = tmp_path / "t.parquet"
    pq.write_table(TABLE, path)
    path.write_bytes(path.read_bytes()[:-1000])
    with pytest.raises(DataError, match=rf"{path} cannot be read as Parquet"):
        open_table(path)


def test_a_csv_file_that_ends_within_a_row_is_refused(tmp_path):
    path = tmp_path / "t.csv"
    path.write_text("a,b,c\n" + "1,2,3\n" * 100_000 + "1,2")
    with pytest.raises(DataError, match=rf"{path} cannot be read as CSV: .*Row #100002: Expected 3 columns, got 2"):
        open_table(path)


def test_damage_inside_a_parquet_file_is_found_when_it_is_read(tmp_path):
    path = tmp_path / "t.parquet"
    pq.write_table(TABLE, path, compression="snappy")
    content = bytearray(path.read_bytes())
    content[4 : len(content) // 2] = bytes(len(content) // 2 - 4)
    path.write_bytes(content)
    file = open_table(path)
    for read in (file.read, lambda: list(file.batches(100))):
        with pytest.raises(DataError, match=rf"{path} cannot be read as Parquet"):
            read()


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("a.csv", None, "does not exist"),
        ("a.parquet", None, "does not exist"),
        ("a.txt", b"a\n1\n", r"ends in '.txt', which cannot be read; use .csv, .parquet"),
        ("a", b"a\n1\n", "ends in 'no suffix'"),
        ("a.csv", b"", "Empty CSV file"),
        ("a.csv", b"\n\n", "Empty CSV file"),
        ("a.csv", b"a,b\n", "has no rows"),
        ("a.csv", b"a,b\n1,2\n3,4,5\n", "Row #3: Expected 2 columns, got 3"),
        ("a.csv", b"a, b,b \n1,2,3\n", "several columns named 'b'"),
        ("a.csv", b"a,b\n\xff\xfe,1\n", "line 2: the byte 0xff is not UTF-8"),
        ("a.csv", b"a,\xff\n1,1\n", "line 1: the byte 0xff is not UTF-8"),
        ("a.csv", b'a,b\n"1,2\n3,4\n', "line 2: a quote opens a cell"),
        ("a.parquet", b"", "cannot be read as Parquet"),
        ("a.parquet", b"PAR1 nonsense PAR1", "cannot be read as Parquet"),
    ],
)
def test_bad_files_are_refused_in_one_sentence_with_their_path(tmp_path, name, content, message):
    path = tmp_path / name
    if content is not None:
        path.write_bytes(content)
    with pytest.raises(DataError, match=message) as caught:
        open_table(path)
    assert str(path) in str(caught.value)
    assert "\n" not in str(caught.value)


def test_a_directory_is_refused(tmp_path):
    (tmp_path / "d.csv").mkdir()
    with pytest.raises(DataError, match=r"d\.csv is a directory"):
        open_table(tmp_path / "d.csv")


def test_a_parquet_file_without_rows_or_with_one_name_twice_is_refused(tmp_path):
    pq.write_table(TABLE.slice(0, 0), tmp_path / "empty.parquet")
    with pytest.raises(DataError, match="has no rows"):
        open_table(tmp_path / "empty.parquet")
    pq.write_table(pa.table([[1], [2]], names=["a", "a"]), tmp_path / "twice.parquet")
    with pytest.raises(DataError, match="several columns named 'a'"):
        open_table(tmp_path / "twice.parquet")


def test_the_index_of_a_pandas_frame_is_no_column(tmp_path):
    table = pa.table({"a": [1, 2], "__index_level_0__": [7, 9]})
    pq.write_table(table, tmp_path / "t.parquet")
    file = open_table(tmp_path / "t.parquet")
    assert file.columns == ("a",)
    assert file.read().column_names == ["a"]
