"""What is loaded is the classifier that was saved: its class, its scores, and parameters that would fit it again."""

import json
from pathlib import Path

import numpy as np
import pytest
from sklearn.exceptions import NotFittedError

import angularpu
from angularpu import AngularPUClassifier, PUClassifier
from angularpu.cli.main import main
from angularpu.errors import ModelError, SettingError
from angularpu.model.description import read_description, write_description

GOLDEN = Path(__file__).parents[1] / "golden"


def read_files(directory):
    return {path.name: path.read_bytes() for path in directory.iterdir()}


def edit(directory, **changes):
    """Change what a model's JSON says, checksums included, as another version would have written it."""
    write_description(directory, read_description(directory) | changes)


@pytest.mark.parametrize(
    "model",
    [
        AngularPUClassifier(epochs=1),
        AngularPUClassifier(preset="paper", epochs=1, selection="pu-auc", random_state=3),
        AngularPUClassifier(preset="L2-WGH-R1.0", epochs=1),
        PUClassifier(method="nnpu", prior=0.5, epochs=1, options={"gamma": 0.5, "d": 16, "patience": None}),
        PUClassifier(preset="nnpu-paper", epochs=1, prior="elkan_noto", scenario="two-sample"),
        PUClassifier(method="euclidean", epochs=1, options={"radius": 2.0}),
        angularpu.EuclideanPUClassifier(epochs=1, radius=2.0),
        angularpu.NNPUClassifier(preset="nnpu-paper", batch_size=128, epochs=1, beta=0.0),
        angularpu.VPUClassifier(epochs=1, threshold="recall=0.9", encoder="linear"),
        angularpu.BaggingPUClassifier(rounds=2, validation="folds", prior=0.5),
        PUClassifier(method="elkan_noto", options={"share": 0.3}),
    ],
    ids=repr,
)
def test_a_loaded_model_has_its_class_and_fits_to_the_same_bytes(model, rows_and_labels, tmp_path):
    x, s = rows_and_labels
    model.fit(x, s).save(tmp_path / "first")
    again = angularpu.load(tmp_path / "first")
    assert type(again) is type(model)
    assert again.score_samples(x).tobytes() == model.score_samples(x).tobytes()
    np.testing.assert_array_equal(again.predict(x), model.predict(x))
    again.fit(x, s).save(tmp_path / "second")
    assert read_files(tmp_path / "first") == read_files(tmp_path / "second")


@pytest.mark.parametrize(
    ("options", "expected"),
    [
        ([], "PUEnsembleClassifier"),
        (["--method", "angular"], "AngularPUClassifier"),
        (["--preset", "L2-WGH-Rlearn"], "AngularPUClassifier"),
        (["--preset", "L2-WGH-Rlearn", "--set", "radius=2.0"], "EuclideanPUClassifier"),
        (["--method", "euclidean"], "EuclideanPUClassifier"),
        (["--method", "nnpu", "--set", "gamma=0.5"], "NNPUClassifier"),
        (["--method", "elkan_noto"], "ElkanNotoClassifier"),
    ],
)
def test_a_model_of_the_command_line_loads_as_the_class_of_its_method(options, expected, rows_and_labels, tmp_path):
    x, s = rows_and_labels
    np.savez(tmp_path / "data.npz", X=x, s=s)
    quick = [] if "elkan_noto" in options else ["--set", "epochs=1"]
    fit = ["fit", str(tmp_path / "data.npz"), "--label", "s", "--out", str(tmp_path / "model"), *options, *quick]
    assert main(fit) == 0
    model = angularpu.load(tmp_path / "model")
    assert type(model).__name__ == expected
    scores = model.score_samples(x)
    assert model.fit(x, s).score_samples(x).tobytes() == scores.tobytes()


def test_a_model_of_the_first_release_loads_as_angularpu():
    model = angularpu.load(GOLDEN / "0.1.0" / "model")
    assert type(model) is AngularPUClassifier
    assert model.fitted_.estimator is None


def test_a_class_of_the_users_own_is_saved_as_what_it_is_made_of(rows_and_labels, tmp_path):
    class Mine(AngularPUClassifier):
        pass

    Mine(epochs=1).fit(*rows_and_labels).save(tmp_path / "model")
    assert json.loads((tmp_path / "model" / "model.json").read_text())["estimator"] == "AngularPUClassifier"
    assert type(Mine.load(tmp_path / "model")) is Mine


def test_a_class_that_is_not_known_is_refused_and_puclassifier_takes_it(rows_and_labels, tmp_path):
    AngularPUClassifier(epochs=1).fit(*rows_and_labels).save(tmp_path / "model")
    for name in ("FutureClassifier", "PUEstimator", "os.system"):
        edit(tmp_path / "model", estimator=name)
        with pytest.raises(ModelError, match=f"saved by a class '{name}', which this version does not have"):
            angularpu.load(tmp_path / "model")
    assert PUClassifier.load(tmp_path / "model").method == "angular"
    edit(tmp_path / "model", estimator="SpyClassifier")
    with pytest.raises(ModelError, match="is a model of 'angular', which SpyClassifier is not"):
        angularpu.load(tmp_path / "model")


def test_a_class_that_would_fit_another_method_is_refused(rows_and_labels, tmp_path):
    angularpu.EuclideanPUClassifier(epochs=1).fit(*rows_and_labels).save(tmp_path / "model")
    with pytest.raises(ModelError, match="has the preset 'default', which is one of another method"):
        AngularPUClassifier.load(tmp_path / "model")


def test_decide_gives_a_copy_that_cuts_elsewhere(rows_and_labels, tmp_path):
    x, s = rows_and_labels
    model = AngularPUClassifier(epochs=1, threshold="recall=0.5").fit(x, s)
    before = model.threshold_
    loose = model.decide("recall=0.95")
    assert type(loose) is AngularPUClassifier
    assert loose.threshold_ < before == model.threshold_
    assert loose.get_params() == model.get_params() | {"threshold": "recall=0.95"}
    assert loose.score_samples(x).tobytes() == model.score_samples(x).tobytes()
    assert loose.predict(x).sum() > model.predict(x).sum()
    loose.save(tmp_path / "loose")
    AngularPUClassifier(epochs=1, threshold="recall=0.95").fit(x, s).save(tmp_path / "fitted")
    assert read_files(tmp_path / "loose") == read_files(tmp_path / "fitted")


def test_decide_needs_a_fit_and_a_rule_that_can_be_followed(rows_and_labels):
    with pytest.raises(NotFittedError):
        AngularPUClassifier().decide("pu-f1")
    model = AngularPUClassifier(epochs=1).fit(*rows_and_labels)
    with pytest.raises(SettingError, match="nonsense"):
        model.decide("nonsense")
    assert model.threshold == "auto"
