"""``angularpu audit``, and the answers in ``threshold --audit`` and ``fit --audit``."""

import csv
import json
import shutil

import numpy as np
import pytest

from angularpu import load
from angularpu.cli.main import main
from angularpu.cli.summary import describe_audit

QUICK = ("--set", "epochs=2", "--set", "encoder=linear")


@pytest.fixture
def own(model, tmp_path):
    """A copy of the model that may be changed."""
    return shutil.copytree(model, tmp_path / "model")


@pytest.fixture
def audit(own, files, tmp_path):
    """An audit of sixty rows, not answered yet."""
    path = tmp_path / "audit.csv"
    assert main(["audit", str(own), str(files / "data.csv"), "--label", "s", "--n", "60", "--out", str(path)]) == 0
    return path


def read(path):
    with path.open(newline="", encoding="utf-8") as file:
        return list(csv.DictReader(file))


def answer(path, says):
    lines = [{**line, "answer": says(line)} for line in read(path)]
    with path.open("w", newline="", encoding="utf-8-sig") as file:
        writer = csv.DictWriter(file, lines[0], delimiter=";", lineterminator="\r\n")
        writer.writeheader()
        writer.writerows(lines)
    return path


def is_positive(line):
    # The classes of the fixture lie 1.5 apart in four columns; this is the best guess at the true one.
    return "Yes" if sum(float(line[name]) for name in "abcd") > 3 else "no"


def description(path):
    return json.loads((path / "model.json").read_text())


def test_rows_are_drawn_without_known_positives_and_with_all_columns(audit, table):
    lines = read(audit)
    assert len(lines) == 60
    assert {line["s"] for line in lines} == {"0"}
    keys = table["key"].to_pylist()
    assert all(line["key"] == keys[int(line["row"]) - 1] for line in lines)
    assert {line["answer"] for line in lines} == {""}


def test_equal_seeds_give_equal_bytes(own, audit, files, tmp_path):
    again, other = tmp_path / "again.csv", tmp_path / "other.csv"
    options = ["audit", str(own), str(files / "data.csv"), "--label", "s", "--n", "60"]
    assert main([*options, "--out", str(again)]) == 0
    assert main([*options, "--out", str(other), "--seed", "1"]) == 0
    assert again.read_bytes() == audit.read_bytes()
    assert again.with_suffix(".json").read_bytes() == audit.with_suffix(".json").read_bytes()
    assert other.read_bytes() != audit.read_bytes()


def test_answers_move_the_cut_and_everything_that_is_said_about_it(own, audit, capsys):
    before = description(own)
    capsys.readouterr()
    assert main(["threshold", str(own), "--audit", str(answer(audit, is_positive)), "--json"]) == 0
    told = capsys.readouterr()
    after = description(own)
    assert after["decision"]["prior_source"] == "audited"
    assert before["decision"]["prior_source"] == "estimated"
    assert after["audit"]["n"] == 60
    assert json.loads(told.out) == after["decision"] | {"audit": after["audit"]}
    assert "60 rows checked by hand" in told.err
    assert "P and U    alpha at most" in told.err
    assert "P and U    f1 at most" in told.err
    assert "P and U    recall at most" not in told.err  # recall is no bound
    assert "that labels fell at random" in told.err
    assert main(["info", str(own)]) == 0
    assert "60 rows checked by hand" in capsys.readouterr().out
    assert load(own).decision_.prior_source == "audited"


def test_beside_a_prior_that_was_given_nothing_is_at_most(own, audit):
    assert main(["threshold", str(own), "--audit", str(answer(audit, is_positive))]) == 0
    report = description(own)["audit"]
    before = {name: each for name, each in report["before"].items() if name != "bound"}
    seen = before["found"]["alpha"]
    for said, end in ((seen["high"] + 0.01, "the bound is not reached"), (seen["low"] - 0.01, "refuted")):
        off = before | {"bound": True, "said": before["said"] | {"alpha": said}}
        assert any(line.endswith(end) for line in describe_audit(report | {"before": off}) if "alpha at most" in line)
    for given in (before | {"bound": False}, before):  # earlier models do not say
        lines = describe_audit(report | {"before": given})
        assert any(line.startswith("P and U    alpha") for line in lines)
        assert not any("at most" in line for line in lines)


def test_the_audited_model_scores_with_its_new_cut_and_probabilities(own, audit, files, tmp_path):
    assert main(["threshold", str(own), "--audit", str(answer(audit, is_positive)), "--rule", "recall=0.8"]) == 0
    out = tmp_path / "scores.csv"
    assert main(["score", str(own), str(files / "data.csv"), "--id", "key", "--out", str(out)]) == 0
    threshold = description(own)["decision"]["threshold"]
    lines = read(out)
    assert all((line["prediction"] == "1") == (float(line["score"]) > threshold) for line in lines)
    probability = [float(line["probability"]) for line in sorted(lines, key=lambda line: float(line["score"]))]
    assert probability == sorted(probability)
    assert 0.2 < np.mean(probability) < 0.7


