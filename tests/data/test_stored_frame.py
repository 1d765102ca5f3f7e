import datetime

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
import torch

from angularpu.data import as_rows, concatenate, fit_preparation, subset
from angularpu.data.io.parquet_directory import open_part, open_parts
from angularpu.data.prepare.matrix import open_matrix
from angularpu.data.prepare.on_disk import preparing_on_disk
from angularpu.data.stored_frame import StoredFrame
from angularpu.errors import DataError
from angularpu.train.prepared_rows import prepare_rows

N = 503


@pytest.fixture
def table():
    rng = np.random.default_rng(0)
    return pa.table(
        {
            "weight": pa.array(rng.normal(size=N), mask=rng.random(N) < 0.1),
            "count": pa.array(rng.integers(0, 9, N), pa.int32()),
            "city": pa.array(rng.choice(["Oslo", "Rome", ""], N), mask=rng.random(N) < 0.1),
            "kind": pa.array(rng.choice(["a", "b"], N)).dictionary_encode(),
            "day": pa.array([datetime.date(2024, 1, 1 + i % 28) for i in range(N)]),
            "flag": pa.array(rng.random(N) < 0.5),
        }
    )


@pytest.fixture
def folder(tmp_path, table):
    """The rows in three files of several row groups, one of them empty, with what other programs leave beside them."""
    for number, (start, stop) in enumerate([(0, 200), (200, 200), (200, N)]):
        part = table.slice(start, stop - start).select(table.column_names[:: 1 if number else -1])
        pq.write_table(part, tmp_path / f"{number}.parquet", row_group_size=70)
    (tmp_path / "_SUCCESS").touch()
    return tmp_path


@pytest.fixture
def rows(folder, table):
    return StoredFrame(open_parts(folder), table.column_names)


def test_the_rows_are_those_of_the_table_in_memory(rows, table):
    assert (len(rows), rows.kind, rows.shape, rows.in_memory) == (N, "frame", (6,), False)
    assert rows.fingerprint() == as_rows(table).fingerprint() == as_rows(rows.read()).fingerprint()


@pytest.mark.parametrize("n", [1, 64, 200, 1000])
def test_chunks_have_as_many_rows_as_asked_for_however_the_files_are_cut(rows, table, n):
    chunks = list(rows.chunks(n))
    assert [len(chunk) for chunk in chunks] == [len(chunk) for chunk in as_rows(table).chunks(n)]
    assert pa.concat_tables(chunks)["weight"].to_pylist() == table["weight"].to_pylist()


def test_rows_are_taken_in_any_order_and_more_than_once(rows, table):
    index = np.array([N - 1, 0, 199, 200, 0, 71])
    expected = table.take(pa.array(index))
    for name in ("weight", "count", "city", "day"):
        assert rows.take(index)[name].to_pylist() == expected[name].to_pylist()
    assert len(rows.take(np.empty(0, np.int64))) == 0
    with pytest.raises(IndexError):
        rows.take(np.array([N]))


@pytest.mark.parametrize("index", [np.arange(3, N, 7), np.array([9, 3, 400])], ids=["ascending", "mixed"])
def test_a_subset_is_walked_through_like_a_copy(rows, table, index):
    some = subset(rows, index)
    assert some.fingerprint() == as_rows(table.take(pa.array(index))).fingerprint()
    assert [len(chunk) for chunk in some.chunks(20)] == [len(index[i : i + 20]) for i in range(0, len(index), 20)]


def test_two_of_them_make_one(rows, table, tmp_path):
    both = concatenate(rows, rows)
    assert isinstance(both, StoredFrame)
    assert both.fingerprint() == as_rows(pa.concat_tables([table, table])).fingerprint()
    pq.write_table(table.drop_columns(["city"]), tmp_path / "less.parquet")
    less = StoredFrame([open_part(tmp_path / "less.parquet")], ["weight"])
    with pytest.raises(DataError, match="both tables need the same columns, but 'city'"):
        concatenate(rows, less)


def test_columns_of_one_kind_and_different_types_are_read_as_one(tmp_path):
    pq.write_table(pa.table({"a": pa.array([1, 2], pa.int32()), "b": ["x", "y"]}), tmp_path / "0.parquet")
    second = {"a": pa.array([0.5, None]), "b": pa.array(["z", None]).dictionary_encode()}
    pq.write_table(pa.table(second), tmp_path / "1.parquet")
    rows = StoredFrame(open_parts(tmp_path), ["a", "b"])
    assert rows.read().to_pydict() == {"a": [1.0, 2.0, 0.5, None], "b": ["x", "y", "z", None]}


def test_types_that_have_nothing_in_common_are_refused(tmp_path):
    pq.write_table(pa.table({"a": pa.array([True])}), tmp_path / "0.parquet")
    pq.write_table(pa.table({"a": pa.array([0.5])}), tmp_path / "1.parquet")
    with pytest.raises(DataError, match="column 'a' is of the types bool and double in different files"):
        StoredFrame(open_parts(tmp_path), ["a"])


def test_a_file_that_changes_meanwhile_is_noticed(rows, folder, table):
    pq.write_table(table.slice(0, 30), folder / "2.parquet")
    with pytest.raises(DataError, match=r"2\.parquet was changed while it was read"):
        list(rows.chunks(1000))


def test_files_without_rows_are_refused(tmp_path, table):
    pq.write_table(table.slice(0, 0), tmp_path / "0.parquet")
    with pytest.raises(DataError, match="has no rows"):
        StoredFrame(open_parts(tmp_path), table.column_names)


def test_preparation_is_learnt_and_applied_as_in_memory(rows, table, tmp_path):
    fitted, expected = fit_preparation(rows), fit_preparation(as_rows(table))
    assert fitted.notes == expected.notes
    x = expected.apply(table)
    place = tmp_path / "place"
    with preparing_on_disk(rows, fitted, directory=place) as stored:
        (path,) = place.iterdir()
        assert stored.fingerprint() == rows.fingerprint()
        np.testing.assert_array_equal(open_matrix(stored, fitted), x)
        index = np.array([500, 2, 2])
        gathered = prepare_rows(stored, fitted).gather(torch.from_numpy(index))
        np.testing.assert_array_equal(gathered.numpy(), x[index])
        assert path.stat().st_size == 128 + x.nbytes
    assert not list(place.iterdir())


def test_an_error_leaves_the_prepared_rows_for_the_run_that_resumes(rows, tmp_path):
    fitted, place = fit_preparation(rows), tmp_path / "place"
    with pytest.raises(KeyboardInterrupt), preparing_on_disk(rows, fitted, directory=place):
        raise KeyboardInterrupt
    (path,) = place.iterdir()
    before = path.stat().st_mtime_ns
    with preparing_on_disk(rows, fitted, directory=place):
        assert path.stat().st_mtime_ns == before


def test_without_a_directory_nothing_is_left(rows, tmp_path, monkeypatch):
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path / "temporary"))
    (tmp_path / "temporary").mkdir()
    with preparing_on_disk(rows, fit_preparation(rows), directory=None):
        assert len(list((tmp_path / "temporary").rglob("prepared-*.npy"))) == 1
    assert not list((tmp_path / "temporary").iterdir())
    with pytest.raises(KeyboardInterrupt), preparing_on_disk(rows, fit_preparation(rows), directory=None):
        raise KeyboardInterrupt
    assert not list((tmp_path / "temporary").iterdir())
