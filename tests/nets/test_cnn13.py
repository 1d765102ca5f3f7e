import pytest
import torch
from torch import nn
from torch.nn import functional

from angularpu.errors import SettingError
from angularpu.nets.cnn13 import CNN13


def test_its_parameters_are_counted_by_hand_at_32_pixels() -> None:
    wide = 3 * 96 * 9 + 2 * (96 * 96 * 9) + 96 * 192 * 9 + 3 * (192 * 192 * 9)
    narrow = 192 * 192 + 192 * 10
    batch_norm = 2 * (3 * 96 + 5 * 192 + 10)
    full = (640 * 1000 + 1000) + (1000 * 1000 + 1000) + (1000 * 128 + 128)
    by_hand = wide + narrow + batch_norm + full
    assert sum(parameter.numel() for parameter in CNN13((3, 32, 32)).parameters()) == by_hand == 3_141_124


def test_it_is_nine_convolutions_and_three_full_layers() -> None:
    encoder = CNN13((3, 32, 32))
    convolutions = [layer for layer in encoder.modules() if isinstance(layer, nn.Conv2d)]
    assert [layer.out_channels for layer in convolutions] == [96, 96, 96, 192, 192, 192, 192, 192, 10]
    assert [layer.kernel_size[0] for layer in convolutions] == [3] * 7 + [1] * 2
    assert [layer.stride[0] for layer in convolutions] == [1, 1, 2, 1, 1, 2, 1, 1, 1]
    full = [(layer.in_features, layer.out_features) for layer in encoder.modules() if isinstance(layer, nn.Linear)]
    assert full == [(640, 1000), (1000, 1000), (1000, 128)]


def test_it_equals_its_statement_written_with_functions() -> None:
    torch.manual_seed(0)
    encoder = CNN13((3, 12, 9), d=7, dropout=0.0).train()
    x = torch.randn(4, 3, 12, 9)
    state = dict(encoder.named_parameters())
    image = x
    for number, stride in enumerate([1, 1, 2, 1, 1, 2, 1, 1, 1]):
        weight = state[f"features.{3 * number}.weight"]
        image = functional.conv2d(image, weight, stride=stride, padding=(weight.shape[-1] - 1) // 2)
        mean, variance = image.mean((0, 2, 3), keepdim=True), image.var((0, 2, 3), keepdim=True, correction=0)
        image = functional.relu((image - mean) / (variance + 1e-5).sqrt())
    vector = image.flatten(1)
    for name in ("full1", "full2"):
        vector = functional.relu(vector @ state[f"{name}.weight"].T + state[f"{name}.bias"])
    by_hand = vector @ state["embedding.weight"].T + state["embedding.bias"]
    torch.testing.assert_close(encoder(x), by_hand, atol=1e-4, rtol=1e-4)


@pytest.mark.parametrize(("side", "flattened"), [(8, 40), (9, 90), (28, 490), (32, 640), (33, 810)])
def test_the_flattened_width_follows_the_image_size(side: int, flattened: int) -> None:
    encoder = CNN13((1, side, side), d=3)
    assert encoder.full1.in_features == flattened
    assert encoder(torch.zeros(2, 1, side, side)).shape == (2, 3)


def test_an_image_below_8_pixels_is_refused() -> None:
    with pytest.raises(SettingError, match=r"at least 8 x 8 pixels, got 32 x 7; use 'mlp'"):
        CNN13((3, 32, 7))


def test_one_image_in_training_mode_is_normalised_over_its_own_pixels() -> None:
    assert CNN13((3, 8, 8)).train()(torch.randn(1, 3, 8, 8)).isfinite().all()
