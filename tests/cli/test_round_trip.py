import json

import numpy as np
import pyarrow as pa
import pyarrow.csv as pacsv
import pyarrow.parquet as pq
import pytest

from angularpu.cli.main import main
from angularpu.estimators.angular import AngularPUClassifier

QUICK = ("--method", "angular", "--set", "epochs=2", "--set", "encoder=linear")


def read(path):
    return pacsv.read_csv(path) if path.suffix == ".csv" else pq.read_table(path)


@pytest.mark.parametrize("name", ["data.csv", "data.parquet"])
def test_a_table_is_scored_as_python_scores_it(name, files, table, tmp_path):
    model, out = tmp_path / "model", tmp_path / "scores.parquet"
    data = str(files / name)
    assert main(["fit", data, "--label", "s", "--id", "key", "--out", str(model), *QUICK]) == 0
    assert main(["score", str(model), data, "--id", "key", "--out", str(out)]) == 0
    x = table.drop_columns(["key", "s"])
    python = AngularPUClassifier(epochs=2, encoder="linear").fit(x, table["s"].to_numpy())
    scores = read(out)
    assert scores.schema.names == ["key", "score", "probability", "prediction"]
    assert scores.schema.types[1:] == [pa.float32(), pa.float64(), pa.int64()]
    assert scores["key"].to_pylist() == table["key"].to_pylist()
    assert scores["score"].to_numpy().tobytes() == python.score_samples(x).tobytes()
    assert scores["probability"].to_numpy().tobytes() == python.predict_proba(x)[:, 1].tobytes()
    assert (scores["prediction"].to_numpy() == python.predict(x)).all()
    assert set(scores["prediction"].to_pylist()) == {0, 1}


@pytest.mark.parametrize("name", ["data.npz", "data.npy"])
def test_an_array_is_scored_as_python_scores_it(name, files, arrays, tmp_path):
    model, out = tmp_path / "model", tmp_path / "scores.parquet"
    assert main(["fit", str(files / "data.npz"), "--label", "s", "--id", "key", "--out", str(model), *QUICK]) == 0
    assert main(["score", str(model), str(files / name), "--out", str(out)]) == 0
    x, s = arrays
    python = AngularPUClassifier(epochs=2, encoder="linear").fit(x, s)
    scores = read(out)
    assert scores.schema.names == ["score", "probability", "prediction"]
    assert scores["score"].to_numpy().tobytes() == python.score_samples(x).tobytes()


def test_two_files_of_arrays_are_fitted_as_python_fits_them(files, arrays, tmp_path):
    model, out = tmp_path / "model", tmp_path / "scores.csv"
    sources = ["--positives", str(files / "positives.npy"), "--unlabelled", str(files / "unlabelled.npy")]
    assert main(["fit", *sources, "--scenario", "two-sample", "--out", str(model), *QUICK]) == 0
    assert main(["score", str(model), str(files / "data.npy"), "--out", str(out)]) == 0
    x, s = arrays
    order = np.concatenate([np.flatnonzero(s == 1), np.flatnonzero(s == 0)])
    python = AngularPUClassifier(epochs=2, encoder="linear", scenario="two-sample").fit(x[order], s[order])
    assert read(out)["score"].to_numpy().astype(np.float32).tobytes() == python.score_samples(x).tobytes()


def test_two_files_of_tables_need_no_label_column(table, tmp_path):
    s = table["s"].to_numpy()
    for name, wanted in (("p", 1), ("u", 0)):
        pq.write_table(table.drop_columns(["s"]).filter(pa.array(s == wanted)), tmp_path / f"{name}.parquet")
    sources = ["--positives", str(tmp_path / "p.parquet"), "--unlabelled", str(tmp_path / "u.parquet")]
    assert main(["fit", *sources, "--id", "key", "--out", str(tmp_path / "model"), *QUICK]) == 0


def test_a_word_and_a_number_are_written_as_two_words(table, tmp_path):
    values = np.where(table["s"].to_numpy() == 1, 2, np.arange(table.num_rows) % 2)  # 0 and 1 are both unlabelled
    pq.write_table(table.set_column(table.column_names.index("s"), "s", pa.array(values)), tmp_path / "d.parquet")
    data, model, out = (str(tmp_path / name) for name in ("d.parquet", "model", "o.parquet"))
    assert main(["fit", data, "--label", "s", "--positive", "2", "--id", "key", "--out", model, *QUICK]) == 0
    assert main(["score", model, data, "--out", out]) == 0
    assert set(read(tmp_path / "o.parquet")["prediction"].to_pylist()) == {"unlabelled", "2"}


def test_predictions_are_written_in_the_users_own_words(table, tmp_path):
    words = np.where(table["s"].to_numpy() == 1, "sick", "?")
    pq.write_table(table.drop_columns(["s"]).append_column("word", pa.array(words)), tmp_path / "data.parquet")
    model, out = tmp_path / "model", tmp_path / "scores.csv"
    data = str(tmp_path / "data.parquet")
    assert main(["fit", data, "--label", "word", "--positive", "sick", "--id", "key", "--out", str(model), *QUICK]) == 0
    assert main(["score", str(model), data, "--out", str(out)]) == 0
    assert set(read(out)["prediction"].to_pylist()) == {"?", "sick"}


