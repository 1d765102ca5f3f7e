"""Folds that other processes train come to the same model."""

from functools import partial
from pathlib import Path

import numpy as np
import pytest

from angularpu.engines.local_tasks import run_here
from angularpu.errors import DataError, SettingError
from angularpu.fit.workflow import fit_method
from angularpu.methods.configure import configure
from angularpu.methods.fold_tasks import FoldFitter
from angularpu.model.resumable import fit_into
from angularpu.scenario.sample import make_sample

OPTIONS = {"epochs": 3}


@pytest.fixture(scope="module")
def sample():
    rng = np.random.default_rng(0)
    x = rng.normal(size=(200, 4))
    x[:100] += 1.5
    return make_sample(x, np.arange(200) < 40, scenario="one-sample")


def read(directory):
    return {path.name: path.read_bytes() for path in directory.iterdir()}


@pytest.mark.filterwarnings("ignore")  # joblib's, about processes that end late
@pytest.mark.parametrize("method", ["ensemble", "angular"])
def test_folds_of_other_processes_make_the_model_of_one(method, sample, tmp_path):
    configured = configure("default", method=method, options=OPTIONS)
    fit_into(configured, sample, directory=tmp_path / "here", seed=1)
    told = []
    fit_into(
        configured,
        sample,
        directory=tmp_path / "there",
        seed=1,
        run_tasks=partial(run_here, jobs=2),
        report=lambda *progress: told.append(progress),
    )
    assert read(tmp_path / "there") == read(tmp_path / "here")
    count = 20 if method == "ensemble" else 5
    assert told[:count] == [(done, count, "folds") for done in range(1, count + 1)]
    assert not (tmp_path / "there.part").exists()


def test_the_fit_trains_nothing_that_tasks_have_trained(sample, tmp_path, monkeypatch):
    trained = []

    def run(function, items):
        yield from map(function, items)
        monkeypatch.setattr("angularpu.train.stages.train", lambda *_, **__: trained.append("network"))
        monkeypatch.setattr("angularpu.methods.classical._fit", lambda *_, **__: trained.append("classifier"))

    fit_into(
        configure("default", method="ensemble", options=OPTIONS),
        sample,
        directory=tmp_path / "m",
        seed=1,
        run_tasks=run,
    )
    assert trained == []


def test_a_fold_that_fails_elsewhere_ends_the_fit_as_here_and_leaves_nothing(sample, tmp_path):
    def run(function, items):
        next(map(function, items))
        raise DataError("column 'a' is bad")
        yield

    with pytest.raises(DataError, match="column 'a' is bad"):
        fit_into(
            configure("default", method="angular", options=OPTIONS),
            sample,
            directory=tmp_path / "m",
            seed=1,
            run_tasks=run,
        )
    assert not list(tmp_path.iterdir())


def test_tasks_need_a_directory_and_have_its_whole_path(sample, tmp_path, monkeypatch):
    with pytest.raises(SettingError, match="need a directory for checkpoints"):
        fit_method(configure("default", method="angular", options=OPTIONS), sample, seed=1, run_tasks=map)
    monkeypatch.chdir(tmp_path)
    assert FoldFitter({}, sample, None, None, 0, None, Path("m.part")).find("a") == tmp_path / "m.part" / "a"
