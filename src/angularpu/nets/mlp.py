"""The multi-layer perceptron: for tables, text and features that another network has made."""

import math
from collections import OrderedDict

from torch import nn

from angularpu.nets.encoder import Encoder


class MLP(Encoder):
    """Encode a row by fully connected layers: hidden ones with ReLU, then dropout and the embedding.

    With the defaults this is the "MLP 256-256-128".

    Parameters
    ----------
    in_shape : tuple of int
        The shape of one row; images are flattened.
    d : int
        The width of f(x).
    dropout : float in [0, 1)
        The share of the last hidden layer's units dropped while training.
    hidden : tuple of int
        The widths of the hidden layers.

    Examples
    --------
    >>> import torch
    >>> MLP((57,))(torch.zeros(4, 57)).shape
    torch.Size([4, 128])
    """

    def __init__(
        self, in_shape: tuple[int, ...], *, d: int = 128, dropout: float = 0.2, hidden: tuple[int, ...] = (256, 256)
    ) -> None:
        layers: OrderedDict[str, nn.Module] = OrderedDict()
        if len(in_shape) > 1:
            layers["flatten"] = nn.Flatten()
        width = math.prod(in_shape)
        for number, units in enumerate(hidden, start=1):
            layers[f"hidden{number}"] = nn.Linear(width, units)
            layers[f"relu{number}"] = nn.ReLU()
            width = units
        layers["dropout"] = nn.Dropout(dropout)
        layers["embedding"] = nn.Linear(width, d)
        super().__init__(layers, d=d)
