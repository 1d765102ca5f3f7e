"""Encoders by name."""

from typing import Any, get_args

from angularpu.checks import check_whole, suggest
from angularpu.errors import SettingError
from angularpu.nets.cnn13 import CNN13
from angularpu.nets.encoder import Encoder
from angularpu.nets.linear import LinearEncoder
from angularpu.nets.mlp import MLP
from angularpu.nets.names import EncoderName
from angularpu.nets.vgg import VGG


def build(name: str, in_shape: tuple[int, ...], *, d: int = 128, dropout: float = 0.2) -> Encoder:
    """Build the encoder of this name for rows of this shape.

    Weights are drawn by torch's defaults from its global generator: seed it for the same weights again.

    Parameters
    ----------
    name : {"linear", "mlp", "cnn13", "vgg11_bn", "vgg16"}
        An EncoderName; it may come from a file or a command line, so it is checked here.
    in_shape : tuple of int
        (columns,) or (channels, height, width).
    d : int
        The width of f(x), at least 1.
    dropout : float in [0, 1)
        Dropout before the last linear layer; "linear" has none, for its only layer reads the row itself.

    Raises
    ------
    SettingError
        If the name is unknown, the shape is not one the encoder takes, or a number is out of range.

    Examples
    --------
    >>> build("mlp", (784,))
    MLP(
      (hidden1): Linear(in_features=784, out_features=256, bias=True)
      (relu1): ReLU()
      (hidden2): Linear(in_features=256, out_features=256, bias=True)
      (relu2): ReLU()
      (dropout): Dropout(p=0.2, inplace=False)
      (embedding): Linear(in_features=256, out_features=128, bias=True)
    )
    """
    if len(in_shape) not in {1, 3} or min(in_shape) < 1:
        raise SettingError(
            f"rows must have shape (columns,) or (channels, height, width), none of them 0, got {in_shape}; reshape X"
        )
    check_head(d, dropout)
    match name:
        case "linear":
            return LinearEncoder(in_shape, d=d)
        case "mlp":
            return MLP(in_shape, d=d, dropout=dropout)
        case "cnn13":
            return CNN13(in_shape, d=d, dropout=dropout)
        case "vgg11_bn" | "vgg16":
            return VGG(name, in_shape, d=d, dropout=dropout)
    raise SettingError(_unknown(name))


def check_head(d: Any, dropout: Any) -> None:
    """Refuse a width of the embedding or a dropout that no encoder can have.

    >>> check_head(128, 0.2)
    """
    check_whole("d", d, low=1)
    if not (isinstance(dropout, int | float) and 0 <= dropout < 1):
        raise SettingError(f"dropout must lie in [0, 1), got {dropout!r}; pass 0 to have none")


def _unknown(name: str) -> str:
    names: tuple[str, ...] = get_args(EncoderName)
    return f"encoder must be an nn.Module or one of {', '.join(names)}, got {name!r}; {suggest(name, names)}"
