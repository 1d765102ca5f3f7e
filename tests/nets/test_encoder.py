from collections import OrderedDict

import jaxtyping
import pytest
import torch
from torch import nn

from angularpu.errors import SettingError
from angularpu.nets.encoder import Encoder, check_image


def test_the_layers_are_applied_in_order() -> None:
    encoder = Encoder(OrderedDict(first=nn.Linear(3, 4), second=nn.ReLU(), third=nn.Linear(4, 2)), d=2)
    x = torch.randn(5, 3)
    by_hand = (x @ encoder.first.weight.T + encoder.first.bias).clamp(min=0) @ encoder.third.weight.T
    torch.testing.assert_close(encoder(x), by_hand + encoder.third.bias)


def test_the_output_is_not_normalised() -> None:
    encoder = Encoder(OrderedDict(same=nn.Identity()), d=2)
    assert encoder(torch.tensor([[3.0, 4.0]])).tolist() == [[3.0, 4.0]]


def test_an_output_of_another_width_than_d_is_caught_while_testing() -> None:
    encoder = Encoder(OrderedDict(embedding=nn.Linear(3, 4)), d=5)
    with pytest.raises(jaxtyping.TypeCheckError):
        encoder(torch.zeros(2, 3))


@pytest.mark.parametrize("shape", [(784,), (28, 28), (1, 3, 28, 28)])
def test_rows_that_are_no_images_are_named_with_their_shape(shape: tuple[int, ...]) -> None:
    with pytest.raises(SettingError, match=r"'cnn13' needs images.*got rows of shape \(.*use 'mlp'"):
        check_image(shape, encoder="cnn13")
