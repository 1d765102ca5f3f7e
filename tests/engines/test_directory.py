import json
import subprocess
import sys

import numpy as np
import pandas as pd
import pyarrow.parquet as pq
import pytest

import angularpu
from angularpu.cli.main import main
from angularpu.engines import score_directory
from angularpu.engines.tasks import FileScorer
from angularpu.errors import DataError


def run(*words):
    return main(["score", *map(str, words)])


def fail(capsys, *words):
    """Return the one sentence that a command ends with."""
    assert run(*words) == 2
    (line,) = capsys.readouterr().err.splitlines()
    return line


def test_every_file_is_scored_under_its_own_name(model, folder, rows, tmp_path, capsys):
    assert run(model, folder, "--out", tmp_path / "out", "--id", "key", "--json") == 0
    said = capsys.readouterr()
    assert json.loads(said.out) == {"out": str(tmp_path / "out"), "files": 4, "rows": 200, "before": 0}
    assert "4 files with 200 rows scored" in said.err
    assert sorted(path.name for path in (tmp_path / "out").iterdir()) == [f"part-{i}.parquet" for i in range(4)]
    scored = pd.concat(map(pd.read_parquet, sorted((tmp_path / "out").iterdir())), ignore_index=True)
    assert list(scored.columns) == ["key", "score", "probability", "prediction"]
    assert scored["key"].equals(rows["key"])
    np.testing.assert_array_equal(scored["score"], angularpu.load(model).score_samples(rows[["a", "b", "c", "city"]]))


def test_two_processes_write_the_same_bytes_as_one(model, folder, tmp_path, read_bytes):
    for jobs in (1, 2):
        score_directory(model, folder, out=tmp_path / str(jobs), ids=["key"], jobs=jobs)
    assert read_bytes(tmp_path / "1") == read_bytes(tmp_path / "2")


def test_what_is_done_is_not_done_again(model, folder, tmp_path, capsys):
    out = tmp_path / "out"
    assert run(model, folder, "--out", out) == 0
    before = {path: path.stat().st_mtime_ns for path in out.iterdir()}
    (out / "part-2.parquet").unlink()
    capsys.readouterr()
    assert run(model, folder, "--out", out) == 0
    assert "3 of them were done before" in capsys.readouterr().err
    after = {path: path.stat().st_mtime_ns for path in out.iterdir()}
    assert [path.name for path in before if before[path] != after[path]] == ["part-2.parquet"]


KILLED = """
import os, sys
from angularpu.engines import tasks
from angularpu.engines.directory import score_directory

score = tasks.score_pieces

def die_in_the_third(fitted, data, **options):
    for piece in score(fitted, data, **options):
        yield piece
        if data.name == "part-2.parquet":
            os.kill(os.getpid(), 9)

tasks.score_pieces = die_in_the_third
score_directory(sys.argv[1], sys.argv[2], out=sys.argv[3])
"""


def test_a_killed_run_is_taken_up_where_it_was(model, folder, tmp_path, read_bytes):
    out, whole = tmp_path / "out", tmp_path / "whole"
    killed = subprocess.run([sys.executable, "-c", KILLED, model, folder, out], check=False)
    assert killed.returncode == -9
    assert sorted(path.name for path in out.iterdir() if path.suffix == ".parquet") == [
        "part-0.parquet",
        "part-1.parquet",
    ]
    found = score_directory(model, folder, out=out)
    assert (found.files, found.rows, found.before) == (4, 200, 2)
    score_directory(model, folder, out=whole)
    assert read_bytes(out) == read_bytes(whole)


def test_a_file_without_rows_gives_one_without_rows(model, folder, rows, tmp_path):
    rows[:0].to_parquet(folder / "part-9.parquet", index=False)
    score_directory(model, folder, out=tmp_path / "out", ids=["key"])
    empty = pq.read_table(tmp_path / "out" / "part-9.parquet")
    assert empty.num_rows == 0
    assert empty.column_names == ["key", "score", "probability", "prediction"]


