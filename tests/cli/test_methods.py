"""``angularpu methods`` and ``fit --method``."""

import json

import pytest

from angularpu.cli.main import main
from angularpu.methods.cards import TRAITS
from angularpu.methods.table import METHODS


def test_every_method_is_listed(capsys):
    assert main(["methods", "--json"]) == 0
    listed = json.loads(capsys.readouterr().out)["methods"]
    assert [each["name"] for each in listed] == list(METHODS)
    assert all({"name", "title", "needs", "reference"} <= set(each) for each in listed)
    needs = {each["name"]: each["needs"] for each in listed}
    assert (needs["angular"], needs["nnpu"], needs["oracle_pn"]) == ([], ["prior"], ["true classes"])
    assert main(["methods"]) == 0
    assert all(name in capsys.readouterr().out for name in ("nnpu",))


def test_the_papers_table_is_printed_from_the_cards(capsys):
    assert main(["methods", "--traits"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == " | ".join(["method", *TRAITS])
    rows = {line.split(" | ")[0]: line.split(" | ")[1:] for line in lines[2:]}
    # prior, negatives, pseudo-negatives, contrastive, vMF, uniform, end to end: as the paper's first table has them
    assert rows["AngularPU"] == ["no", "no", "no", "no", "yes", "yes", "yes"]
    assert rows["nnPU"] == ["yes", "no", "no", "no", "no", "no", "yes"]
    assert rows["ImbPU"] == ["yes", "no", "no", "no", "no", "no", "yes"]
    assert rows["WConPU"] == ["yes", "no", "yes", "yes", "no", "no", "no"]
    assert rows["PiCO"] == ["no", "no", "yes", "yes", "no", "no", "no"]
    assert rows["Dense-PU"] == ["no", "no", "yes", "no", "no", "no", "no"]


@pytest.mark.parametrize("method", ["nnpu", "elkan_noto"])
def test_another_method_is_fitted_and_scores(method, files, tmp_path):
    model, out = tmp_path / "model", tmp_path / "scores.csv"
    settings = [] if METHODS[method].kind == "classical" else ["--set", "epochs=2"]
    fit = ["fit", str(files / "data.csv"), "--label", "s", "--id", "key", "--out", str(model), "--prior", "0.5"]
    assert main([*fit, "--method", method, *settings]) == 0
    assert json.loads((model / "model.json").read_text())["method"] == method
    assert main(["score", str(model), str(files / "data.csv"), "--id", "key", "--out", str(out)]) == 0
    assert len(out.read_text().splitlines()) == 401
    assert main(["info", str(model)]) == 0


def test_an_unknown_method_is_named(files, tmp_path, capsys):
    fit = ["fit", str(files / "data.csv"), "--label", "s", "--out", str(tmp_path / "model")]
    assert main([*fit, "--method", "nnpuu"]) == 2
    assert "did you mean 'nnpu'" in capsys.readouterr().err


def test_algorithm_is_the_deprecated_name_of_method(files, tmp_path, capsys, read_all):
    fit = ["fit", str(files / "data.csv"), "--label", "s", "--id", "key", "--set", "epochs=1", "--prior", "0.5"]
    assert main([*fit, "--algorithm", "nnpu", "--out", str(tmp_path / "old")]) == 0
    warnings = [line for line in capsys.readouterr().err.splitlines() if "--algorithm" in line]
    assert warnings == ["Warning: --algorithm is now called --method; write --method nnpu"]
    assert main([*fit, "--method", "nnpu", "--out", str(tmp_path / "new")]) == 0
    assert read_all(tmp_path / "old") == read_all(tmp_path / "new")
    assert main([*fit, "--method", "nnpu", "--algorithm", "nnpu", "--out", str(tmp_path / "both")]) == 2
    assert "are both given; leave --algorithm out" in capsys.readouterr().err
    assert main(["fit", "--help"]) == 0
    shown = capsys.readouterr().out
    assert "--method" in shown
    assert "--algorithm" not in shown
