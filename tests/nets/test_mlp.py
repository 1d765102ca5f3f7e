import pytest
import torch
from torch import nn

from angularpu.nets.mlp import MLP


def test_its_parameters_are_those_of_256_256_128() -> None:
    by_hand = (57 * 256 + 256) + (256 * 256 + 256) + (256 * 128 + 128)
    assert sum(parameter.numel() for parameter in MLP((57,)).parameters()) == by_hand == 113_536


def test_it_is_affine_maps_with_relu_between_and_none_at_the_end() -> None:
    encoder = MLP((5,), d=3, hidden=(4, 6)).eval()
    x = torch.randn(20, 5)
    weights = list(encoder.parameters())
    hidden = x
    for weight, bias in zip(weights[0:4:2], weights[1:4:2], strict=True):
        hidden = (hidden @ weight.T + bias).clamp(min=0)
    embedded = encoder(x)
    torch.testing.assert_close(embedded, hidden @ weights[4].T + weights[5])
    assert (embedded < 0).any()


@pytest.mark.parametrize("hidden", [(), (7,), (7, 8, 9)])
def test_the_hidden_widths_are_taken_as_given(hidden: tuple[int, ...]) -> None:
    encoder = MLP((5,), d=2, hidden=hidden)
    widths = [layer.out_features for layer in encoder if isinstance(layer, nn.Linear)]
    assert widths == [*hidden, 2]
    assert encoder(torch.zeros(3, 5)).shape == (3, 2)


def test_an_image_counts_as_its_pixels_in_order() -> None:
    image, flat = MLP((2, 3, 5)).eval(), MLP((30,)).eval()
    image.load_state_dict(flat.state_dict())
    x = torch.randn(7, 2, 3, 5)
    torch.testing.assert_close(image(x), flat(x.reshape(7, 30)))