@pytest.mark.parametrize("change", ["model", "ids", "data"])
def test_scores_of_something_else_stay_unless_they_may_be_replaced(
    change, model, other_model, folder, rows, tmp_path, capsys, read_bytes
):
    out = tmp_path / "out"
    assert run(model, folder, "--out", out) == 0
    words = [model, folder, "--out", out]
    if change == "model":
        words[0] = other_model
    elif change == "ids":
        words += ["--id", "key"]
    else:
        rows[:50].assign(a=1.0).to_parquet(folder / "part-0.parquet", index=False)
    before = read_bytes(out)
    capsys.readouterr()
    assert "part-0.parquet is there, but was made by another model" in fail(capsys, *words)
    assert read_bytes(out) == before
    assert run(*words, "--force") == 0
    score_directory(words[0], folder, out=tmp_path / "new", ids=["key"] if change == "ids" else [])
    assert read_bytes(out) == read_bytes(tmp_path / "new")


def test_a_file_that_has_changed_since_the_start_is_refused(model, folder, rows, tmp_path, monkeypatch):
    call = FileScorer.__call__

    def change_first(self, partition):
        rows[:10].to_parquet(folder / "part-3.parquet", index=False)
        return call(self, partition)

    monkeypatch.setattr(FileScorer, "__call__", change_first)
    with pytest.raises(DataError, match=r"part-3.parquet is missing or another file on this machine, or has changed"):
        score_directory(model, folder, out=tmp_path / "out")


@pytest.mark.parametrize(
    ("frame", "words"),
    [
        (lambda rows: rows.drop(columns="b"), "part-7.parquet has no column 'b', which part-0.parquet has"),
        (lambda rows: rows.assign(z=1), "part-0.parquet has no column 'z', which part-7.parquet has"),
        (lambda rows: rows.assign(b="x"), "column 'b' of "),
    ],
)
def test_files_with_different_columns_are_refused(frame, words, model, folder, rows, tmp_path, capsys):
    frame(rows[:5]).to_parquet(folder / "part-7.parquet", index=False)
    line = fail(capsys, model, folder, "--out", tmp_path / "out")
    assert words in line
    assert "part-7.parquet" in line
    assert "need the same columns" in line
    assert not (tmp_path / "out").exists()


def test_a_mistake_in_a_row_is_told_with_its_file(model, folder, rows, tmp_path, capsys):
    rows[:5].assign(b=np.inf).to_parquet(folder / "part-7.parquet", index=False)
    line = fail(capsys, model, folder, "--out", tmp_path / "out")
    assert f"{folder / 'part-7.parquet'}: column 'b', row 0" in line
    assert "part-7.parquet" not in {path.name for path in (tmp_path / "out").iterdir()}


def test_bad_directories_are_refused_in_one_sentence(model, folder, tmp_path, capsys):
    (tmp_path / "empty").mkdir()
    (tmp_path / "file").touch()
    assert "has no .parquet files" in fail(capsys, model, tmp_path / "empty", "--out", tmp_path / "o")
    assert "is the directory to be scored" in fail(capsys, model, folder, "--out", folder)
    assert "is a file; the scores of a directory" in fail(capsys, model, folder, "--out", tmp_path / "file")
    assert "has no column 'no'" in fail(capsys, model, folder, "--out", tmp_path / "o", "--id", "no")
    assert "cannot be called 'score'" in fail(capsys, model, folder, "--out", tmp_path / "o", "--id", "score")
    (folder / "notes.txt").touch()
    assert "holds 'notes.txt'" in fail(capsys, model, folder, "--out", tmp_path / "o")


def test_files_of_others_among_the_scores_are_refused(model, folder, tmp_path, capsys):
    (tmp_path / "out").mkdir()
    (tmp_path / "out" / "old.parquet").touch()
    assert "old.parquet is there, but" in fail(capsys, model, folder, "--out", tmp_path / "out", "--force")


@pytest.mark.parametrize("option", [["--top", "3"], ["--sort"], ["--explain", "2"], ["--out-of-fold"]])
def test_options_for_one_file_are_refused(option, model, folder, tmp_path, capsys):
    line = fail(capsys, model, folder, "--out", tmp_path / "out", *option)
    assert f"{option[0]}: not for a directory" in line


def test_options_for_directories_are_refused_for_a_file(model, folder, tmp_path, capsys):
    for option in (["--jobs", "2"], ["--engine", "ray"]):
        line = fail(capsys, model, folder / "part-0.parquet", "--out", tmp_path / "o.csv", *option)
        assert "are for the files of a directory" in line


def test_jobs_and_ray_do_not_go_together(model, folder, tmp_path, capsys):
    line = fail(capsys, model, folder, "--out", tmp_path / "o", "--jobs", "2", "--engine", "ray")
    assert "leave it out" in line
