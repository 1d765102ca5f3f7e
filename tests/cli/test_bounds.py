"""What the commands say and do where positives and unlabelled rows alone cannot promise a precision."""

import csv
import json

import numpy as np
import pytest

import angularpu
from angularpu import PUClassifier
from angularpu.cli.main import main
from angularpu.errors import BoundWarning

LEARN = ["--label", "s", "--method", "elkan_noto"]


@pytest.fixture(scope="module")
def noise():
    """Rows of one law, some of them labelled."""
    rng = np.random.default_rng(0)
    return rng.normal(size=(300, 3)), (np.arange(300) < 60).astype(int)


@pytest.fixture(scope="module")
def data(noise, tmp_path_factory):
    x, s = noise
    path = tmp_path_factory.mktemp("noise") / "data.csv"
    lines = [",".join([*(f"{value:.5f}" for value in row), str(label)]) for row, label in zip(x, s, strict=True)]
    path.write_text("\n".join(["a,b,c,s", *lines]))
    return path


def test_a_refused_precision_costs_no_training(data, tmp_path, capsys):
    model = tmp_path / "model"
    command = ["fit", str(data), *LEARN, "--out", str(model), "--threshold", "precision=0.9", "--json"]
    assert main(command) == 2
    out, err = capsys.readouterr()
    assert "Error: a precision of 0.9 cannot be promised" in err.splitlines()[-1]
    assert "The model takes the rule pu-f1 instead" in err.splitlines()[-1]
    summary = json.loads(out)
    assert summary["rule"].startswith("pu-f1")
    assert (summary["bound"], summary["precision"]) == ("chance", None)
    assert main(["info", str(model)]) == 0
    told = capsys.readouterr().out
    assert "precision  not stated: the scores tell known positives from unlabelled rows no better" in told
    assert "Warning: a precision of 0.9 cannot be promised" in told.splitlines()[-1]
    before = (model / "model.json").read_bytes()
    assert main(["threshold", str(model), "--rule", "precision=0.9"]) == 2
    assert "angularpu audit" in capsys.readouterr().err
    assert (model / "model.json").read_bytes() == before
    assert main(["threshold", str(model), "--rule", "precision=0.9,prior=0.5"]) == 0
    assert json.loads((model / "model.json").read_text())["decision"]["refused"] is None


def test_an_audit_is_the_way_out_of_a_refused_precision(tmp_path, capsys):
    rng = np.random.default_rng(3)
    x = rng.normal(size=(3000, 2))
    x[:1200, 0] += 1  # the first 1200 rows are positive, 600 of them known
    data, model, audit = tmp_path / "data.csv", tmp_path / "model", tmp_path / "audit.csv"
    lines = [f"{a:.5f},{b:.5f},{int(row < 600)}" for row, (a, b) in enumerate(x)]
    data.write_text("\n".join(["a,b,s", *lines]))
    assert main(["fit", str(data), *LEARN, "--out", str(model)]) == 0
    asked = ["threshold", str(model), "--rule", "precision=0.9"]
    assert main(asked) == 2
    assert "the bound is likely not reached" in capsys.readouterr().err
    assert main(["audit", str(model), str(data), "--label", "s", "--n", "60", "--out", str(audit)]) == 0
    with audit.open(newline="", encoding="utf-8") as file:
        rows = [row | {"answer": "yes" if int(row["row"]) <= 1200 else "no"} for row in csv.DictReader(file)]
    with audit.open("w", newline="", encoding="utf-8") as file:
        writer = csv.DictWriter(file, rows[0])
        writer.writeheader()
        writer.writerows(rows)
    assert main([*asked, "--audit", str(audit)]) == 0
    decision = json.loads((model / "model.json").read_text())["decision"]
    assert (decision["rule"], decision["prior_source"], decision["refused"]) == ("precision=0.9", "audited", None)
    assert decision["precision_low"] <= 0.9 <= decision["precision_high"]
    assert 0.1 < decision["alpha"] < 0.4  # 600 of 2400, that is .25


def test_in_python_a_refused_precision_is_a_warning_and_the_model_remembers_it(noise, tmp_path):
    with pytest.warns(BoundWarning, match="cannot be promised"):
        model = PUClassifier(method="elkan_noto", threshold="precision=0.9").fit(*noise)
    assert model.decision_.refused
    assert any("predict_proba are upper bounds" in note for note in model.notes_)
    model.save(tmp_path / "model")
    again = angularpu.load(tmp_path / "model")
    assert again.decision_ == model.decision_
    assert again.threshold == "precision=0.9"  # what answers of an audit will follow
    with pytest.raises(angularpu.errors.BoundError):
        model.decide("precision=0.9")


def test_the_estimates_of_the_prior_are_said_to_be_at_most(data, capsys):
    assert main(["prior", str(data), "--label", "s", "--estimators", "bbe"]) == 0
    out, err = capsys.readouterr()
    assert out.splitlines()[0] == "at most so many are positive:"
    assert "note: bbe: the scores tell known positives from unlabelled rows no better than chance" in err
