"""An ensemble on the command line: fitted by default, told about, made smaller, scored."""

import json

import pytest

from angularpu.cli.main import main


@pytest.fixture(scope="module")
def ensemble(files, tmp_path_factory):
    path = tmp_path_factory.mktemp("ensemble") / "model"
    data = str(files / "data.csv")
    assert main(["fit", data, "--label", "s", "--id", "key", "--out", str(path), "--set", "epochs=1"]) == 0
    return path


def test_without_a_method_an_ensemble_is_fitted(ensemble, capsys):
    assert main(["info", str(ensemble), "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert told["method"] == "ensemble"
    assert [member["name"] for member in told["members"]] == [
        "angular",
        "extra_trees",
        "gradient_boosting",
        "logistic_regression",
    ]
    assert sum(member["weight"] for member in told["members"]) == pytest.approx(1)
    assert all(0.5 < member["pu_auc"] < member["auc"] for member in told["members"][1:])
    assert told["bytes"] == sum(path.stat().st_size for path in ensemble.iterdir())


def test_info_names_members_weights_and_size(ensemble, capsys):
    assert main(["info", str(ensemble)]) == 0
    told = capsys.readouterr().out
    assert "members    angular " in told
    assert "MB on disk; every row is scored by the models of all folds of 4 members" in told


def test_named_members_make_it_smaller(files, ensemble, tmp_path, capsys):
    data, path = str(files / "data.csv"), tmp_path / "small"
    members = ["--set", "members=angular,logistic_regression", "--set", "epochs=1"]
    assert main(["fit", data, "--label", "s", "--id", "key", "--out", str(path), *members]) == 0
    sizes = [sum(file.stat().st_size for file in model.iterdir()) for model in (path, ensemble)]
    assert sizes[0] < sizes[1]


def test_its_training_rows_have_scores_of_models_that_did_not_see_them(files, ensemble, tmp_path):
    plain, own = tmp_path / "plain.csv", tmp_path / "own.csv"
    data = str(files / "data.csv")
    assert main(["score", str(ensemble), data, "--id", "key", "--out", str(plain)]) == 0
    assert main(["score", str(ensemble), data, "--id", "key", "--out-of-fold", "--out", str(own)]) == 0
    assert plain.read_text().splitlines()[0] == own.read_text().splitlines()[0]
    assert plain.read_text() != own.read_text()
