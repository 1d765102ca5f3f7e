from pathlib import Path

import numpy as np
import pytest
import torch
from numpy.typing import NDArray
from safetensors.torch import load_file, save_file
from torch import Tensor, nn
from torch.nn import functional

from angularpu.errors import DataError, ModelError, SettingError
from angularpu.nets.vgg import VGG, VGGName
from angularpu_bench.catalogue.backbone import Backbone, extract_features, load_backbone

# the convolutions of every block, by torchvision's numbers
NUMBERS = {
    "vgg11_bn": ((0,), (4,), (8, 11), (15, 18), (22, 25)),
    "vgg16": ((0, 2), (5, 7), (10, 12, 14), (17, 19, 21), (24, 26, 28)),
}


def write_weights(name: VGGName, path: Path) -> Path:
    """Random weights under which images do not fade away, as torch's defaults would let them."""
    with torch.random.fork_rng():
        torch.manual_seed(0)
        layers = VGG(name, (3, 32, 32)).get_submodule("features")
        for layer in layers.children():
            if isinstance(layer, nn.Conv2d):
                nn.init.kaiming_normal_(layer.weight, nonlinearity="relu")
            if isinstance(layer, nn.BatchNorm2d):
                layer.running_mean.normal_()
                layer.running_var.uniform_(0.5, 2)
    save_file({f"features.{name}": tensor for name, tensor in layers.state_dict().items()}, path)
    return path


