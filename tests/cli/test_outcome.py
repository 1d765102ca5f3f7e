"""What fit understood, what it says at its end, and that the saved model agrees."""

import json
import shlex
import shutil

import pyarrow.csv as pacsv
import pyarrow.parquet as pq
import pytest

from angularpu.cli.main import main
from angularpu.cli.outcome import warn_extreme

FIT = ("--label", "s", "--id", "key", "--method", "logistic_regression")


@pytest.fixture(scope="module")
def told(files, tmp_path_factory, table):
    """A model of rows with missing values, and what its fit said for people and for programs."""
    folder = tmp_path_factory.mktemp("outcome")
    gaps = [None if place % 10 == 0 else value for place, value in enumerate(table["a"].to_pylist())]
    pq.write_table(table.set_column(1, "a", [gaps]), folder / "data.parquet")
    return folder


@pytest.fixture
def fitted(told, capsys):
    model = told / "model"
    shutil.rmtree(model, ignore_errors=True)
    assert main(["fit", str(told / "data.parquet"), *FIT, "--out", str(model), "--json"]) == 0
    out, err = capsys.readouterr()
    return model, json.loads(out), err.splitlines()


def test_fit_first_says_what_it_understood(fitted):
    _, summary, lines = fitted
    assert lines[:4] == [
        "scenario   one-sample",
        "rows       400: 60 labelled positive (1), 340 unlabelled (0)",
        "columns    5 to learn from: 4 of numbers, 1 of text; not learned from: 'key'",
        "missing    40 values in 1 of 5 columns: 'a' 40",
    ]
    assert summary["data"]["columns"] == {"number": 4, "text": 1}
    assert summary["data"]["missing"] == {"a": 40}


def test_the_count_of_flagged_rows_is_the_one_that_score_gives(fitted, told, tmp_path, capsys):
    model, summary, lines = fitted
    out = tmp_path / "o.csv"
    command = ["score", str(model), str(told / "data.parquet"), "--id", "s", "--out", str(out)]
    assert main([*command, "--json"]) == 0
    printed, said = capsys.readouterr()
    rows = pacsv.read_csv(out).to_pylist()
    known, unlabelled = (sum(row["prediction"] for row in rows if row["s"] == s) for s in (1, 0))
    assert summary["flagged"] == {"known": known, "unlabelled": unlabelled}
    assert json.loads(printed) == {"out": str(out), "rows": 400, "flagged": known + unlabelled, "warnings": []}
    assert said == f"400 rows scored into {out}, {known + unlabelled} of them flagged as 1\n"
    (place,) = [place for place, line in enumerate(lines) if line.startswith("flagged ")]
    assert lines[place] == (
        f"flagged    {known + unlabelled} rows, as angularpu score flags them in this data: {unlabelled} of 340 "
        f"unlabelled rows and {known} of 60 known positives"
    )
    share = f"{summary['positive_share']:.1%} of the unlabelled rows, by models that were not trained on them"
    assert lines[place + 1].strip().startswith(share)


def test_the_next_two_commands_stand_at_the_end_and_can_be_given(fitted, monkeypatch, tmp_path):
    _, summary, lines = fitted
    assert [line[11:] for line in lines[-2:]] == summary["next"]
    assert lines[-2].startswith("next ")
    monkeypatch.chdir(tmp_path)
    for command in summary["next"]:
        assert main(shlex.split(command)[1:]) == 0
    assert sorted(path.name for path in tmp_path.iterdir()) == ["audit.csv", "audit.json", "top.csv"]


def test_a_wide_range_of_precision_has_its_reason(fitted):
    _, summary, lines = fitted
    (place,) = [place for place, line in enumerate(lines) if line.startswith("precision ")]
    wide = summary["precision_high"] - (summary["precision_low"] or 0) > 0.2
    assert lines[place + 1].strip().startswith("so wide because ") == wide
    assert "precision  at most " in lines[place]


def test_a_model_that_flags_nearly_everything_says_so(fitted, told, tmp_path, capsys):
    model = shutil.copytree(fitted[0], tmp_path / "model")
    assert main(["threshold", str(model), "--rule", "prior=0.99", "--quiet"]) == 0
    said = capsys.readouterr().err
    assert said.startswith("Warning: the model flags 9")
    assert "of the unlabelled rows, so it tells hardly any of them apart" in said
    assert main(["info", str(model)]) == 0
    assert said in capsys.readouterr().out
    out = str(tmp_path / "o.csv")
    assert main(["score", str(model), str(told / "data.parquet"), "--out", out, "--quiet"]) == 0
    assert capsys.readouterr().err.startswith("Warning: the model flags 9")


def test_a_model_that_flags_nothing_says_so_too():
    assert warn_extreme(0, 50, rows="rows")[0].startswith("the model flags none of the rows")
    assert warn_extreme(44, 50, rows="rows") == warn_extreme(0, 0, rows="rows") == []


def test_a_column_that_knows_the_label_is_a_warning(files, tmp_path, capsys):
    rows = pacsv.read_csv(files / "data.csv")
    pq.write_table(rows.append_column("copy", rows["s"]), tmp_path / "data.parquet")
    assert main(["fit", str(tmp_path / "data.parquet"), *FIT, "--out", str(tmp_path / "model"), "--quiet"]) == 0
    said = capsys.readouterr().err
    assert said.startswith("Warning: ")
    assert "gives the label away" in said.splitlines()[0]
