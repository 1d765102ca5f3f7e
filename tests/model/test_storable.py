"""A base that cannot be saved fits and scores, and is refused before anything is written or trained for a file."""

import numpy as np
import pytest
from sklearn.neighbors import KNeighborsClassifier

from angularpu import BaggingPUClassifier, PUClassifier
from angularpu.cli.main import main
from angularpu.errors import ModelError
from angularpu.methods.configure import configure
from angularpu.model import fit_into
from angularpu.scenario import make_sample

REFUSED = (
    r"no place for KNeighborsClassifier, only for HistGradientBoostingClassifier, .*; the model fits and scores, but "
    r"to save it pass one of these as base"
)


def test_it_fits_and_scores_and_save_refuses_before_anything_is_written(rows_and_labels, tmp_path):
    x, s = rows_and_labels
    model = BaggingPUClassifier(rounds=2, base=KNeighborsClassifier(), prior=0.5).fit(x, s)
    assert np.isfinite(model.score_samples(x)).all()
    with pytest.raises(ModelError, match=REFUSED):
        model.save(tmp_path / "folder" / "model")
    assert not list(tmp_path.iterdir())


def test_an_older_model_stays_where_the_new_one_cannot_be_saved(rows_and_labels, tmp_path):
    x, s = rows_and_labels
    PUClassifier(method="spy", prior=0.5).fit(x, s).save(tmp_path / "model")
    before = {path.name: path.read_bytes() for path in (tmp_path / "model").iterdir()}
    with pytest.raises(ModelError, match=REFUSED):
        BaggingPUClassifier(rounds=2, base=KNeighborsClassifier(), prior=0.5).fit(x, s).save(
            tmp_path / "model", overwrite=True
        )
    assert {path.name: path.read_bytes() for path in (tmp_path / "model").iterdir()} == before


class Untrained(KNeighborsClassifier):
    def fit(self, x, y):
        raise AssertionError("trained")


def test_a_fit_into_a_directory_refuses_before_it_trains(rows_and_labels, tmp_path):
    x, s = rows_and_labels
    sample = make_sample(x, s, scenario="one-sample")
    method = configure(method="bagging", prior=0.5, options={"base": Untrained()})
    with pytest.raises(ModelError, match="no place for Untrained"):
        fit_into(method, sample, directory=tmp_path / "model", seed=0)
    assert not list(tmp_path.iterdir())


def test_the_command_line_takes_no_base_and_says_so_before_it_trains(rows_and_labels, tmp_path, capsys):
    x, s = rows_and_labels
    np.savez(tmp_path / "data.npz", X=x, s=s)
    fit = ["fit", str(tmp_path / "data.npz"), "--label", "s", "--out", str(tmp_path / "model"), "--method", "bagging"]
    assert main([*fit, "--set", "base=KNeighborsClassifier"]) == 2
    assert "base is an object that only Python can pass" in capsys.readouterr().err
    assert sorted(path.name for path in tmp_path.iterdir()) == ["data.npz"]
