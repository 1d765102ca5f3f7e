"""Quotes that are never closed are found, and all others are left alone."""

import csv
import io

import pyarrow.csv as pacsv
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from angularpu.data.io.quotes import CountedFile, find_stray_quote
from angularpu.data.io.tables import open_table
from angularpu.errors import DataError

CELLS = st.text(st.sampled_from('ab1 ,"\n\r\té'), max_size=6)
TABLES = st.integers(1, 3).flatmap(
    lambda width: st.lists(st.lists(CELLS, min_size=width, max_size=width), min_size=1, max_size=8)
)
PIECES = st.lists(st.sampled_from(["a", " ", ",", '"', "\n", "\r"]), max_size=30).map("".join)
DIALECTS = st.sampled_from([("\r\n", csv.QUOTE_MINIMAL), ("\r\n", csv.QUOTE_ALL), ("\n", csv.QUOTE_ALL)])


@pytest.fixture(scope="module")
def path(tmp_path_factory):
    return tmp_path_factory.mktemp("quotes") / "t.csv"


def as_csv(rows, dialect):
    text = io.StringIO()
    end, quoting = dialect
    csv.writer(text, lineterminator=end, quoting=quoting).writerows(rows)
    return text.getvalue()


def header(rows):
    return [f"c{number}" for number in range(len(rows[0]))]


def read(path, content):
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    file = open_table(path)
    columns = open_table(path, text=file.columns).read()
    assert columns.num_rows == file.count_rows()
    return columns


@settings(deadline=None)
@given(rows=TABLES, dialect=DIALECTS, bom=st.booleans())
def test_what_the_csv_module_writes_is_read_back_with_all_rows(path, rows, dialect, bom):
    text = as_csv([header(rows), *rows], dialect)
    table = read(path, ("\ufeff" if bom else "") + text)
    expected = [[cell.strip() or None for cell in row] for row in rows]
    assert [list(row.values()) for row in table.to_pylist()] == expected


@settings(deadline=None)
@given(rows=TABLES, end=st.sampled_from(["\n", "\r\n"]), ended=st.booleans())
def test_a_file_without_its_last_closing_quote_is_refused(path, rows, end, ended):
    text = as_csv([header(rows), *rows], (end, csv.QUOTE_ALL)).removesuffix(f'"{end}')
    with pytest.raises(DataError, match=r"t\.csv, line \d+: a quote opens a cell, but "):
        read(path, text + end * ended)


@settings(deadline=None)
@given(text=PIECES, size=st.integers(1, 5))
def test_a_file_ends_inside_quotes_where_arrow_takes_it_so(text, size):
    content = f"x\n{text}".encode()
    table = pacsv.read_csv(
        io.BytesIO(content + b"\nlast\n"),
        parse_options=pacsv.ParseOptions(newlines_in_values=True, invalid_row_handler=lambda _: "skip"),
    )
    ends_inside = table.num_rows == 0 or str(table["x"][-1]) != "last"
    stray = find_stray_quote([content])
    if stray is None or stray.ended is None:
        assert (stray is not None) == ends_inside
    assert stray == find_stray_quote(content[start : start + size] for start in range(0, len(content), size))


@settings(deadline=None)
@given(text=PIECES, size=st.integers(1, 5))
def test_lines_are_counted_whatever_the_blocks(path, text, size):
    path.write_bytes(text.encode())
    with CountedFile(path) as file:
        while file.read(size):
            pass
        assert file.lines == len(text.splitlines())


def rows_from(start, stop):
    return "".join(f"{number},{number / 2}\n" for number in range(start, stop))


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
@pytest.mark.parametrize("bom", ["", "\ufeff"])
def test_the_line_of_the_quote_is_named(path, end, bom):
    text = f'{bom}a,b\n{rows_from(1, 10)}10,"x\n{rows_from(11, 51)}'
    with pytest.raises(DataError, match=r"t\.csv, line 11: a quote opens a cell, but the file ends before it is"):
        read(path, text.replace("\n", end))


def test_a_quote_that_opens_another_cell_does_not_close_this_one(path):
    # To Arrow, the cell of line 3 ends with the quote before "y", and the row of line 4 is part of it.
    with pytest.raises(DataError, match="line 3: a quote opens a cell, but the next quote, in line 4, stands in the"):
        read(path, 'a,b\n1,"w"\n2,"x\n3,"y"\n4,"z"\n')


def test_two_quotes_that_are_never_closed_do_not_make_up_for_each_other(path):
    with pytest.raises(DataError, match=r"line 4: .* in line 9, stands in the middle"):
        read(path, f'a,b\n{rows_from(1, 3)}3,"x\n{rows_from(4, 8)}8,"y\n{rows_from(9, 12)}')


@pytest.mark.parametrize("cell", ['5" pipe', '"two"x', '"two" ', 'say "x"', ' "x', '"a""b"', '"a\nb" ', '"a\n""b"'])
def test_quotes_that_hide_no_row_are_read_as_before(path, cell):
    assert read(path, f"a,b\n1,{cell}\n2,y\n").num_rows == 2


@pytest.mark.parametrize("text", ['"a,b\n1,2\n', 'a,"b\n1,2\n', 'a,b\n"1,2\n3,4\n', 'a,b\n1,2\n3,"'])
def test_quotes_in_any_place_are_found(path, text):
    with pytest.raises(DataError, match=r"t\.csv, line \d: a quote opens a cell, but the file ends"):
        read(path, text)


@pytest.mark.parametrize("shift", range(4))
def test_cells_of_many_lines_may_cross_the_border_of_a_block(path, shift):
    border = 1 << 22
    filler = "1,2\n" * ((border - 40) // 4)
    text = f"a,b\n{filler}3," + "x" * (20 + shift) + '\n4,"""\n""\n"""\n'
    table = read(path, text + filler)
    assert table["b"][-1 - len(filler) // 4].as_py() == '"\n"\n"'
    line = filler.count("\n") + 3
    with pytest.raises(DataError, match=f"line {line}: a quote opens a cell, but the file ends"):
        read(path, text.removesuffix('"\n') + "\n" + filler[:4000])


def test_a_quote_far_from_the_end_of_a_large_file_is_named(path):
    # Arrow alone would say that a row straddles two blocks.
    with pytest.raises(DataError, match="line 3: a quote opens a cell, but the file ends"):
        read(path, 'a,b\n1,2\n3,"x\n' + "1,2\n" * 3_000_000)
