"""The linear encoder: the simplest one, and the slowest to memorise its rows."""

import math
from collections import OrderedDict

from torch import nn

from angularpu.nets.encoder import Encoder


class LinearEncoder(Encoder):
    """Encode a row by one affine map, f(x) = W x + b.

    There is no dropout: the only layer reads the row itself, and dropping columns of the data would be another method.

    Parameters
    ----------
    in_shape : tuple of int
        The shape of one row; images are flattened.
    d : int
        The width of f(x).

    Examples
    --------
    >>> import torch
    >>> LinearEncoder((1, 28, 28), d=16)(torch.zeros(4, 1, 28, 28)).shape
    torch.Size([4, 16])
    """

    def __init__(self, in_shape: tuple[int, ...], *, d: int) -> None:
        layers: OrderedDict[str, nn.Module] = OrderedDict()
        if len(in_shape) > 1:
            layers["flatten"] = nn.Flatten()
        layers["embedding"] = nn.Linear(math.prod(in_shape), d)
        super().__init__(layers, d=d)
