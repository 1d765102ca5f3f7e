"""Classical models of earlier versions, whose classifiers are archives of skops, are read by whoever trusts them."""

import json
import shutil
from pathlib import Path

import numpy as np
import pytest

import angularpu
from angularpu.cli.main import main
from angularpu.errors import ModelError
from angularpu.model import read_description, read_model

GOLDEN = Path(__file__).parents[1] / "golden" / "skops"
MODEL = GOLDEN / "model"
REFUSED = r"is a model of an earlier version, whose parts.skops .*; if you know who made it, pass trusted=True \(--tru"

needs_trust = pytest.mark.filterwarnings("ignore:.*is read because you trust it")


@pytest.fixture(scope="module")
def expected():
    return json.loads((GOLDEN / "expected.json").read_text())


@pytest.mark.parametrize("load", [angularpu.load, angularpu.BaggingPUClassifier.load, read_model])
def test_an_archive_is_read_only_where_it_is_trusted_and_with_a_warning(load):
    with pytest.raises(ModelError, match=REFUSED):
        load(MODEL)
    with pytest.warns(UserWarning, match=r"parts.skops is read because you trust it; save the model again"):
        load(MODEL, trusted=True)


@needs_trust
def test_a_trusted_model_scores_as_it_did_and_so_does_what_it_is_saved_as(expected, tmp_path):
    rows = np.array(expected["rows"])
    model = angularpu.load(MODEL, trusted=True)
    np.testing.assert_allclose(model.score_samples(rows), expected["scores"], rtol=1e-6)
    assert model.threshold_ == expected["threshold"]
    assert model.predict(rows).tolist() == expected["predictions"]
    model.save(tmp_path / "saved")
    assert sorted(path.name for path in (tmp_path / "saved").iterdir()) == ["model.json", "model.safetensors"]
    saved = angularpu.load(tmp_path / "saved")
    assert saved.score_samples(rows).tobytes() == model.score_samples(rows).tobytes()


def test_all_but_scoring_works_without_trust(tmp_path):
    assert read_description(MODEL)["method"] == "bagging"
    copied = shutil.copytree(MODEL, tmp_path / "model")
    assert main(["info", str(copied)]) == 0
    assert main(["threshold", str(copied), "--rule", "recall=0.9"]) == 0
    assert read_description(copied)["threshold"] == "recall=0.9"


def test_the_command_line_takes_an_archive_with_trusted_alone(expected, tmp_path, capsys):
    np.save(tmp_path / "rows.npy", np.array(expected["rows"]))
    score = ["score", str(MODEL), str(tmp_path / "rows.npy"), "--out", str(tmp_path / "scores.csv")]
    assert main(score) == 2
    assert "pass trusted=True (--trusted)" in capsys.readouterr().err
    assert not (tmp_path / "scores.csv").exists()
    assert main([*score, "--trusted"]) == 0
    assert "Warning: " in capsys.readouterr().err
    assert len((tmp_path / "scores.csv").read_text().splitlines()) == 9


def test_trust_is_of_no_use_to_an_archive_that_was_changed(tmp_path):
    copied = shutil.copytree(MODEL, tmp_path / "model")
    (copied / "parts.skops").write_bytes(b"other")
    with pytest.raises(ModelError, match=r"parts.skops is missing or is not the file that was saved"):
        read_model(copied, trusted=True)