@pytest.fixture(scope="module")
def weights(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    folder = tmp_path_factory.mktemp("weights")
    names: tuple[VGGName, ...] = ("vgg11_bn", "vgg16")
    return {name: write_weights(name, folder / f"{name}.safetensors") for name in names}


@pytest.fixture(scope="module")
def vgg11_bn(weights: dict[str, Path]) -> Backbone:
    return load_backbone("vgg11_bn", weights["vgg11_bn"])


def draw_images(*shape: int, seed: int = 0) -> NDArray[np.uint8]:
    return np.random.default_rng(seed).integers(0, 256, shape, np.uint8)


def write_out(name: str, path: Path, x: Tensor) -> NDArray[np.float32]:
    """The same features in torch's plainest words: one layer after another, channels first, all images at once."""
    tensors, means = load_file(path), []
    x = (x / 255 - torch.tensor([0.485, 0.456, 0.406])[:, None, None]) / torch.tensor([0.229, 0.224, 0.225])[
        :, None, None
    ]
    for block in NUMBERS[name]:
        for number in block:
            x = functional.conv2d(
                x, tensors[f"features.{number}.weight"], tensors[f"features.{number}.bias"], padding=1
            )
            if name == "vgg11_bn":
                mean, var, weight, bias = (
                    tensors[f"features.{number + 1}.{part}"]
                    for part in ("running_mean", "running_var", "weight", "bias")
                )
                x = functional.batch_norm(x, mean, var, weight, bias)
            x = x.clamp(min=0)
        means.append(x.flatten(2).mean(2))
        x = functional.max_pool2d(x, 2)
    return torch.cat(means[2:], 1).numpy()


def assert_close(ours: NDArray[np.float32], expected: NDArray[np.float32]) -> None:
    assert ours.dtype == np.float32
    assert expected.std(0).mean() > 0.01  # or nothing would be compared
    np.testing.assert_allclose(ours, expected, rtol=1e-4, atol=1e-4 * np.abs(expected).max())


@pytest.mark.parametrize("name", ["vgg11_bn", "vgg16"])
def test_features_equal_the_forward_pass_written_out(name: str, weights: dict[str, Path]) -> None:
    images = draw_images(3, 3, 32, 32)
    features = extract_features(images, load_backbone(name, weights[name]))
    assert features.shape == (3, 1280)
    assert_close(features, write_out(name, weights[name], torch.from_numpy(images).float()))


@pytest.mark.parametrize(
    ("shape", "input_size", "entered"),
    [
        ((28, 28), None, (32, 32)),
        ((40, 33), None, (40, 33)),
        ((20, 30), None, (32, 48)),
        ((32, 32), 48, (48, 48)),
        ((80, 64), 32, (40, 32)),
    ],
)
def test_the_shorter_side_gets_the_input_size(
    shape: tuple[int, int], input_size: int | None, entered: tuple[int, int], weights: dict[str, Path]
) -> None:
    images = draw_images(2, 3, *shape)
    backbone = load_backbone("vgg11_bn", weights["vgg11_bn"], input_size=input_size)
    assert backbone.find_size(images) == entered
    resized = functional.interpolate(torch.from_numpy(images).float(), entered, mode="bilinear", antialias=True)
    assert_close(extract_features(images, backbone), write_out("vgg11_bn", weights["vgg11_bn"], resized))


def test_a_grey_image_is_one_of_three_equal_channels(vgg11_bn: Backbone) -> None:
    images = draw_images(2, 1, 32, 32)
    assert_close(extract_features(images, vgg11_bn), extract_features(images.repeat(3, axis=1), vgg11_bn))


def test_the_chosen_blocks_stand_side_by_side(weights: dict[str, Path], vgg11_bn: Backbone) -> None:
    images = draw_images(2, 3, 32, 32)
    two = load_backbone("vgg11_bn", weights["vgg11_bn"], blocks=(1, 3))
    features = extract_features(images, two)
    assert features.shape == (2, two.width) == (2, 64 + 256)
    assert len(two.stages) == 3  # what lies behind the last block is not computed
    assert_close(features[:, 64:], extract_features(images, vgg11_bn)[:, :256])


def test_batches_leave_no_mark(vgg11_bn: Backbone, monkeypatch: pytest.MonkeyPatch) -> None:
    images, told = draw_images(7, 3, 32, 32), []
    whole = extract_features(images, vgg11_bn)
    monkeypatch.setattr("angularpu_bench.catalogue.backbone.BATCH_PIXELS", 3 * 32 * 32)
    pieces = extract_features(images, vgg11_bn, report=lambda *report: told.append(report))
    assert_close(pieces, whole)
    assert told == [(3, 7, "images embedded"), (6, 7, "images embedded"), (7, 7, "images embedded")]


def test_images_may_lie_on_disk_and_are_left_as_they_are(tmp_path: Path, vgg11_bn: Backbone) -> None:
    images = draw_images(2, 3, 32, 32)
    np.save(tmp_path / "images.npy", images)
    mapped = np.load(tmp_path / "images.npy", mmap_mode="r")
    assert np.array_equal(extract_features(mapped, vgg11_bn), extract_features(images, vgg11_bn))
    assert np.array_equal(images, draw_images(2, 3, 32, 32))


def test_larger_images_enter_in_smaller_batches(vgg11_bn: Backbone) -> None:
    counts = [vgg11_bn.count_batch(np.zeros((1, 3, side, side), np.uint8)) for side in (28, 32, 64, 4096)]
    assert counts == [64, 64, 16, 1]


def test_loading_draws_no_random_numbers_and_leaves_nothing_to_train(weights: dict[str, Path]) -> None:
    before = torch.get_rng_state()
    backbone = load_backbone("vgg11_bn", weights["vgg11_bn"])
    assert torch.equal(torch.get_rng_state(), before)
    assert not any(parameter.requires_grad for parameter in backbone.stages.parameters())
    assert not any(module.training for module in backbone.stages.modules())


@pytest.mark.parametrize(
    "images",
    [
        np.zeros((2, 3, 32, 32), np.float32),
        np.zeros((2, 32, 32), np.uint8),
        np.zeros((2, 32, 32, 3), np.uint8),
        np.zeros((0, 3, 32, 32), np.uint8),
    ],
)
def test_what_is_no_image_is_refused(images: NDArray[np.generic], vgg11_bn: Backbone) -> None:
    with pytest.raises(DataError, match=r"takes uint8 images of shape \(n, channels, height, width\)"):
        extract_features(images, vgg11_bn)


@pytest.mark.parametrize(
    ("name", "options", "message"),
    [
        ("resnet18", {}, "backbone must be one of vgg11_bn, vgg16, got 'resnet18'"),
        ("vgg16", {"input_size": 31}, "at least 32 pixels, got 31"),
        ("vgg16", {"blocks": ()}, "blocks must be some of 1, 2, 3, 4, 5"),
        ("vgg16", {"blocks": (5, 3)}, "in this order"),
        ("vgg16", {"blocks": (3, 6)}, "blocks must be some of"),
    ],
)
def test_settings_out_of_range_are_refused(name: str, options: dict, message: str, tmp_path: Path) -> None:
    with pytest.raises(SettingError, match=message):
        load_backbone(name, tmp_path / "never_read.safetensors", **options)


def test_the_weights_of_another_network_are_refused(weights: dict[str, Path]) -> None:
    with pytest.raises(ModelError, match="does not fit encoder 'vgg16'"):
        load_backbone("vgg16", weights["vgg11_bn"])