def test_going_back_to_p_and_u_alone_is_said_and_gives_the_first_bytes(own, audit, capsys):
    first = (own / "model.json").read_bytes()
    assert main(["threshold", str(own), "--audit", str(answer(audit, is_positive))]) == 0
    assert (own / "model.json").read_bytes() != first
    assert main(["threshold", str(own), "--rule", "auto"]) == 0
    assert "Warning: P and U alone decide again" in capsys.readouterr().err
    assert (own / "model.json").read_bytes() == first


def test_a_new_fit_takes_the_answers_of_an_earlier_models_audit(audit, files, tmp_path, capsys):
    new = tmp_path / "new"
    command = ["fit", str(files / "data.csv"), "--label", "s", "--id", "key", "--out", str(new), "--seed", "3", *QUICK]
    assert main([*command, "--audit", str(answer(audit, is_positive)), "--threshold", "recall=0.8"]) == 0
    found = description(new)
    assert found["decision"]["prior_source"] == "audited"
    assert found["decision"]["rule"] == "recall=0.8"
    assert "60 rows checked by hand" in capsys.readouterr().err


def test_alpha_does_not_depend_on_the_model_that_is_cut(own, audit, files, tmp_path):
    new = tmp_path / "new"
    answer(audit, is_positive)
    command = ["fit", str(files / "data.csv"), "--label", "s", "--id", "key", "--out", str(new), "--seed", "3", *QUICK]
    assert main([*command, "--audit", str(audit)]) == 0
    assert main(["threshold", str(own), "--audit", str(audit)]) == 0
    assert description(new)["audit"]["found"]["alpha"] == description(own)["audit"]["found"]["alpha"]


def refuse(capsys, *command):
    capsys.readouterr()
    assert main([str(part) for part in command]) == 2
    error = capsys.readouterr().err.splitlines()[-1]
    assert error.startswith("Error: ")
    return error


def test_rows_of_other_data_are_refused_before_training(audit, files, tmp_path, capsys):
    lines = (files / "data.csv").read_text().splitlines()
    other = tmp_path / "other.csv"
    other.write_text("\n".join(lines[:-1]) + "\n")
    answer(audit, is_positive)
    said = refuse(
        capsys, "fit", other, "--label", "s", "--id", "key", "--out", tmp_path / "new", "--audit", audit, *QUICK
    )
    assert "drawn from other rows" in said
    assert not (tmp_path / "new").exists()


def test_the_answers_of_another_models_audit_are_refused(audit, files, tmp_path, capsys):
    other = tmp_path / "other"
    command = [
        "fit",
        str(files / "data.csv"),
        "--label",
        "s",
        "--id",
        "key",
        "--out",
        str(other),
        "--seed",
        "9",
        *QUICK,
    ]
    assert main(command) == 0
    before = (other / "model.json").read_bytes()
    assert "drawn with another model" in refuse(capsys, "threshold", other, "--audit", answer(audit, is_positive))
    assert (other / "model.json").read_bytes() == before


def test_mistakes_are_told_in_one_sentence(own, audit, files, tmp_path, capsys):
    data, out = files / "data.csv", tmp_path / "x.csv"
    assert "known positives are among them" in refuse(capsys, "audit", own, data, "--out", out)
    assert "n must lie between" in refuse(capsys, "audit", own, data, "--label", "s", "--n", "5", "--out", out)
    assert "n must lie between" in refuse(capsys, "audit", own, data, "--label", "s", "--n", "999", "--out", out)
    assert "must end in .csv" in refuse(capsys, "audit", own, data, "--label", "s", "--out", tmp_path / "x.xlsx")
    assert "may hold answers" in refuse(capsys, "audit", own, data, "--label", "s", "--out", audit)
    assert "answer at least 10" in refuse(capsys, "threshold", own, "--audit", audit)
    answer(audit, is_positive)
    assert "names a prior" in refuse(capsys, "threshold", own, "--audit", audit, "--rule", "pu-f1,prior=0.4")
    assert "does not exist" in refuse(capsys, "threshold", own, "--audit", tmp_path / "none.csv")
    assert not out.exists()
    assert not out.with_suffix(".json").exists()


def test_new_rows_without_labels_are_a_population_of_their_own(own, files, tmp_path):
    lines = (files / "data.csv").read_text().splitlines()
    fresh, path = tmp_path / "fresh.csv", tmp_path / "audit.csv"
    fresh.write_text("\n".join(lines[:301]) + "\n")
    assert main(["audit", str(own), str(fresh), "--n", "40", "--out", str(path)]) == 0
    assert main(["threshold", str(own), "--audit", str(answer(path, is_positive))]) == 0
    decision = description(own)["decision"]
    assert decision["alpha"] == decision["prior"]


@pytest.mark.parametrize("name", ["data.npz", "data.parquet"])
def test_other_files_are_drawn_from_too(files, tmp_path, name):
    model, path = tmp_path / "other", tmp_path / "audit.csv"
    assert main(["fit", str(files / name), "--label", "s", "--id", "key", "--out", str(model), *QUICK]) == 0
    assert main(["audit", str(model), str(files / name), "--label", "s", "--n", "40", "--out", str(path)]) == 0
    assert len(read(path)) == 40
