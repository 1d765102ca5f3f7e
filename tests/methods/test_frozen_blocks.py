"""A VGG that keeps its first blocks: they stay as the file has them, and scores are those of the whole network."""

import shutil
from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import pytest
import torch
from safetensors.torch import save_file

from angularpu import AngularPUClassifier, load
from angularpu.data.sources import as_rows
from angularpu.errors import DataError, SettingError
from angularpu.nets.vgg import VGG
from angularpu.train.prepared_maps import name_maps, prepare_maps


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
        ({"encoder": "vgg16", "maps_dir": "maps"}, "pass frozen_blocks= as well"),
        ({"encoder": "vgg16", "frozen_blocks": 6, "weights": "w.safetensors"}, "at most 5, the blocks of a VGG, got 6"),
        ({"encoder": "vgg16", "frozen_blocks": 1.5, "weights": "w.safetensors"}, "whole number of at least 1, got 1.5"),
    ],
)
def test_blocks_that_cannot_be_frozen_are_refused(images, options, reason):
    with pytest.raises(SettingError, match=reason):
        AngularPUClassifier(**options).fit(*images)


@pytest.fixture(scope="module")
def kept(weights, images, tmp_path_factory):
    """Two fits with one directory for maps, the second with another seed."""
    directory = tmp_path_factory.mktemp("maps") / "new" / "maps"
    settings = {"encoder": "vgg11_bn", "weights": str(weights[0]), "d": 8, "epochs": 1, "batch_size": 32}
    fits = {"selection": "last", "validation": "folds", "refit": True}
    models = []
    for seed in range(2):
        model = AngularPUClassifier(**settings, **fits, frozen_blocks=3, maps_dir=str(directory), random_state=seed)
        models.append(model.fit(*images))
        models[-1].written = [(path.name, path.stat().st_mtime_ns) for path in directory.iterdir()]
    return models


def test_maps_are_computed_once_for_all_fits_of_the_same_rows(kept):
    first, second = kept
    assert len(first.written) == 1
    assert second.written == first.written


def test_kept_maps_change_nothing(kept, fitted, images, tmp_path):
    assert np.array_equal(kept[0].score_samples(images[0]), fitted.score_samples(images[0]))
    for name, model in (("with", kept[0]), ("without", fitted)):
        model.save(tmp_path / name)
    assert (tmp_path / "with" / "model.json").read_bytes() == (tmp_path / "without" / "model.json").read_bytes()


def test_each_kind_of_rows_preparation_and_blocks_has_maps_of_its_own(fitted, images, tmp_path):
    preparation = fitted.fitted_.preparation
    others = [
        (images[0], preparation, 3),
        (images[0][::-1].copy(), preparation, 3),
        (images[0], replace(preparation, mean=preparation.mean + 0.1), 3),
        (images[0], preparation, 2),
    ]
    for x, own, blocks in others * 2:
        stem = fitted.fitted_.scorer.algorithm.encoder.cut(blocks)[0]
        rows = as_rows(x)
        maps = prepare_maps(rows, own, stem, directory=tmp_path).gather(torch.arange(len(x)))
        assert torch.equal(maps, prepare_maps(rows, own, stem).gather(torch.arange(len(x))))
    assert len(list(tmp_path.iterdir())) == len(others)


def test_a_file_of_maps_that_is_damaged_or_has_no_room_is_refused(fitted, images, tmp_path, monkeypatch):
    rows, preparation = as_rows(images[0]), fitted.fitted_.preparation
    stem = fitted.fitted_.scorer.algorithm.encoder.cut(3)[0]
    path = tmp_path / name_maps(rows, preparation, stem)
    np.save(path, np.zeros((70, 3)))
    with pytest.raises(DataError, match=r"holds float64 of shape \(70, 3\), not float32 of .* remove it"):
        prepare_maps(rows, preparation, stem, directory=tmp_path)
    path.write_bytes(b"no maps")
    with pytest.raises(DataError, match="cannot be read as maps"):
        prepare_maps(rows, preparation, stem, directory=tmp_path)
    path.unlink()
    monkeypatch.setattr(shutil, "disk_usage", lambda _: SimpleNamespace(free=1000))
    with pytest.raises(DataError, match="GiB left; make room, or leave maps_dir out"):
        prepare_maps(rows, preparation, stem, directory=tmp_path)
    assert not list(tmp_path.iterdir())
