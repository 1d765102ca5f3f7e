import torch
from torch import nn

from angularpu.nets.linear import LinearEncoder


def test_it_is_one_affine_map() -> None:
    encoder = LinearEncoder((4,), d=3)
    x = torch.randn(6, 4)
    torch.testing.assert_close(encoder(x), x @ encoder.embedding.weight.T + encoder.embedding.bias)
    assert sum(parameter.numel() for parameter in encoder.parameters()) == 4 * 3 + 3


def test_an_image_counts_as_its_pixels_in_order() -> None:
    image, flat = LinearEncoder((2, 3, 5), d=4), LinearEncoder((30,), d=4)
    image.embedding.load_state_dict(flat.embedding.state_dict())
    x = torch.randn(7, 2, 3, 5)
    torch.testing.assert_close(image(x), flat(x.reshape(7, 30)))


def test_it_has_no_dropout() -> None:
    encoder = LinearEncoder((50,), d=3).train()
    x = torch.randn(6, 50)
    assert not any(isinstance(layer, nn.Dropout) for layer in encoder.modules())
    assert torch.equal(encoder(x), encoder(x))
