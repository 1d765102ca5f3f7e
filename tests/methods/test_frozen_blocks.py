"""A VGG that keeps its first blocks: they stay as the file has them, and scores are those of the whole network."""

import numpy as np
import pytest
from safetensors.torch import save_file

from angularpu import AngularPUClassifier, load
from angularpu.errors import SettingError
from angularpu.nets.vgg import VGG


@pytest.fixture(scope="module")
def weights(tmp_path_factory):
    path = tmp_path_factory.mktemp("weights") / "vgg11_bn.safetensors"
    tensors = VGG("vgg11_bn", (3, 32, 32)).get_submodule("features").state_dict()
    save_file({f"features.{name}": tensor for name, tensor in tensors.items()}, path)
    return path, tensors


@pytest.fixture(scope="module")
def images():
    rng = np.random.default_rng(0)
    x = rng.integers(0, 256, (70, 3, 32, 32), dtype=np.uint8)
    x[:40, 0] //= 2
    return x, (np.arange(70) < 20).astype(int)


@pytest.fixture(scope="module")
def fitted(weights, images):
    settings = {"encoder": "vgg11_bn", "weights": str(weights[0]), "d": 8, "epochs": 1, "batch_size": 32}
    return AngularPUClassifier(**settings, frozen_blocks=3, selection="last", validation="folds", refit=True).fit(
        *images
    )


def test_frozen_blocks_stay_and_the_others_are_trained(fitted, weights):
    learnt = fitted.fitted_.scorer.arrays()
    same = [np.array_equal(learnt[f"encoder.features.{name}"], tensor) for name, tensor in weights[1].items()]
    places = [int(name.split(".")[0]) for name in weights[1]]
    assert all(equal for equal, place in zip(same, places, strict=True) if place < 15)  # the fourth block begins there
    assert not any(
        equal for equal, place, name in zip(same, places, weights[1], strict=True) if place >= 15 and "weight" in name
    )


def test_scores_of_maps_are_those_of_images(weights, images):
    settings = {"encoder": "vgg11_bn", "weights": str(weights[0]), "d": 8, "epochs": 1, "batch_size": 32}
    x, s = (np.concatenate([part] * 6) for part in images)
    model = AngularPUClassifier(**settings, frozen_blocks=4, selection="last", validation="hold-out").fit(x, s)
    pos, unl = model.fitted_.held_rows
    score = model.score_samples(x)
    assert np.array_equal(score[pos], model.fitted_.held.score_pos)
    assert np.array_equal(score[unl], model.fitted_.held.score_unl)


def test_a_saved_model_holds_the_whole_network(fitted, images, tmp_path):
    fitted.save(tmp_path / "model")
    assert np.array_equal(load(tmp_path / "model").score_samples(images[0]), fitted.score_samples(images[0]))


@pytest.mark.parametrize(
    ("options", "reason"),
    [
        ({"encoder": "vgg16", "frozen_blocks": 3}, "pass weights= as well"),
        ({"encoder": "vgg16", "frozen_blocks": 6, "weights": "w.safetensors"}, "at most 5, the blocks of a VGG, got 6"),
        ({"encoder": "vgg16", "frozen_blocks": 1.5, "weights": "w.safetensors"}, "whole number of at least 1, got 1.5"),
    ],
)
def test_blocks_that_cannot_be_frozen_are_refused(images, options, reason):
    with pytest.raises(SettingError, match=reason):
        AngularPUClassifier(**options).fit(*images)
