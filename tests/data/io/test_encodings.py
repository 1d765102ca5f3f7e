"""Files that are no UTF-8 CSV are named as what they are."""

import gzip
import os

import pytest

from angularpu.data.io.tables import open_table
from angularpu.errors import DataError

TEXT = "name,größe\nJosé,1\nAnna,2\n"


def write(tmp_path, content):
    path = tmp_path / "t.csv"
    path.write_bytes(content)
    return path


@pytest.mark.parametrize(
    ("encoding", "said"),
    [
        ("utf-16", "is in UTF-16, not in UTF-8; save it as UTF-8, for example with iconv -f UTF-16 -t UTF-8"),
        ("utf-16-le", "is in UTF-16, not in UTF-8; save it as UTF-8, for example with iconv -f UTF-16LE -t UTF-8"),
        ("utf-16-be", "is in UTF-16, not in UTF-8; save it as UTF-8, for example with iconv -f UTF-16BE -t UTF-8"),
        ("utf-32", "is in UTF-32, not in UTF-8"),
        ("latin-1", "line 1: the byte 0xf6 is not UTF-8, so the file is probably in Latin-1 or Windows-1252; save it"),
        ("cp1252", "line 1: the byte 0xf6 is not UTF-8"),
    ],
)
def test_another_encoding_is_named_with_the_way_out(tmp_path, encoding, said):
    with pytest.raises(DataError) as caught:
        open_table(write(tmp_path, TEXT.encode(encoding)))
    assert said in str(caught.value)


def test_the_first_line_that_is_not_utf8_is_named(tmp_path):
    # Beyond the first block of the file, and behind a character that two blocks share.
    head = b"name,n\n" + "é,1\n".encode() * ((1 << 22) // 5)
    path = write(tmp_path, head + "é,2\nJos".encode() + b"\xe9,3\n")
    with pytest.raises(DataError, match=rf"line {(1 << 22) // 5 + 3}: the byte 0xe9 is not UTF-8"):
        open_table(path)
    assert open_table(write(tmp_path, head)).count_rows() == (1 << 22) // 5


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (gzip.compress(TEXT.encode(), mtime=0), "is compressed by gzip, not CSV; unpack it first"),
        (b"PK\x03\x04\x14\x00", "is a zip archive, as spreadsheets are, not CSV; save the table as CSV"),
        (b"PAR1\x15\x04", "is a Parquet file, not CSV; call it .parquet"),
        (b"\x93NUMPY\x01", "is an array of NumPy, not CSV; call it .npy"),
    ],
)
def test_what_is_no_text_is_named(tmp_path, content, said):
    with pytest.raises(DataError, match=said):
        open_table(write(tmp_path, content))


@pytest.mark.parametrize("ending", ["\n", "\r\n", "\r"])
def test_more_columns_than_a_csv_file_can_have_are_refused_at_once(tmp_path, ending):
    path = write(tmp_path, f"{',' * 1_000_000}{ending}1{ending}".encode())
    with pytest.raises(DataError, match=r"has 1,000,001 columns, more than the 50,000 .*; save it as .parquet or .npy"):
        open_table(path)
    path = write(tmp_path, f"a,b{ending}".encode() + f"1,2{ending}".encode() * 60_000)
    assert open_table(path).count_rows() == 60_000


def test_a_pipe_is_refused_and_not_waited_for(tmp_path):
    os.mkfifo(tmp_path / "t.csv")
    with pytest.raises(DataError, match="is a pipe or a device; write its content to a file first"):
        open_table(tmp_path / "t.csv")
