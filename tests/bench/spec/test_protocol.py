import numpy as np
import pytest
import torch
from safetensors.torch import save_file

from angularpu.errors import DataError
from angularpu.nets.vgg import VGG
from angularpu_bench.catalogue.dataset import Dataset
from angularpu_bench.run.experiment import check_options
from angularpu_bench.run.rows import Places, _embed
from angularpu_bench.run.trial import make_method
from angularpu_bench.spec import protocol

TORCHVISION = {"vgg16": "vgg16-397923af.pth", "vgg11_bn": "vgg11_bn-6002323d.pth"}
CONVERTED = {name: f"{name}_imagenet_features.safetensors" for name in TORCHVISION}


def touch(folder, *names):
    for name in names:
        (folder / name).touch()
    return folder


@pytest.mark.parametrize("backbone", TORCHVISION)
@pytest.mark.parametrize("names", [TORCHVISION, CONVERTED])
def test_weights_are_found_under_either_name(tmp_path, backbone, names):
    assert protocol.find_weights(backbone, touch(tmp_path, *names.values())) == tmp_path / names[backbone]


@pytest.mark.parametrize("backbone", TORCHVISION)
def test_of_two_weight_files_the_converted_one_is_read(tmp_path, backbone):
    touch(tmp_path, TORCHVISION[backbone], CONVERTED[backbone])
    assert protocol.find_weights(backbone, tmp_path) == tmp_path / CONVERTED[backbone]


@pytest.mark.parametrize("backbone", TORCHVISION)
def test_missing_weights_are_told_with_every_name_and_where_to_get_them(tmp_path, backbone):
    (tmp_path / TORCHVISION[backbone]).mkdir()
    with pytest.raises(DataError) as caught:
        protocol.find_weights(backbone, tmp_path)
    said = str(caught.value)
    assert f"{tmp_path} has neither {CONVERTED[backbone]} nor {TORCHVISION[backbone]}" in said
    assert f"download https://download.pytorch.org/models/{TORCHVISION[backbone]}" in said
    assert "docs/datasets.md" in said


@pytest.fixture
def images():
    x = np.random.default_rng(0).integers(0, 256, (4, 3, 32, 32), np.uint8)
    return Dataset("toy", "image", x, np.array([0, 1, 0, 1]), x[:2], np.array([0, 1]), positives=frozenset({1}))


def test_torchvisions_checkpoint_gives_the_features_of_the_converted_file(images, tmp_path):
    convolutions = VGG("vgg16", (3, 32, 32)).features.state_dict()
    tensors = {f"features.{name}": tensor for name, tensor in convolutions.items()}
    official, converted = tmp_path / "official", tmp_path / "converted"
    for folder in (official, converted):
        folder.mkdir()
    torch.save({**tensors, "classifier.0.weight": torch.zeros(2, 2)}, official / TORCHVISION["vgg16"])
    save_file(tensors, converted / CONVERTED["vgg16"])
    made = [
        _embed(images, backbone="vgg16", input_size=None, data=folder, cache=tmp_path / "cache")
        for folder in (official, converted)
    ]
    assert made[0].x_train.shape == (4, 1280)
    assert np.array_equal(made[0].x_train, made[1].x_train)
    assert np.array_equal(made[0].x_test, made[1].x_test)


def test_frozen_features_without_weights_are_refused(images, tmp_path):
    with pytest.raises(DataError, match="vgg16-397923af"):
        _embed(images, backbone="vgg16", input_size=None, data=tmp_path, cache=tmp_path)


@pytest.fixture
def finetuned(make_cells):
    (cell,) = make_cells(datasets=[{"name": "cifar10", "track": "finetune"}], budget={"epochs": 1})
    return cell


@pytest.mark.parametrize("name", [TORCHVISION["vgg16"], CONVERTED["vgg16"]])
def test_a_cell_that_is_finetuned_starts_from_the_weights_that_are_there(finetuned, tmp_path, name):
    method = make_method(finetuned, prior="bbe", data=touch(tmp_path, name))
    assert method.encoder.weights == str(tmp_path / name)
    assert "weights" not in finetuned.options, "the name is no part of a cell, nor of its hash"


@pytest.mark.parametrize("blocks", [0, 3])
def test_cells_share_the_maps_behind_their_frozen_blocks(make_cells, tmp_path, blocks):
    budget = {"epochs": 1, "frozen_blocks": blocks} if blocks else {"epochs": 1}
    (cell,) = make_cells(datasets=[{"name": "cifar10", "track": "finetune"}], budget=budget)
    data, cache = touch(tmp_path, TORCHVISION["vgg16"]), tmp_path / "cache"
    method = make_method(cell, prior="bbe", data=data, cache=cache)
    assert method.encoder.maps_dir == (str(cache) if blocks else None)
    assert method.encoder.fingerprint() == make_method(cell, prior="bbe", data=data).encoder.fingerprint()


def test_finetuning_without_weights_is_refused_before_any_cell_is_run(finetuned, tmp_path):
    with pytest.raises(DataError, match="vgg16-397923af"):
        check_options([finetuned], Places(tmp_path, tmp_path / "runs"))
