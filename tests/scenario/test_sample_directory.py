import itertools

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from angularpu import read_sample
from angularpu.data.stored_frame import StoredFrame
from angularpu.errors import DataError
from angularpu.scenario import sample_file

ROWS = pa.table({"key": ["a", "b", "c", "d", "e"], "age": [31, 45, 52, 60, 23], "s": [0, 1, 0, 0, 1]})


def write(folder, table=ROWS, cuts=(0, 2, 5)):
    folder.mkdir()
    for number, (start, stop) in enumerate(itertools.pairwise(cuts)):
        pq.write_table(table.slice(start, stop - start), folder / f"{number}.parquet")
    return folder


@pytest.fixture(params=["in memory", "on disk"])
def place(request, monkeypatch):
    if request.param == "on disk":
        monkeypatch.setattr(sample_file, "WHOLE_BYTES", 0)
    return request.param


def test_a_directory_is_the_sample_of_its_files_in_the_order_of_their_names(tmp_path, place):
    sample, classes = read_sample(write(tmp_path / "rows"), label="s", ids=["key"], scenario="one-sample")
    assert isinstance(sample.rows, StoredFrame) == (place == "on disk")
    assert (sample.s.tolist(), classes) == ([0, 1, 0, 0, 1], (0, 1))
    assert sample.rows.take(np.array([4, 0])).to_pydict() == {"age": [23, 31]}


def test_one_file_and_a_directory_of_the_same_rows_are_one_sample(tmp_path, place):
    pq.write_table(ROWS, tmp_path / "rows.parquet")
    paths = tmp_path / "rows.parquet", write(tmp_path / "rows")
    one, several = (read_sample(path, label="s", scenario="one-sample")[0] for path in paths)
    assert one.fingerprint() == several.fingerprint()


@pytest.mark.parametrize(
    ("labels", "classes"),
    [
        (["sick", None, None, None, "sick"], ("", "sick")),
        (pa.array([None, 1.0, None, None, 1.0]), (0.0, 1.0)),
        (pa.array([0, 1, 0, 0, 1], pa.int8()).dictionary_encode(), (0, 1)),
        ([False, True, False, False, True], (False, True)),
    ],
    ids=["words", "missing", "categories", "booleans"],
)
def test_labels_are_read_piece_by_piece_as_they_are_read_whole(tmp_path, place, labels, classes):
    table = ROWS.set_column(2, "s", pa.array(labels) if isinstance(labels, list) else labels)
    marked = np.array([value in ("sick", 1, True) for value in table["s"].to_pylist()])
    sample, found = read_sample(write(tmp_path / "rows", table), label="s", ids=["key"], scenario="one-sample")
    assert found == classes
    assert (sample.s == marked).all()


def test_positives_and_unlabelled_rows_may_be_directories(tmp_path, place):
    pos, unl = write(tmp_path / "pos", ROWS.slice(0, 2), (0, 2)), write(tmp_path / "unl", ROWS.slice(2), (0, 1, 3))
    sample, _ = read_sample(pos, unlabelled=unl, ids=["key", "s"], scenario="two-sample")
    assert (sample.n_pos, sample.n_unl, sample.rows.in_memory) == (2, 3, place == "in memory")
    assert sample.rows.take(np.arange(5))["age"].to_pylist() == ROWS["age"].to_pylist()


def refuse(path, match, **options):
    with pytest.raises(DataError, match=match):
        read_sample(path, **{"label": "s", "scenario": "one-sample", **options})


def test_what_cannot_be_read_is_refused_in_one_sentence(tmp_path):
    folder = write(tmp_path / "rows")
    refuse(folder, "has no column 'age2'", ids=["age2"])
    refuse(folder, "has no column 'y'", label="y")
    pq.write_table(ROWS.drop_columns(["age"]), folder / "2.parquet")
    refuse(folder, r"2\.parquet has no column 'age', which 0\.parquet has; all files of a directory need the same")
    pq.write_table(ROWS.set_column(1, "age", pa.array(list("abcde"))), folder / "2.parquet")
    refuse(folder, r"column 'age' of .*2\.parquet is of type string, but of int64 in 0\.parquet")
    (folder / "2.parquet").write_bytes(b"PAR1")
    refuse(folder, r"2\.parquet cannot be read as Parquet")
    (folder / "2.parquet").rename(folder / "notes.txt")
    refuse(folder, "holds 'notes.txt'; a directory of rows has .parquet files alone")
    (tmp_path / "empty").mkdir()
    refuse(tmp_path / "empty", "has no .parquet files")
    pq.write_table(ROWS.select(["s"]), tmp_path / "bare.parquet")
    refuse(tmp_path / "bare.parquet", "no column besides the label")


def test_a_column_of_a_thousand_values_is_no_label(tmp_path):
    pq.write_table(pa.table({"a": np.arange(2000.0), "s": np.arange(2000)}), tmp_path / "rows.parquet")
    refuse(tmp_path / "rows.parquet", "label 's' has more than 1000 different values")
