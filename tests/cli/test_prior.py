"""``angularpu prior`` prints every estimate side by side."""

import json
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest

from angularpu import prior_estimation
from angularpu.cli.main import main
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
    monkeypatch.setattr("angularpu.prior_estimation.SCORE_DRAWS", 5)
    monkeypatch.setattr("angularpu.prior_estimation.ROW_DRAWS", 1)
    for name in ("ANGULAR", "TEDN"):
        quick = replace(getattr(prior_estimation, name), settings=Settings(epochs=3))
        monkeypatch.setattr(prior_estimation, name, quick)
    assert main(["prior", str(table), "--label", "known", "--json"]) == 0
    captured = capsys.readouterr()
    estimates = json.loads(captured.out)
    assert [each["name"] for each in estimates] == NAMES
    assert {"alpha", "prior", "label_freq", "low", "high"} <= set(estimates[0])
    assert "scenario   one-sample" in captured.err


def test_a_missing_column_is_one_sentence(table, capsys):
    assert main(["prior", str(table), "--label", "unknown"]) == 2
    assert capsys.readouterr().err.count("\n") <= 2
