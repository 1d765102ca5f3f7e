"""Models on disk: the same when loaded, refused when damaged, nothing executable."""

import json
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
import scipy.sparse as sp
import torch
from torch import nn

from angularpu import AngularPUClassifier
from angularpu.errors import ModelError
from angularpu.model import directory as model_directory

GOLDEN = Path(__file__).parents[1] / "golden"


@pytest.fixture(scope="module")
def data():
    rng = np.random.default_rng(0)
    y = np.repeat([1, 0], 60)
    return rng.normal(size=(120, 3)).astype(np.float32) + 2 * y[:, None], (y * (rng.random(120) < 0.5)).astype(int)


def frame(x):
    kind, holes = np.where(x[:, 1] > 0, "up", "down"), np.where(x[:, 2] > 1, x[:, 2], np.nan)
    return pd.DataFrame({"a": x[:, 0], "b": kind, "c": holes})


def images(x):
    return np.tile(x.reshape(-1, 3, 1, 1), (1, 1, 8, 8))


@pytest.mark.parametrize(
    ("form", "options"),
    [
        (np.asarray, {}),
        (np.asarray, {"preset": "L2-WGH-Rlearn", "scenario": "two-sample"}),
        (np.asarray, {"encoder": "linear", "sharpness": "learnable", "margin": "softplus", "threshold": "recall=0.9"}),
        (sp.csr_matrix, {}),
        (frame, {}),
        (images, {"encoder": "cnn13", "epochs": 1}),
    ],
    ids=["array", "euclidean", "linear", "sparse", "frame", "image"],
)
def test_a_loaded_model_scores_the_same_bytes(tmp_path, data, form, options):
    x, s = data
    model = AngularPUClassifier(**{"epochs": 2, **options}).fit(form(x), s)
    model.save(tmp_path / "m")
    loaded = AngularPUClassifier.load(tmp_path / "m")
    assert loaded.score_samples(form(x)).tobytes() == model.score_samples(form(x)).tobytes()
    np.testing.assert_array_equal(loaded.predict(form(x)), model.predict(form(x)))
    assert loaded.decision_ == model.decision_
    assert loaded.n_features_in_ == model.n_features_in_
    assert {k: v for k, v in loaded.get_params().items() if k in options} == options
    assert sorted(path.name for path in (tmp_path / "m").iterdir()) == ["model.json", "model.safetensors"]


def test_a_loaded_model_fitted_again_is_the_same_model(tmp_path, data):
    x, s = data
    model = AngularPUClassifier(preset="L2-BCE-Rlearn", epochs=2, random_state=3).fit(x, s)
    model.save(tmp_path / "m")
    again = AngularPUClassifier.load(tmp_path / "m").fit(x, s)
    again.save(tmp_path / "n")
    for name in ("model.json", "model.safetensors"):
        assert (tmp_path / "m" / name).read_bytes() == (tmp_path / "n" / name).read_bytes()


def test_equal_seeds_give_equal_bytes_and_others_do_not(tmp_path, data):
    x, s = data
    for name, seed in (("a", 5), ("b", 5), ("c", 6)):
        AngularPUClassifier(epochs=2, random_state=seed).fit(x, s).save(tmp_path / name)
    read = {name: (tmp_path / name / "model.safetensors").read_bytes() for name in "abc"}
    assert read["a"] == read["b"] != read["c"]
    assert (tmp_path / "a" / "model.json").read_bytes() == (tmp_path / "b" / "model.json").read_bytes()


def test_loading_leaves_torchs_generator_alone(tmp_path, data):
    AngularPUClassifier(epochs=1).fit(*data).save(tmp_path / "m")
    before = torch.get_rng_state()
    AngularPUClassifier.load(tmp_path / "m")
    assert torch.equal(before, torch.get_rng_state())


def test_a_network_of_the_users_own_must_be_passed_to_load(tmp_path, data):
    x, s = data
    torch.manual_seed(0)
    network = nn.Sequential(nn.Linear(3, 16), nn.Tanh(), nn.Linear(16, 4))
    before = {name: tensor.clone() for name, tensor in network.state_dict().items()}
    model = AngularPUClassifier(encoder=network, epochs=2).fit(x, s)
    assert all(torch.equal(before[name], tensor) for name, tensor in network.state_dict().items())
    model.save(tmp_path / "m")
    with pytest.raises(ModelError, match="pass it as encoder="):
        AngularPUClassifier.load(tmp_path / "m")
    loaded = AngularPUClassifier.load(tmp_path / "m", encoder=network)
    assert loaded.score_samples(x).tobytes() == model.score_samples(x).tobytes()
    assert loaded.transform(x).shape == (120, 4)


def test_an_existing_directory_is_not_overwritten_by_accident(tmp_path, data):
    model = AngularPUClassifier(epochs=1).fit(*data)
    model.save(tmp_path / "m")
    with pytest.raises(ModelError, match="exists already"):
        model.save(tmp_path / "m")
    model.save(tmp_path / "m", overwrite=True)


def test_nothing_but_a_model_is_ever_replaced(tmp_path, data):
    model = AngularPUClassifier(epochs=1).fit(*data)
    (tmp_path / "photos").mkdir()
    for path in (tmp_path / "photos" / "keep.txt", tmp_path / "data.csv"):
        path.write_text("dear")
        with pytest.raises(ModelError, match="is not a model, so it is not replaced"):
            model.save(path if path.suffix == ".csv" else path.parent, overwrite=True)
        assert path.read_text() == "dear"
    (tmp_path / "empty").mkdir()
    model.save(tmp_path / "empty", overwrite=True)
    assert (tmp_path / "empty" / "model.json").is_file()


def edit_json(directory, **changes):
    path = directory / "model.json"
    path.write_text(json.dumps({**json.loads(path.read_text()), **changes}))


def flip_byte(directory):
    path = directory / "model.safetensors"
    content = bytearray(path.read_bytes())
    content[-1] ^= 1
    path.write_bytes(bytes(content))


@pytest.mark.parametrize(
    ("damage", "sentence"),
    [
        (lambda d: (d / "model.json").unlink(), "has no model.json"),
        (lambda d: (d / "model.safetensors").unlink(), "missing or is not the file"),
        (flip_byte, "missing or is not the file"),
        (lambda d: edit_json(d, classes=[5, 6]), "was changed after it was saved"),
        (lambda d: edit_json(d, format=99), "update angularpu"),
        (lambda d: (d / "model.json").write_text("{"), "damaged"),
        (lambda d: (d / "model.json").write_text("[]"), "damaged"),
    ],
)
def test_a_damaged_model_is_refused_in_one_sentence(tmp_path, data, damage, sentence):
    AngularPUClassifier(epochs=1).fit(*data).save(tmp_path / "m")
    damage(tmp_path / "m")
    with pytest.raises(ModelError, match=sentence):
        model_directory.load(tmp_path / "m")


@pytest.mark.parametrize("release", sorted(path.name for path in GOLDEN.glob("[0-9]*")))
def test_a_model_of_an_earlier_release_loads_and_scores_as_it_did(release):
    folder = GOLDEN / release
    expected = json.loads((folder / "expected.json").read_text())
    model = AngularPUClassifier.load(folder / "model")
    rows = pd.DataFrame(expected["rows"])
    np.testing.assert_allclose(model.score_samples(rows), expected["scores"], rtol=1e-4, atol=1e-5)
    assert model.threshold_ == expected["threshold"]
    assert model.predict(rows).tolist() == expected["predictions"]
