"""Scores of several epochs are those of the whole network, and nothing is computed twice."""

from dataclasses import replace

import numpy as np
import pytest
import torch
from safetensors.torch import save_file

from angularpu import AngularPUClassifier
from angularpu.data.sources import as_rows
from angularpu.nets.vgg import VGG
from angularpu.train.scoring import NeuralScorer
from angularpu_bench.run.epoch_scores import EpochScores


@pytest.fixture(scope="module")
def images():
    rng = np.random.default_rng(0)
    x = rng.integers(0, 256, (70, 3, 32, 32), dtype=np.uint8)
    return x, (np.arange(70) < 20).astype(int)


@pytest.fixture(scope="module")
def weights(tmp_path_factory):
    path = tmp_path_factory.mktemp("weights") / "vgg11_bn.safetensors"
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(0)
        tensors = VGG("vgg11_bn", (3, 32, 32)).get_submodule("features").state_dict()
    save_file({f"features.{name}": tensor for name, tensor in tensors.items()}, path)
    return path


@pytest.fixture(scope="module", params=[0, 3], ids=["whole", "three frozen blocks"])
def fitted(request, images, weights):
    settings = {"encoder": "vgg11_bn", "weights": str(weights), "d": 8, "epochs": 1, "batch_size": 32}
    model = AngularPUClassifier(**settings, frozen_blocks=request.param, selection="last", refit=True)
    return model.fit(*images).fitted_


def shift(fitted):
    """Return the weights of another epoch: what is trained, with another last layer."""
    state = fitted.scorer.algorithm.state_dict()
    return {name: tensor + 0.5 for name, tensor in state.items() if "embedding" in name}


def test_the_scores_are_those_of_the_fitted_network(fitted, images):
    rows = as_rows(images[0])
    assert EpochScores(fitted, rows).score().tobytes() == fitted.score(rows).tobytes()


def test_the_weights_of_another_epoch_score_as_a_network_that_has_them(fitted, images):
    rows, weights = as_rows(images[0]), shift(fitted)
    scores = EpochScores(fitted, rows)
    before = {name: tensor.clone() for name, tensor in fitted.scorer.algorithm.state_dict().items()}
    found = scores.score(weights)
    after = fitted.scorer.algorithm.state_dict()
    assert all(torch.equal(after[name], tensor) for name, tensor in before.items()), "the fitted network was changed"
    fitted.scorer.algorithm.load_state_dict({**before, **weights})
    expected = replace(fitted, scorer=NeuralScorer(fitted.scorer.algorithm)).score(rows)
    fitted.scorer.algorithm.load_state_dict(before)
    assert found.tobytes() == expected.tobytes()
    assert found.tobytes() != scores.score().tobytes()


def test_rows_go_through_frozen_blocks_once(fitted, images, tmp_path):
    frozen = "frozen_blocks" in fitted.encoder
    for _ in range(2):  # two fits of one data set
        scores = EpochScores(fitted, as_rows(images[0]), maps_dir=tmp_path)
        assert scores.score().tobytes() == fitted.score(as_rows(images[0])).tobytes()
        scores.score(shift(fitted))
    assert len(list(tmp_path.iterdir())) == frozen
    other = replace(fitted, preparation=replace(fitted.preparation, mean=fitted.preparation.mean + 0.1))
    EpochScores(other, as_rows(images[0]), maps_dir=tmp_path).score()
    EpochScores(other, as_rows(images[0][:5]), maps_dir=tmp_path).score()
    assert len(list(tmp_path.iterdir())) == 3 * frozen


def test_equal_weights_score_once(fitted, images, monkeypatch):
    scores = EpochScores(fitted, as_rows(images[0]))
    first = scores.score()
    monkeypatch.setattr(EpochScores, "_compute", None)
    assert scores.score(fitted.scorer.algorithm.state_dict()) is first


def test_a_method_without_a_network_scores_as_it_does(images):
    model = AngularPUClassifier(encoder="linear", epochs=1, refit=False, validation="folds")
    x = images[0].reshape(len(images[0]), -1)[:, :20].astype(np.float32)
    fitted = model.fit(x, images[1]).fitted_
    assert np.array_equal(EpochScores(fitted, as_rows(x)).score(), fitted.score(as_rows(x)))
