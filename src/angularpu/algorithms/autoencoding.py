"""An autoencoder of the positives, and the set of codes that fills the gaps between them."""

import torch
from jaxtyping import Float
from torch import Tensor, nn

from angularpu.errors import SettingError
from angularpu.nets.encoder import Encoder

HIDDEN = 256
SIDE = 16  # images are rebuilt at 16 x 16 pixels, however large they are
NEIGHBOURS = 5
MOST_POSITIVES = 1000


class Decoder(nn.Module):
    """Rebuilds a row from its code, and remembers which rows were found to be negatives.

    Parameters
    ----------
    encoder : Encoder
        Its first layer tells the width of a row, or the channels of an image.
    n_rows : int
        One more than the greatest row number.
    """

    negative: Tensor
    dense: Tensor | None = None

    def __init__(self, encoder: Encoder, *, n_rows: int) -> None:
        super().__init__()
        first = next((layer for layer in encoder.modules() if isinstance(layer, nn.Linear | nn.Conv2d)), None)
        if first is None:
            raise SettingError(
                "dense_pu needs an encoder with an nn.Linear or nn.Conv2d, which tells the shape of a row; use another"
            )
        self.pools = isinstance(first, nn.Conv2d)
        width = first.in_channels * SIDE**2 if isinstance(first, nn.Conv2d) else first.in_features
        self.layers = nn.Sequential(nn.Linear(encoder.d, HIDDEN), nn.ReLU(), nn.Linear(HIDDEN, width))
        self.register_buffer("negative", torch.zeros(n_rows))

    def rebuild_error(self, x: Float[Tensor, "n ..."], z: Float[Tensor, "n d"]) -> Float[Tensor, " n"]:
        """Return the mean squared difference between a row and what the code z is decoded to."""
        rebuilt: Tensor = self.layers(z)
        return (rebuilt - self._flatten(x)).square().mean(1)

    def measure(self, x: Float[Tensor, "n ..."], z: Float[Tensor, "n d"]) -> Float[Tensor, " n"]:
        """Return how far a row lies from the positives: the share of its squares that its decoded code leaves over.

        Where there is a dense set, the nearest code in it is decoded instead. The error by itself would be greatest for
        long rows, whatever they are like.
        """
        if self.dense is not None:
            z = self.dense[torch.cdist(z, self.dense).argmin(1)]
        size = self._flatten(x).square().mean(1)
        return self.rebuild_error(x, z) / size.clamp_min(torch.finfo(size.dtype).eps)

    def _flatten(self, x: Float[Tensor, "n ..."]) -> Float[Tensor, "n w"]:
        x = x.to_dense() if x.layout == torch.sparse_csr else x
        return (nn.functional.adaptive_avg_pool2d(x, SIDE) if self.pools else x).flatten(1)


def densify(codes: Float[Tensor, "p d"]) -> Float[Tensor, "q d"]:
    """Add to the codes the midpoints between each and its five nearest.

    Of 2,000 codes or more, every second, third and so on is taken, so that one to two thousand remain.

    >>> densify(torch.tensor([[0.0], [1.0]]))
    tensor([[0.0000],
            [1.0000],
            [0.5000],
            [0.5000]])
    """
    codes = codes[:: max(1, len(codes) // MOST_POSITIVES)]
    near = torch.cdist(codes, codes).fill_diagonal_(torch.inf).topk(min(NEIGHBOURS, len(codes) - 1), largest=False)
    return torch.cat([codes, ((codes[:, None] + codes[near.indices]) / 2).flatten(0, 1)])
