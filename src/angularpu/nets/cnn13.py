"""The 13-layer CNN of nnPU and the papers after it: nine convolutions, three full layers; the input counts as one."""

from collections import OrderedDict

from torch import nn

from angularpu.errors import SettingError
from angularpu.nets.encoder import Encoder, check_image

# (channels out, kernel, stride) of each convolution
_CONVOLUTIONS = (
    (96, 3, 1),
    (96, 3, 1),
    (96, 3, 2),
    (192, 3, 1),
    (192, 3, 1),
    (192, 3, 2),
    (192, 3, 1),
    (192, 1, 1),
    (10, 1, 1),
)
_FULL = 1000
_SMALLEST = 8


class CNN13(Encoder):
    """Encode an image by the 13-layer CNN, its one output replaced by d.

    Each convolution is followed by batch normalisation and ReLU. The convolutions have no bias of their own: batch
    normalisation subtracts the mean, and its shift takes the bias's place.

    Parameters
    ----------
    in_shape : tuple of int
        (channels, height, width), both sides at least 8 pixels; at 32 pixels the flattened layer has 640 units.
    d : int
        The width of f(x).
    dropout : float in [0, 1)
        The share of the last full layer's 1000 units dropped while training.

    Examples
    --------
    >>> import torch
    >>> CNN13((3, 32, 32), d=64)(torch.zeros(2, 3, 32, 32)).shape
    torch.Size([2, 64])
    """

    def __init__(self, in_shape: tuple[int, ...], *, d: int = 128, dropout: float = 0.2) -> None:
        check_image(in_shape, encoder="cnn13")
        channels, height, width = in_shape
        if min(height, width) < _SMALLEST:
            raise SettingError(
                f"encoder 'cnn13' needs images of at least {_SMALLEST} x {_SMALLEST} pixels, got {height} x {width}; "
                "use 'mlp' for smaller ones, and if channels come last, np.moveaxis(X, -1, 1)"
            )
        blocks: list[nn.Module] = []
        for filters, kernel, stride in _CONVOLUTIONS:
            blocks += [
                nn.Conv2d(channels, filters, kernel, stride=stride, padding=kernel // 2, bias=False),
                nn.BatchNorm2d(filters),
                nn.ReLU(inplace=True),
            ]
            channels, height, width = filters, -(-height // stride), -(-width // stride)
        layers: OrderedDict[str, nn.Module] = OrderedDict(
            features=nn.Sequential(*blocks),
            flatten=nn.Flatten(),
            full1=nn.Linear(channels * height * width, _FULL),
            relu1=nn.ReLU(),
            full2=nn.Linear(_FULL, _FULL),
            relu2=nn.ReLU(),
            dropout=nn.Dropout(dropout),
            embedding=nn.Linear(_FULL, d),
        )
        super().__init__(layers, d=d)
