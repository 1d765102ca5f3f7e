"""VGG encoders whose convolutions have torchvision's names, so that its ImageNet weights fit."""

from collections import OrderedDict
from typing import Any, Literal

from jaxtyping import Float
from torch import Tensor, nn
from torch.nn import functional

from angularpu.checks import check_whole
from angularpu.errors import SettingError
from angularpu.nets.encoder import Encoder, check_image

VGGName = Literal["vgg11_bn", "vgg16"]

# channels of the convolutions between one pooling and the next
_BLOCKS: dict[VGGName, tuple[tuple[int, ...], ...]] = {
    "vgg11_bn": ((64,), (128,), (256, 256), (512, 512), (512, 512)),
    "vgg16": ((64, 64), (128, 128), (256, 256, 256), (512, 512, 512), (512, 512, 512)),
}
_SMALLEST = 32  # five poolings halve it to one pixel
_COUNT = 5


class VGG(Encoder):
    """Encode an image by the convolutions of a VGG, their mean over space, dropout and one linear layer.

    Images arrive standardised by the statistics of their own data set, not by ImageNet's mean and deviation, and are
    not rescaled here. Weights start from torch's defaults; `load_weights` puts torchvision's in their place.

    Parameters
    ----------
    architecture : {"vgg11_bn", "vgg16"}
        Which VGG; "_bn" has batch normalisation after every convolution.
    in_shape : tuple of int
        (channels, height, width) with one or three channels. One channel is repeated to three; a side of fewer than 32
        pixels is stretched to 32.
    d : int
        The width of f(x).
    dropout : float in [0, 1)
        The share of the 512 pooled channels dropped while training.

    Examples
    --------
    >>> import torch
    >>> VGG("vgg11_bn", (1, 28, 28), d=64)(torch.zeros(2, 1, 28, 28)).shape
    torch.Size([2, 64])
    """

    architecture: VGGName

    def __init__(self, architecture: VGGName, in_shape: tuple[int, ...], *, d: int = 128, dropout: float = 0.2) -> None:
        check_image(in_shape, encoder=architecture)
        if in_shape[0] not in {1, 3}:
            raise SettingError(
                f"encoder {architecture!r} takes images of one or three channels, got {in_shape[0]}; "
                "keep three of them, or use 'cnn13'"
            )
        blocks = _BLOCKS[architecture]
        layers: OrderedDict[str, nn.Module] = OrderedDict(
            entry=_Entry(),
            features=_convolutions(blocks, batch_norm=architecture.endswith("_bn")),
            pool=nn.AdaptiveAvgPool2d(1),
            flatten=nn.Flatten(),
            dropout=nn.Dropout(dropout),
            embedding=nn.Linear(blocks[-1][-1], d),
        )
        super().__init__(layers, d=d)
        self.architecture = architecture

    def cut(self, blocks: int) -> tuple[nn.Sequential, Encoder]:
        """Cut the network behind some of its blocks: what turns images into maps, and what encodes those maps.

        Both parts share their layers, and the layers' names, with the whole network.

        Parameters
        ----------
        blocks : int
            How many of the five blocks, each up to its pooling, belong to the first part; from 1 to 5.

        Examples
        --------
        >>> import torch
        >>> stem, tail = VGG("vgg16", (3, 32, 32), d=8).cut(3)
        >>> stem(torch.zeros(2, 3, 32, 32)).shape, tail(torch.zeros(2, 256, 4, 4)).shape
        (torch.Size([2, 256, 4, 4]), torch.Size([2, 8]))
        """
        features: nn.Sequential = self.get_submodule("features")  # type: ignore[assignment]
        ends = [place + 1 for place, layer in enumerate(features) if isinstance(layer, nn.MaxPool2d)]
        check_blocks(blocks)
        stem = nn.Sequential(OrderedDict(entry=self.get_submodule("entry"), features=features[: ends[blocks - 1]]))
        rest = {name: layer for name, layer in self.named_children() if name not in {"entry", "features"}}
        return stem, Encoder(OrderedDict(features=features[ends[blocks - 1] :], **rest), d=self.d)


def check_blocks(blocks: Any) -> int:
    """Return how many blocks of a VGG are meant, if it has as many.

    >>> check_blocks(3)
    3
    """
    if check_whole("frozen_blocks", blocks, low=1) > _COUNT:
        raise SettingError(f"frozen_blocks must be at most {_COUNT}, the blocks of a VGG, got {blocks}")
    return int(blocks)


class _Entry(nn.Module):
    """Turn any image into one of at least 32 x 32 pixels and three channels."""

    def forward(self, x: Float[Tensor, "n channels height width"]) -> Float[Tensor, "n 3 taller wider"]:
        height, width = x.shape[-2:]
        if min(height, width) < _SMALLEST:
            size = (max(height, _SMALLEST), max(width, _SMALLEST))
            x = functional.interpolate(x, size, mode="bilinear", align_corners=False)
        return x.expand(-1, 3, -1, -1)


def _convolutions(blocks: tuple[tuple[int, ...], ...], *, batch_norm: bool) -> nn.Sequential:
    """Order the layers so that their numbers are torchvision's."""
    layers: list[nn.Module] = []
    channels = 3
    for block in blocks:
        for filters in block:
            layers.append(nn.Conv2d(channels, filters, 3, padding=1))
            if batch_norm:
                layers.append(nn.BatchNorm2d(filters))
            layers.append(nn.ReLU(inplace=True))
            channels = filters
        layers.append(nn.MaxPool2d(2))
    return nn.Sequential(*layers)
