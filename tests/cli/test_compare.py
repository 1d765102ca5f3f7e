"""``angularpu compare`` prints a table, what is real, and draws it."""

import csv
import json

import pytest

from angularpu.cli.main import main

TWO = ("--label", "s", "--id", "key", "--methods", "logistic_regression, gradient_boosting")


def test_the_table_names_every_method_and_says_what_is_real(files, tmp_path, capsys):
    assert main(["compare", str(files / "data.csv"), *TWO, "--plot", str(tmp_path / "methods.png")]) == 0
    out, err = capsys.readouterr()
    lines = out.splitlines()
    assert lines[0].startswith("method")
    assert {line.split()[0] for line in lines[1:3]} == {"logistic_regression", "gradient_boosting"}
    assert any(line.startswith("best ") for line in lines)
    assert any(line.startswith("real ") for line in lines)
    assert "note: all of this presumes that labels fell on the positives at random" in err
    assert (tmp_path / "methods.png").read_bytes().startswith(b"\x89PNG")
    with (tmp_path / "methods.csv").open(newline="") as file:
        rows = list(csv.DictReader(file))
    assert [row["method"] for row in rows] == [line.split()[0] for line in lines[1:3]]
    assert float(rows[0]["difference"]) == 0 > float(rows[1]["difference"])


def test_json_has_the_same_and_the_methods_that_were_left_out(files, capsys):
    arguments = [*TWO[:-1], "logistic_regression,complement_nb,extra_trees", "--prior", "0.5", "--json"]
    assert main(["compare", str(files / "data.csv"), *arguments]) == 0
    out, err = capsys.readouterr()
    content = json.loads(out)
    assert {each["name"] for each in content["methods"]} == {"logistic_regression", "extra_trees"}
    assert content["prior"] == pytest.approx(0.5)
    assert "without negative numbers" in content["left_out"]["complement_nb"]
    assert "left out   complement_nb: complement naive Bayes takes rows without negative numbers" in err


@pytest.mark.parametrize("command", [["compare", "--plot"], ["prior", "--plot"]])
def test_the_numbers_beside_a_picture_never_replace_the_rows(command, files, capsys):
    before = (files / "data.csv").read_bytes()
    name, option = command
    assert main([name, str(files / "data.csv"), "--label", "s", option, str(files / "data.svg")]) == 2
    assert "would replace" in capsys.readouterr().err
    assert (files / "data.csv").read_bytes() == before


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--methods", "oracle_pn,naive"], "oracle_pn learns from true classes"),
        (["--methods", "extra_trees,random_forrest"], "did you mean 'random_forest'"),
        (["--methods", "naive"], "two methods at least"),
        (["--methods", ""], "''"),
        (["--prior", "2"], "prior must lie in (0, 1)"),
        (["--plot", "methods.jpg"], "must end in .svg or .png, got methods.jpg"),
    ],
)
def test_a_mistake_is_one_sentence(arguments, said, files, capsys):
    assert main(["compare", str(files / "data.csv"), "--label", "s", *arguments]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert said in err
    assert sum(line.startswith("Error: ") for line in err.splitlines()) == 1
