import json
import resource
import subprocess
import sys

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from angularpu.cli.main import main
from angularpu.data.prepare import on_disk
from angularpu.model import read_model
from angularpu.scenario import sample_file, split
from angularpu.train import loop

QUICK = ("--method", "angular", "--set", "epochs=2", "--set", "encoder=linear")
ENSEMBLE = ("--set", "epochs=1", "--set", "encoder=linear", "--set", "members=angular,extra_trees,logistic_regression")


@pytest.fixture(scope="module")
def folder(files, table, tmp_path_factory):
    """The rows of data.parquet as a directory."""
    path = tmp_path_factory.mktemp("parts") / "rows"
    path.mkdir()
    for number, (start, stop) in enumerate([(0, 90), (90, 300), (300, 400)]):
        pq.write_table(table.slice(start, stop - start), path / f"{number}.parquet", row_group_size=64)
    return path


@pytest.fixture
def on_disk_only(monkeypatch):
    """Tables of any size are left on disk."""
    monkeypatch.setattr(sample_file, "WHOLE_BYTES", 0)


def fit(data, model, *options):
    return main(["fit", str(data), "--label", "s", "--id", "key", "--out", str(model), *(options or QUICK)])


@pytest.mark.parametrize("options", [QUICK, ENSEMBLE], ids=["network", "ensemble"])
def test_rows_on_disk_give_the_same_bytes_as_rows_in_memory(
    files, folder, options, tmp_path, read_all, monkeypatch, capsys
):
    assert fit(files / "data.parquet", tmp_path / "whole", *options) == 0
    monkeypatch.setattr(sample_file, "WHOLE_BYTES", 0)
    assert fit(files / "data.parquet", tmp_path / "file", *options) == 0
    assert fit(folder, tmp_path / "directory", *options) == 0
    expected = read_all(tmp_path / "whole")
    assert read_all(tmp_path / "file") == expected
    assert read_all(tmp_path / "directory") == expected
    assert {path.name for path in tmp_path.iterdir()} == {"whole", "file", "directory"}


@pytest.mark.parametrize("options", [QUICK, ENSEMBLE], ids=["network", "ensemble"])
def test_arrays_and_tables_of_the_same_rows_give_the_same_scores(arrays, options, tmp_path, on_disk_only):
    x, s = arrays
    x = np.concatenate([x[s == 1], x[s == 0]]).astype(np.float32)
    np.save(tmp_path / "known.npy", x[: s.sum()])
    np.save(tmp_path / "rest.npy", x[s.sum() :])
    columns = {name: np.ascontiguousarray(x[:, place]) for place, name in enumerate("abcd")}
    pq.write_table(pa.table({"key": np.arange(len(x)), **columns, "s": np.sort(s)[::-1]}), tmp_path / "rows.parquet")
    assert fit(tmp_path / "rows.parquet", tmp_path / "table", *options) == 0
    files = ["--positives", str(tmp_path / "known.npy"), "--unlabelled", str(tmp_path / "rest.npy")]
    assert main(["fit", *files, "--out", str(tmp_path / "array"), *options]) == 0
    table, array = (read_model(tmp_path / name) for name in ("table", "array"))
    np.testing.assert_array_equal(table.score_block(x), array.score_block(x))
    assert table.decision.threshold == array.decision.threshold


def test_a_run_that_was_stopped_uses_its_prepared_rows_again(folder, tmp_path, read_all, on_disk_only, monkeypatch):
    assert fit(folder, tmp_path / "unstopped") == 0
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(loop, "_run_epoch", lambda *_, **__: (_ for _ in ()).throw(KeyboardInterrupt))
        assert fit(folder, tmp_path / "model") == 130
    (prepared,) = (tmp_path / "model.part").glob("prepared-*.npy")
    assert np.load(prepared).shape == (400, 6)
    written = []
    monkeypatch.setattr(on_disk, "write_array", lambda *arguments: written.append(arguments))
    assert fit(folder, tmp_path / "model") == 0
    assert not written
    assert read_all(tmp_path / "model") == read_all(tmp_path / "unstopped")
    assert {path.name for path in tmp_path.iterdir()} == {"model", "unstopped"}


def test_a_full_disk_ends_in_one_sentence_and_leaves_no_model(folder, tmp_path):
    launcher = (
        "import sys; from angularpu.scenario import sample_file; sample_file.WHOLE_BYTES = 0; "
        "from angularpu.cli.main import main; sys.exit(main(sys.argv[1:]))"
    )
    words = ["fit", str(folder), "--label", "s", "--id", "key", "--out", str(tmp_path / "model"), *QUICK]

    def limit():
        resource.setrlimit(resource.RLIMIT_FSIZE, (4096, 4096))  # bytes: the prepared rows take 9728

    done = subprocess.run(
        [sys.executable, "-c", launcher, *words], preexec_fn=limit, capture_output=True, text=True, check=False
    )
    assert done.returncode == 2
    said = done.stderr.splitlines()[-1]
    assert said.startswith("Error: ")
    assert "prepared-" in said
    assert "File too large" in said
    assert not (tmp_path / "model").exists()
    assert not list(tmp_path.rglob("*.npy*"))


def test_files_with_other_columns_are_refused_in_one_sentence(folder, table, tmp_path, capsys):
    rows = tmp_path / "rows"
    rows.mkdir()
    pq.write_table(table, rows / "0.parquet")
    pq.write_table(table.drop_columns(["a"]), rows / "1.parquet")
    for command in (["fit", "--out", str(tmp_path / "model")], ["prior"], ["compare"]):
        assert main([command[0], str(rows), "--label", "s", *command[1:]]) == 2
        said = capsys.readouterr().err.splitlines()[-1]
        assert "1.parquet has no column 'a', which 0.parquet has; all files of a directory need the same" in said
    assert not (tmp_path / "model").exists()


def test_other_commands_take_a_directory_or_say_what_they_take(folder, model, tmp_path, capsys):
    assert main(["prior", str(folder), "--label", "s", "--id", "key", "--estimators", "bbe", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)
    assert main(["info", str(folder)]) == 2
    assert "is not a model directory" in capsys.readouterr().err
    assert main(["audit", str(model), str(folder), "--out", str(tmp_path / "audit.csv")]) == 2
    assert "is a directory; pass a file" in capsys.readouterr().err


def test_the_next_command_scores_the_directory(folder, tmp_path, capsys, monkeypatch):
    assert fit(folder, tmp_path / "model") == 0
    (line,) = [line for line in capsys.readouterr().err.splitlines() if line.startswith("next")]
    words = line.split()[2:]
    monkeypatch.chdir(tmp_path)
    assert main(words) == 0
    assert len(list((tmp_path / "scores").iterdir())) == 3


def test_of_very_many_unlabelled_rows_a_draw_is_held_out(folder, files, tmp_path, monkeypatch, capsys):
    monkeypatch.setattr(split, "MOST_HELD", 100)
    monkeypatch.setattr(sample_file, "WHOLE_BYTES", 0)
    assert fit(folder, tmp_path / "model") == 0
    held = read_model(tmp_path / "model").held
    assert (len(held.score_pos), len(held.score_unl), held.n_unl) == (60, 100, 340)
    capsys.readouterr()
    words = ["score", str(tmp_path / "model"), str(files / "data.parquet"), "--out", str(tmp_path / "out.csv")]
    assert main([*words, "--out-of-fold"]) == 2
    assert "of the 340 unlabelled rows that the model was fitted on, 100 were scored" in capsys.readouterr().err
    assert main(words) == 0
