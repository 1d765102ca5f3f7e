import csv

import numpy as np
import pytest

from angularpu.errors import DataError
from angularpu_bench.run.collect import collect, list_done, read_table
from angularpu_bench.run.store import Store
from angularpu_bench.spec.columns import COLUMNS

METRICS = {"n_pos": 500, "auc": 0.91234567, "alpha": None, "seconds": 1.25, "warnings": ""}


@pytest.fixture
def store(tmp_path):
    return Store(tmp_path / "runs")


@pytest.fixture
def path(tmp_path):
    return tmp_path / "results" / "tiny.csv"


@pytest.fixture
def cells(make_cells):
    return make_cells(methods=["nnpu", "angular"], seeds=11)


def finish(store, *cells):
    for cell in cells:
        store.write(cell, {"metrics": METRICS}, history=[], scores={"test": np.zeros(1)})


def read(path):
    with path.open(newline="") as file:
        return list(csv.DictReader(file))


def test_a_row_has_every_column_in_order_and_blanks_for_what_is_not_known(store, path, cells):
    finish(store, cells[0])
    collect(cells, store=store, path=path)
    assert path.read_text().splitlines()[0] == ",".join(COLUMNS)
    (row,) = read(path)
    assert (row["spec"], row["method"], row["hash"], row["status"]) == ("tiny", "nnpu", cells[0].hash, "ok")
    assert (row["n_pos"], row["auc"], row["alpha"], row["auc_last"], row["seconds"]) == (
        "500",
        "0.912346",
        "",
        "",
        "1.2",
    )


def test_rows_are_sorted_and_seeds_as_numbers(store, path, cells):
    finish(store, *reversed(cells))
    collect(cells, store=store, path=path)
    rows = [(row["method"], int(row["seed"])) for row in read(path)]
    assert rows == sorted(rows)
    assert len(rows) == 22


def test_the_order_in_which_cells_end_leaves_no_trace(store, path, cells, tmp_path):
    finish(store, *cells[:3])
    collect(cells, store=store, path=path)
    finish(store, *cells[3:])
    collect(cells, store=store, path=path)
    other = Store(tmp_path / "other")
    finish(other, *reversed(cells))
    collect(cells, store=other, path=tmp_path / "other.csv")
    assert path.read_bytes() == (tmp_path / "other.csv").read_bytes()


def test_rows_outlive_the_runs_they_came_from(store, path, cells, tmp_path):
    finish(store, cells[0])
    collect(cells, store=store, path=path)
    elsewhere = Store(tmp_path / "elsewhere")
    before = path.read_bytes()
    collect(cells, store=elsewhere, path=path)
    assert path.read_bytes() == before
    assert list_done(cells, store=elsewhere, path=path) == {cells[0].key}


def test_a_row_with_another_hash_is_neither_done_nor_kept(store, path, cells, make_cells, tmp_path):
    finish(store, cells[0])
    collect(cells, store=store, path=path)
    changed = make_cells(methods=["nnpu", "angular"], seeds=11, budget={"epochs": 9})
    elsewhere = Store(tmp_path / "elsewhere")
    assert list_done(changed, store=elsewhere, path=path) == set()
    collect(changed, store=elsewhere, path=path)
    assert read(path) == []


def test_a_failure_is_shown_and_does_not_count_as_done(store, path, cells):
    store.fail(cells[0], "training\ndiverged", details="")
    collect(cells, store=store, path=path)
    (row,) = read(path)
    assert (row["status"], row["auc"]) == ("training diverged", "")
    assert list_done(cells, store=store, path=path) == set()
    finish(store, cells[0])
    collect(cells, store=store, path=path)
    assert read(path)[0]["status"] == "ok"


def test_a_failure_here_does_not_undo_a_row_that_was_finished_elsewhere(store, path, cells, tmp_path):
    finish(store, cells[0])
    collect(cells, store=store, path=path)
    before, elsewhere = path.read_bytes(), Store(tmp_path / "elsewhere")
    elsewhere.fail(cells[0], "no file", details="")
    collect(cells, store=elsewhere, path=path)
    assert path.read_bytes() == before


def test_a_file_that_is_no_table_is_refused(path):
    path.parent.mkdir()
    path.write_text("a,b\n1,2\n")
    with pytest.raises(DataError, match="lacks the column spec"):
        read_table(path)


def test_without_anything_to_tell_no_table_is_written(store, path, cells):
    collect(cells, store=store, path=path)
    assert not path.exists()
    assert read_table(path) == {}


def test_a_table_that_says_it_all_is_not_written_again(store, path, cells, tmp_path):
    finish(store, *cells)
    collect(cells, store=store, path=path)
    place = COLUMNS.index("pu_auc")  # which an earlier version had not
    lines = [line.split(",") for line in path.read_text().splitlines()]
    path.write_text("".join(",".join(line[:place] + line[place + 1 :]) + "\n" for line in lines))
    before = path.read_bytes()
    rows = collect(cells, store=Store(tmp_path / "elsewhere"), path=path)
    assert (len(rows), path.read_bytes()) == (22, before)
    collect(cells[:3], store=Store(tmp_path / "elsewhere"), path=path)
    assert path.read_text().splitlines()[0] == ",".join(COLUMNS)
    assert len(read(path)) == 3
