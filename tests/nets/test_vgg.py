import pytest
import torch
from torch import nn
from torch.nn import functional

from angularpu.errors import SettingError
from angularpu.nets.vgg import VGG, VGGName

# torchvision's layer numbers and channels (in, out) of each convolution
CONVOLUTIONS: dict[VGGName, dict[int, tuple[int, int]]] = {
    "vgg11_bn": {
        0: (3, 64),
        4: (64, 128),
        8: (128, 256),
        11: (256, 256),
        15: (256, 512),
        18: (512, 512),
        22: (512, 512),
        25: (512, 512),
    },
    "vgg16": {
        0: (3, 64),
        2: (64, 64),
        5: (64, 128),
        7: (128, 128),
        10: (128, 256),
        12: (256, 256),
        14: (256, 256),
        17: (256, 512),
        19: (512, 512),
        21: (512, 512),
        24: (512, 512),
        26: (512, 512),
        28: (512, 512),
    },
}
POOLED_AFTER = {"vgg11_bn": {0, 4, 11, 18, 25}, "vgg16": {2, 7, 14, 21, 28}}


def torchvision_shapes(architecture: VGGName) -> dict[str, tuple[int, ...]]:
    shapes: dict[str, tuple[int, ...]] = {}
    for number, (before, after) in CONVOLUTIONS[architecture].items():
        shapes |= {f"features.{number}.weight": (after, before, 3, 3), f"features.{number}.bias": (after,)}
        if architecture == "vgg11_bn":
            for name in ("weight", "bias", "running_mean", "running_var"):
                shapes[f"features.{number + 1}.{name}"] = (after,)
            shapes[f"features.{number + 1}.num_batches_tracked"] = ()
    return shapes


@pytest.mark.parametrize("architecture", ["vgg11_bn", "vgg16"])
def test_the_convolutional_names_and_shapes_are_torchvisions(architecture: VGGName) -> None:
    state = VGG(architecture, (3, 32, 32)).state_dict()
    shapes = {name: tuple(tensor.shape) for name, tensor in state.items() if name.startswith("features.")}
    assert shapes == torchvision_shapes(architecture)
    assert state.keys() - shapes.keys() == {"embedding.weight", "embedding.bias"}


@pytest.mark.parametrize("architecture", ["vgg11_bn", "vgg16"])
def test_it_equals_its_statement_written_with_functions(architecture: VGGName) -> None:
    torch.manual_seed(0)
    encoder = VGG(architecture, (3, 64, 97), d=5).eval()
    for layer in encoder.features:
        if isinstance(layer, nn.Conv2d):  # torch's defaults let the image fade away before the last layer
            nn.init.kaiming_normal_(layer.weight, nonlinearity="relu")
    x = torch.randn(2, 3, 64, 97)
    state = encoder.state_dict()
    image = x
    for number in CONVOLUTIONS[architecture]:
        weight, bias = state[f"features.{number}.weight"], state[f"features.{number}.bias"]
        image = functional.conv2d(image, weight, bias, padding=1)
        if architecture == "vgg11_bn":
            image = image / (1 + 1e-5) ** 0.5  # what fresh running statistics (mean 0, variance 1) amount to
        image = functional.relu(image)
        if number in POOLED_AFTER[architecture]:
            image = functional.max_pool2d(image, 2)
    by_hand = image.mean((2, 3)) @ state["embedding.weight"].T + state["embedding.bias"]
    torch.testing.assert_close(encoder(x), by_hand, atol=1e-4, rtol=1e-4)
    assert by_hand.std(0).mean() > 0.01


@pytest.mark.parametrize(("height", "width"), [(32, 32), (96, 64), (28, 28), (8, 40)])
def test_images_of_any_size_are_taken(height: int, width: int) -> None:
    encoder = VGG("vgg11_bn", (3, height, width), d=5).eval()
    assert encoder(torch.randn(2, 3, height, width)).shape == (2, 5)


def test_a_small_image_is_stretched_to_32_pixels_bilinearly() -> None:
    encoder = VGG("vgg11_bn", (3, 28, 28), d=5).eval()
    x = torch.randn(2, 3, 28, 28)
    stretched = functional.interpolate(x, (32, 32), mode="bilinear", align_corners=False)
    assert torch.equal(encoder(x), encoder(stretched))
    assert not torch.equal(encoder(x), encoder(x.repeat(1, 1, 2, 2)))


def test_only_the_short_side_is_stretched() -> None:
    entry = VGG("vgg11_bn", (3, 28, 48), d=5).entry
    assert entry(torch.zeros(1, 3, 28, 48)).shape == (1, 3, 32, 48)


def test_a_grey_image_is_one_of_three_equal_channels() -> None:
    encoder = VGG("vgg11_bn", (1, 32, 32), d=5).eval()
    x = torch.randn(2, 1, 32, 32)
    assert torch.equal(encoder(x), encoder(x.repeat(1, 3, 1, 1)))


def test_three_channels_of_32_pixels_enter_as_they_are() -> None:
    x = torch.randn(2, 3, 32, 32)
    assert torch.equal(VGG("vgg11_bn", (3, 32, 32)).entry(x), x)


@pytest.mark.parametrize("channels", [2, 4])
def test_other_channel_counts_are_refused(channels: int) -> None:
    with pytest.raises(SettingError, match=rf"one or three channels, got {channels}; keep three"):
        VGG("vgg16", (channels, 32, 32))
