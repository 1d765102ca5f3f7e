"""``angularpu prior`` prints every estimate side by side."""

import json
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest

from angularpu.cli.main import main
from angularpu.fit import prior_estimation
from angularpu.priors.estimate import PriorEstimate
from angularpu.train.settings import Settings

NAMES = ["bbe", "tedn", "dedpul", "tice", "km2", "elkan_noto", "pulscar", "vmf"]


@pytest.fixture
def table(tmp_path):
    rng = np.random.default_rng(0)
    y = np.arange(300) < 150
    frame = pd.DataFrame(rng.normal(size=(300, 3)) + 3 * y[:, None], columns=["a", "b", "c"])
    frame.assign(known=np.arange(300) < 80).to_csv(tmp_path / "data.csv", index=False)
    return tmp_path / "data.csv"


def test_json_lists_every_estimator_with_its_interval(table, capsys, monkeypatch):
    monkeypatch.setattr("angularpu.fit.prior_estimation.SCORE_DRAWS", 5)
    monkeypatch.setattr("angularpu.fit.prior_estimation.ROW_DRAWS", 1)
    for name in ("ANGULAR", "TEDN"):
        quick = replace(getattr(prior_estimation, name), settings=Settings(epochs=3))
        monkeypatch.setattr(prior_estimation, name, quick)
    assert main(["prior", str(table), "--label", "known", "--estimators", "all", "--json"]) == 0
    captured = capsys.readouterr()
    estimates = json.loads(captured.out)["estimates"]
    assert [each["name"] for each in estimates] == NAMES
    assert {"alpha", "prior", "label_freq", "low", "high"} <= set(estimates[0])
    assert "scenario   one-sample" in captured.err
    assert "note: angularpu fit states another share, read off the scores of its own model" in captured.err


@pytest.mark.parametrize(
    ("options", "names"),
    [([], ["bbe", "dedpul", "tice", "elkan_noto"]), (["--estimators", "dedpul, bbe,dedpul"], ["dedpul", "bbe"])],
)
def test_the_fast_estimators_run_by_default_and_others_by_name(table, capsys, monkeypatch, options, names):
    monkeypatch.setattr("angularpu.fit.prior_estimation.SCORE_DRAWS", 5)
    monkeypatch.setattr("angularpu.fit.prior_estimation.ROW_DRAWS", 1)
    assert main(["prior", str(table), "--label", "known", "--json", *options]) == 0
    assert [each["name"] for each in json.loads(capsys.readouterr().out)["estimates"]] == names


def test_an_unknown_estimator_is_refused_before_the_file_is_read(capsys):
    assert main(["prior", "no.csv", "--label", "s", "--estimators", "bbe,dedpull"]) == 2
    assert "prior estimator 'dedpull' is unknown; did you mean 'dedpul'" in capsys.readouterr().err


def test_what_an_estimator_has_to_say_is_printed(table, capsys, monkeypatch):
    bound = PriorEstimate("elkan_noto", 0.3, 0.4, 0.5, 0.2, 0.45, {}, ("only an upper bound",))
    monkeypatch.setattr("angularpu.fit.prior_estimation.estimate_priors", lambda *_, **__: [bound])
    assert main(["prior", str(table), "--label", "known"]) == 0
    assert "note: elkan_noto: only an upper bound" in capsys.readouterr().err


def test_a_missing_column_is_one_sentence(table, capsys):
    assert main(["prior", str(table), "--label", "unknown"]) == 2
    assert capsys.readouterr().err.count("\n") <= 2


def test_a_picture_is_drawn_on_request_and_its_numbers_stand_beside_it(tmp_path, capsys):
    from angularpu.figures.priors import save_prior_figure

    estimates = [PriorEstimate(name, 0.3, 0.4, 0.5, 0.2, 0.45, {}, ()) for name in ("bbe", "tedn")]
    save_prior_figure(tmp_path / "priors.svg", estimates)
    assert (tmp_path / "priors.svg").read_text().startswith("<?xml")
    assert (tmp_path / "priors.csv").read_text().splitlines()[1] == "bbe,0.3,0.2,0.45,0.4,0.5"
    assert main(["prior", "data.csv", "--label", "s", "--plot", "priors.jpg"]) == 2
    assert ".svg" in capsys.readouterr().err
