import itertools
from typing import get_args

import pytest
import torch
from torch import Tensor, nn

from angularpu.errors import SettingError
from angularpu.nets.build import EncoderName, build

NAMES: tuple[EncoderName, ...] = get_args(EncoderName)
DROPPING = [name for name in NAMES if name != "linear"]
IMAGE = (3, 32, 32)


def images(n: int) -> Tensor:
    return torch.randn(n, *IMAGE, generator=torch.Generator().manual_seed(1))


@pytest.mark.parametrize("name", NAMES)
def test_every_encoder_maps_images_to_n_times_d_float32(name: EncoderName) -> None:
    encoder = build(name, IMAGE, d=17)
    embedded = encoder(images(3))
    assert encoder.d == 17
    assert embedded.shape == (3, 17)
    assert embedded.dtype == torch.float32


@pytest.mark.parametrize("name", ["linear", "mlp"])
def test_the_encoders_of_tables_take_columns(name: EncoderName) -> None:
    assert build(name, (9,), d=4)(torch.zeros(3, 9)).shape == (3, 4)


def test_the_defaults_are_128_wide_with_a_fifth_dropped() -> None:
    encoder = build("mlp", (9,))
    assert encoder.d == 128
    assert encoder.dropout.p == 0.2


@pytest.mark.parametrize("name", NAMES)
def test_a_seed_decides_every_weight(name: EncoderName) -> None:
    states = []
    for seed in (0, 0, 1):
        torch.manual_seed(seed)
        states.append(build(name, IMAGE).state_dict())
    assert all(torch.equal(states[0][key], states[1][key]) for key in states[0])
    assert not torch.equal(states[0]["embedding.weight"], states[2]["embedding.weight"])


@pytest.mark.parametrize("name", NAMES)
def test_every_parameter_gets_a_gradient(name: EncoderName) -> None:
    torch.manual_seed(0)
    encoder = build(name, IMAGE).train()
    encoder(images(4)).square().sum().backward()
    layers = list(encoder.modules())
    cancelled = {  # batch normalisation takes away whatever a bias before it adds
        id(layer.bias)
        for layer, after in itertools.pairwise(layers)
        if isinstance(layer, nn.Conv2d) and isinstance(after, nn.BatchNorm2d)
    }
    for key, parameter in encoder.named_parameters():
        assert parameter.grad is not None, key
        assert parameter.grad.isfinite().all(), key
        assert parameter.grad.any() or id(parameter) in cancelled, key


@pytest.mark.parametrize("name", NAMES)
def test_eval_mode_is_deterministic_and_ignores_the_rest_of_the_batch(name: EncoderName) -> None:
    encoder = build(name, IMAGE).eval()
    x = images(3)
    together = encoder(x)
    assert torch.equal(together, encoder(x))
    torch.testing.assert_close(encoder(x[1:2]), together[1:2], atol=1e-5, rtol=1e-4)


@pytest.mark.parametrize("name", DROPPING)
def test_dropout_stands_before_the_last_linear_layer_and_nowhere_else(name: EncoderName) -> None:
    encoder = build(name, IMAGE, dropout=0.5).train()
    *_, dropout, embedding = encoder
    assert isinstance(dropout, nn.Dropout)
    assert isinstance(embedding, nn.Linear)
    assert sum(isinstance(layer, nn.Dropout) for layer in encoder.modules()) == 1
    seen: list[Tensor] = []
    dropout.register_forward_hook(lambda _, inputs, output: seen.extend([inputs[0], output]))
    encoder(images(4))
    before, after = seen
    kept = after != 0
    assert torch.equal(after[kept], 2 * before[kept])
    assert 0.3 < kept[before != 0].float().mean() < 0.7


@pytest.mark.parametrize("name", DROPPING)
def test_without_dropout_training_mode_is_deterministic(name: EncoderName) -> None:
    encoder = build(name, IMAGE, dropout=0.0).train()
    assert torch.equal(encoder(images(4)), encoder(images(4)))


@pytest.mark.parametrize(
    ("name", "nearest"),
    [("vgg11", "vgg11_bn"), ("VGG16", "vgg16"), ("cnn", "cnn13"), ("mpl", "mlp"), ("Linear", "linear")],
)
def test_an_unknown_name_is_answered_with_the_nearest_one(name: str, nearest: str) -> None:
    with pytest.raises(
        SettingError, match=rf"one of linear, mlp, cnn13, vgg11_bn, vgg16, got '{name}'; did you mean '{nearest}'"
    ):
        build(name, IMAGE)


@pytest.mark.parametrize("name", ["cnn13", "vgg11_bn", "vgg16"])
def test_the_convolutional_encoders_refuse_rows_that_are_no_images(name: EncoderName) -> None:
    with pytest.raises(SettingError, match=rf"'{name}' needs images.*got rows of shape \(784,\); use 'mlp'"):
        build(name, (784,))


@pytest.mark.parametrize("shape", [(), (28, 28), (0,), (3, 0, 32), (2, 3, 32, 32)])
def test_a_shape_of_neither_kind_is_refused(shape: tuple[int, ...]) -> None:
    with pytest.raises(SettingError, match=r"\(columns,\) or \(channels, height, width\)"):
        build("mlp", shape)


@pytest.mark.parametrize("d", [0, -3])
def test_a_width_below_one_is_refused(d: int) -> None:
    with pytest.raises(SettingError, match=f"d must be a whole number of at least 1, got {d}"):
        build("mlp", (4,), d=d)


@pytest.mark.parametrize("dropout", [-0.1, 1.0, float("nan")])
def test_a_dropout_outside_its_range_is_refused(dropout: float) -> None:
    with pytest.raises(SettingError, match=r"dropout must lie in \[0, 1\), got"):
        build("mlp", (4,), dropout=dropout)