@pytest.mark.parametrize("name", ["data.csv", "data.parquet"])
def test_every_id_is_kept_also_one_that_the_model_reads(files, model, table, tmp_path, name):
    out = tmp_path / "o.parquet"
    ids = [word for each in ("key", "city", "a", "key") for word in ("--id", each)]
    assert main(["score", str(model), str(files / name), *ids, "--out", str(out)]) == 0
    scores = read(out)
    assert scores.schema.names == ["key", "city", "a", "score", "probability", "prediction"]
    for each in ("key", "city", "a"):
        assert scores[each].to_pylist() == table[each].to_pylist()
    plain = tmp_path / "plain.parquet"
    assert main(["score", str(model), str(files / name), "--out", str(plain)]) == 0
    assert scores["score"].equals(read(plain)["score"])


def test_an_id_is_kept_as_it_is_written(files, model, tmp_path):
    assert (
        main(["score", str(model), str(files / "data.csv"), "--id", "key", "--out", str(tmp_path / "o.parquet")]) == 0
    )
    assert read(tmp_path / "o.parquet")["key"].to_pylist()[:2] == ["0000", "0001"]


def test_the_same_command_gives_the_same_bytes_in_another_directory(files, tmp_path, read_all):
    for name in ("one", "two"):
        model, data = tmp_path / name / "below" / "model", str(files / "data.csv")
        assert main(["fit", data, "--label", "s", "--out", str(model), *QUICK]) == 0
        assert main(["score", str(model), data, "--out", str(tmp_path / name / "scores.csv")]) == 0
    assert read_all(tmp_path / "one") == read_all(tmp_path / "two")
    assert sorted(read_all(tmp_path / "one")) == [
        "below",
        "below/model",
        "below/model/model.json",
        "below/model/model.safetensors",
        "scores.csv",
    ]


def test_fit_tells_people_on_stderr_and_programs_on_stdout(files, tmp_path, capsys):
    assert main(["fit", str(files / "data.csv"), "--label", "s", "--out", str(tmp_path / "m"), *QUICK, "--json"]) == 0
    out, err = capsys.readouterr()
    summary = json.loads(out)
    assert (summary["n_pos"], summary["n_unl"], summary["scenario"]) == (60, 340, "one-sample")
    assert summary["model"] == str(tmp_path / "m")
    for expected in (
        "one-sample",
        "60 labelled positive",
        "pu-f1",
        "90 % interval",
        "unlabelled rows, by models that were not trained on them",
    ):
        assert expected in err
    assert summary["notes"]
    assert all(f"note: {note}" in err for note in summary["notes"])


def test_without_json_nothing_goes_to_stdout(files, model, tmp_path, capsys):
    assert main(["score", str(model), str(files / "data.csv"), "--out", str(tmp_path / "o.csv")]) == 0
    out, err = capsys.readouterr()
    assert out == ""
    called = read(tmp_path / "o.csv")["prediction"].to_pylist().count(1)
    assert err == f"400 rows scored into {tmp_path / 'o.csv'}, {called} of them flagged as 1\n"


def test_info_tells_what_fit_told(model, capsys):
    assert main(["info", str(model), "--json"]) == 0
    summary = json.loads(capsys.readouterr().out)
    assert summary["columns"] == ["a", "b", "c", "d", "city"]
    assert summary["settings"]["epochs"] == 2
    assert summary["encoder"]["encoder"] == "linear"
    assert summary["recall_low"] <= summary["recall"] <= summary["recall_high"]
    assert main(["info", str(model)]) == 0
    text = capsys.readouterr().out
    for expected in ("linear", "a, b, c, d, city", "one-sample", "pu-f1", "epoch"):
        assert expected in text


def test_force_replaces_and_nothing_else_does(files, tmp_path, read_all):
    fit = ["fit", str(files / "data.csv"), "--label", "s", "--out", str(tmp_path / "model"), *QUICK]
    assert main(fit) == 0
    before = read_all(tmp_path)
    assert main([*fit, "--seed", "1"]) == 2
    assert read_all(tmp_path) == before
    assert main([*fit, "--seed", "1", "--force"]) == 0
    assert read_all(tmp_path).keys() == before.keys()
    assert read_all(tmp_path) != before


def test_lambda_is_an_alias(files, tmp_path, capsys):
    fit = ["fit", str(files / "data.csv"), "--label", "s", "--out", str(tmp_path / "model"), *QUICK, "--json"]
    assert main([*fit, "--set", "lambda=0.25"]) == 0
    assert json.loads(capsys.readouterr().out)["options"]["lambda_"] == 0.25


def test_a_method_without_epochs_says_nothing_of_any(files, tmp_path, capsys):
    command = ["fit", str(files / "data.csv"), "--label", "s", "--id", "key", "--method", "elkan_noto"]
    assert main([*command, "--out", str(tmp_path / "model")]) == 0
    assert "was kept" not in capsys.readouterr().err
