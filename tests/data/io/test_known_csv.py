import numpy as np
import pytest

from angularpu.data.columns import as_numbers, whole
from angularpu.data.io import csv_file, known_csv
from angularpu.data.io.csv_file import open_csv
from angularpu.data.io.known_csv import open_known_csv
from angularpu.errors import DataError

CELLS = ["7", " 7 ", "-0.5", "1e3", "NA", "", "null", "NAN", "9007199254740993", "12345678901234567890", "1e-320"]


def write(folder, *lines):
    path = folder / "rows.csv"
    path.write_text("\n".join(lines) + "\n")
    return path


def read_numbers(file, name, n=3):
    return np.concatenate([as_numbers(whole(t[name]), "number", name=name).astype(float) for t in file.batches(n)])


def test_cells_become_the_numbers_that_two_passes_make_of_them(tmp_path):
    path = write(tmp_path, "a,b", *(f"{cell},{i}" for i, cell in enumerate(CELLS)))
    known, typed = open_known_csv(path, text=[]), open_csv(path)
    for name in ("a", "b"):
        np.testing.assert_array_equal(read_numbers(known, name), read_numbers(typed, name))
    assert known.count_rows() == len(CELLS)
    assert known.read().num_rows == len(CELLS)


def test_text_stays_text_and_what_is_missing_is_missing(tmp_path):
    path = write(tmp_path, '"code" ,"x"', "007,1", " N/A,2", "8 ,3")
    file = open_known_csv(path, text=["code"])
    assert [t["code"].to_pylist() for t in file.batches(2)] == [["007", None], ["8"]]


@pytest.mark.parametrize("odd", ["true", "0x1F", " NA "])
def test_a_cell_that_is_no_plain_number_is_read_with_more_care(tmp_path, odd, monkeypatch):
    for module in (csv_file, known_csv):
        monkeypatch.setattr(module, "BLOCK", 64)
    cells = [odd] * 20 if odd == "true" else [*map(str, range(100)), odd]
    path = write(tmp_path, "a", *cells)
    known = open_known_csv(path, text=[])
    assert sum(t.num_rows for t in known.batches(7)) == len(cells)
    np.testing.assert_array_equal(read_numbers(known, "a", 7), read_numbers(open_csv(path), "a", 7))


def test_rows_before_an_odd_cell_come_once(tmp_path, monkeypatch):
    for module in (csv_file, known_csv):
        monkeypatch.setattr(module, "BLOCK", 64)
    path = write(tmp_path, "a", *map(str, range(200)), "word")
    texts = [value for t in open_known_csv(path, text=[]).batches(5) for value in t["a"].to_pylist()]
    assert [float(text) for text in texts[:-1]] == list(range(200))
    assert texts[-1] == "word"


def test_a_line_with_too_many_cells_is_refused_as_before(tmp_path):
    path = write(tmp_path, "a,b", "1,2", "3,4,5")
    with pytest.raises(DataError) as found:
        list(open_known_csv(path, text=[]).batches(5))
    with pytest.raises(DataError) as expected:
        open_csv(path)
    assert str(found.value) == str(expected.value)


@pytest.mark.parametrize("lines", [("a", '"1"'), ("a", "é"), ('"a\nb"', "1"), ("a",)])
def test_quotes_other_alphabets_and_a_file_without_rows_take_two_passes(tmp_path, lines):
    assert open_known_csv(write(tmp_path, *lines), text=[]) is None


def test_a_file_of_empty_lines_is_refused(tmp_path):
    with pytest.raises(DataError, match="has no rows"):
        list(open_known_csv(write(tmp_path, "a", "", ""), text=[]).batches(5))
