"""The loop of a reviewer at the command line: fit, next, answers, fit again."""

import csv
import json
import shutil

import numpy as np
import pytest

from angularpu.cli.main import main

CLASSIFIER = ["--label", "s", "--method", "logistic_regression", "--seed", "1"]


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """Write a table whose unlabelled rows hide positives, and fit a model of it."""
    folder = tmp_path_factory.mktemp("reviews")
    rng = np.random.default_rng(0)
    y = np.repeat([1, 0], [200, 400])
    x = rng.normal(size=(600, 3)) + 1.5 * y[:, None]
    with (folder / "data.csv").open("w", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(["a", "b", "c", "s"])
        writer.writerows([*row.round(6), int(i < 60)] for i, row in enumerate(x))
    assert main(["fit", str(folder / "data.csv"), *CLASSIFIER, "--out", str(folder / "model")]) == 0
    return folder


def read(path):
    with path.open(newline="") as file:
        return list(csv.DictReader(file))


def fill_in(path, answers):
    lines = read(path)
    for line in lines:
        line["answer"] = answers(int(line["row"]))
    with path.open("w", newline="") as file:
        writer = csv.DictWriter(file, lines[0])
        writer.writeheader()
        writer.writerows(lines)


def propose(folder, name, *more):
    arguments = [str(folder / "model"), str(folder / "data.csv"), "--label", "s", "--out", str(folder / name)]
    return main(["next", *arguments, *more])


def test_half_of_the_rows_are_the_likeliest_and_known_positives_are_left_out(folder, capsys):
    assert propose(folder, "half.csv", "--n", "20") == 0
    lines = read(folder / "half.csv")
    assert [line["why"] for line in lines] == ["top-ranked"] * 10 + ["uncertain"] * 5 + ["unlike the others"] * 5
    assert all(int(line["row"]) > 60 for line in lines)
    assert len({line["row"] for line in lines}) == 20
    assert "20 rows to review (10 top-ranked, 5 uncertain, 5 unlike the others)" in capsys.readouterr().err


def test_answers_are_learnt_from_and_a_second_proposal_leaves_them_out(folder, capsys):
    assert propose(folder, "first.csv", "--n", "40") == 0
    fill_in(folder / "first.csv", lambda row: "positive" if row <= 200 else "negative")
    again = ["--reviews", str(folder / "first.csv")]
    assert main(["fit", str(folder / "data.csv"), *CLASSIFIER, *again, "--out", str(folder / "second")]) == 0
    assert "found negative are learnt" in " ".join(capsys.readouterr().err.split())
    assert propose(folder, "later.csv", *again) == 0
    assert not {line["row"] for line in read(folder / "first.csv")} & {
        line["row"] for line in read(folder / "later.csv")
    }


def test_a_refit_in_place_says_what_the_model_before_said(folder, tmp_path, capsys):
    shutil.copytree(folder / "model", tmp_path / "model")
    before = json.loads((tmp_path / "model" / "model.json").read_text())["decision"]
    assert propose(folder, "told.csv", "--n", "40") == 0
    fill_in(folder / "told.csv", lambda row: "positive" if row <= 200 else "negative")
    reviews = ["--reviews", str(folder / "told.csv"), "--out", str(tmp_path / "model"), "--force", "--json"]
    capsys.readouterr()
    assert main(["fit", str(folder / "data.csv"), *CLASSIFIER, *reviews]) == 0
    out, err = capsys.readouterr()
    said = f"the model that was replaced: {before['positive_share']:.1%} of the unlabelled rows flagged, recall"
    assert said in " ".join(err.split())
    assert json.loads(out)["before"]["threshold"] == before["threshold"] != json.loads(out)["threshold"]


def test_a_file_with_answers_is_not_written_over(folder, capsys):
    (folder / "mine.csv").write_text("row,answer\n")
    assert propose(folder, "mine.csv") == 2
    assert "exists already, and may hold answers; choose another name or pass --force" in capsys.readouterr().err
    assert propose(folder, "mine.csv", "--force", "--n", "4") == 0


def test_reviews_of_other_rows_are_refused(folder, tmp_path, capsys):
    assert propose(folder, "moved.csv", "--n", "4") == 0
    fill_in(folder / "moved.csv", lambda row: "positive")
    lines = (folder / "data.csv").read_text().splitlines()
    (tmp_path / "reversed.csv").write_text("\n".join([lines[0], *lines[:0:-1]]) + "\n")
    reviews = ["--reviews", str(folder / "moved.csv")]
    assert main(["fit", str(tmp_path / "reversed.csv"), *CLASSIFIER, *reviews, "--out", str(tmp_path / "m")]) == 2
    assert "is not the row that" in capsys.readouterr().err


def test_a_method_without_a_term_for_negatives_refuses_them(folder, tmp_path, capsys):
    (tmp_path / "r.csv").write_text("row,answer\n300,negative\n")
    arguments = ["--label", "s", "--method", "pico", "--reviews", str(tmp_path / "r.csv"), "--out", str(tmp_path / "m")]
    assert main(["fit", str(folder / "data.csv"), *arguments]) == 2
    assert "pico has no term for rows that were found negative" in capsys.readouterr().err
