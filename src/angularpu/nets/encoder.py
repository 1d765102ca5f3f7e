"""What every encoder is: layers in a row, and the width ``d`` of the vectors they end in."""

from collections import OrderedDict

import torch
from jaxtyping import Float
from torch import Tensor, nn

from angularpu.errors import SettingError
from angularpu.nets.sparse_linear import apply_to_sparse


class Encoder(nn.Sequential):
    """An encoder f, which maps each row x to a vector f(x) in R^d, not yet normalised.

    Parameters
    ----------
    layers : OrderedDict of nn.Module
        The layers by name, in the order in which a row passes through them.
    d : int
        The width of the last layer's output.

    Examples
    --------
    >>> import torch
    >>> encoder = Encoder(OrderedDict(embedding=nn.Linear(5, 3)), d=3)
    >>> encoder.d, encoder(torch.zeros(7, 5)).shape
    (3, torch.Size([7, 3]))
    """

    d: int
    trains_in_bfloat16 = False  # weights, losses and all scoring stay in float32

    def __init__(self, layers: "OrderedDict[str, nn.Module]", *, d: int) -> None:
        super().__init__(layers)
        self.d = d

    def forward(self, x: Float[Tensor, "n ..."]) -> Float[Tensor, "n {self.d}"]:
        """Return f(x) for every row; rows may also come as a CSR tensor."""
        if self.training and self.trains_in_bfloat16:
            with torch.autocast(x.device.type, torch.bfloat16):
                return self._pass_through(x).float()
        return self._pass_through(x)

    def _pass_through(self, x: Tensor) -> Tensor:
        for layer in self:
            x = apply_to_sparse(layer, x) if x.layout == torch.sparse_csr else layer(x)
        return x


def check_image(in_shape: tuple[int, ...], *, encoder: str) -> None:
    """Raise SettingError unless a row is an image.

    >>> check_image((3, 32, 32), encoder="cnn13")
    """
    if len(in_shape) != 3:
        raise SettingError(
            f"encoder {encoder!r} needs images, rows of shape (channels, height, width), got rows of shape {in_shape}; "
            "use 'mlp' or 'linear' for other rows"
        )
