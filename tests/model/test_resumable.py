"""Runs that were killed after their model was in place, and what stands in the way of a run."""

import shutil

import numpy as np
import pytest

from angularpu import files
from angularpu.errors import ModelError
from angularpu.methods.configure import configure
from angularpu.model.description import read_description
from angularpu.model.redecide import redecide
from angularpu.model.resumable import fit_into, part_of
from angularpu.scenario.sample import make_sample

METHOD = configure("default", prior=0.6, options={"epochs": 1, "encoder": "linear", "validation": "hold-out"})


@pytest.fixture(scope="module")
def sample():
    rng = np.random.default_rng(0)
    y = np.repeat([1, 0], 150)
    return make_sample(rng.normal(size=(300, 3)) + 2 * y[:, None], y * (rng.random(300) < 0.5), scenario="one-sample")


@pytest.fixture
def published(tmp_path, sample, monkeypatch):
    """A model in place beside the part of its run, as a kill before the last step leaves them."""
    model = tmp_path / "m"
    with monkeypatch.context() as patch:
        patch.setattr(files, "move", lambda source, target: shutil.copytree(source, target) and interrupt())
        with pytest.raises(KeyboardInterrupt):
            fit_into(METHOD, sample, directory=model, seed=0)
    assert part_of(model).is_dir()
    return model


def interrupt():
    raise KeyboardInterrupt


@pytest.mark.parametrize("overwrite", [False, True])
def test_a_run_whose_model_is_in_place_is_not_run_again(published, sample, monkeypatch, overwrite):
    monkeypatch.setattr("angularpu.model.resumable.fit_method", interrupt)
    fitted = fit_into(METHOD, sample, directory=published, seed=0, overwrite=overwrite)
    assert fitted.seed == 0
    assert [path.name for path in published.parent.iterdir()] == ["m"]


def test_a_run_whose_model_is_in_place_does_not_stand_in_the_way_of_another(published, sample):
    with pytest.raises(ModelError, match="exists already"):
        fit_into(METHOD, sample, directory=published, seed=1)
    fit_into(METHOD, sample, directory=published, seed=1, overwrite=True)
    assert read_description(published)["seed"] == 1
    assert [path.name for path in published.parent.iterdir()] == ["m"]


def test_a_model_cut_elsewhere_meanwhile_is_not_taken_for_the_runs_own(published, sample):
    redecide(published, "recall=0.9")
    with pytest.raises(ModelError, match="exists already"):
        fit_into(METHOD, sample, directory=published, seed=0)
    assert read_description(published)["threshold"] == "recall=0.9"


def test_a_model_saved_there_during_the_fit_is_not_replaced_unasked(tmp_path, sample):
    def save_another(done, total, text):
        if not (tmp_path / "m").exists():
            shutil.copytree(tmp_path / "other", tmp_path / "m")

    fit_into(METHOD, sample, directory=tmp_path / "other", seed=0)
    with pytest.raises(ModelError, match="exists already"):
        fit_into(METHOD, sample, directory=tmp_path / "m", seed=1, report=save_another)
    assert read_description(tmp_path / "m")["seed"] == 0


def test_a_refused_fit_sweeps_what_a_killed_one_left(published, sample):
    part_of(published).rename(published.parent / ".m.part.removed~")
    with pytest.raises(ModelError, match="exists already"):
        fit_into(METHOD, sample, directory=published, seed=0)
    assert [path.name for path in published.parent.iterdir()] == ["m"]


def test_cutting_elsewhere_what_is_no_model_makes_nothing(tmp_path):
    with pytest.raises(ModelError, match="not a model directory"):
        redecide(tmp_path / "nowhere" / "m", "recall=0.9")
    assert list(tmp_path.iterdir()) == []
