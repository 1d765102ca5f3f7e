"""Hard negatives: keys of the other class near a query; the nearer a key, the more it counts."""

import torch
from jaxtyping import Bool, Float
from torch import Tensor

LEAST_DISSIMILARITY = 1e-3  # keeps the weight of a key that coincides with the query finite


def find_hard(cosine: Float[Tensor, "n k"], *, other: Bool[Tensor, "n k"]) -> Bool[Tensor, "n k"]:
    """Mark the nearest quarter of each query's other-prototype keys: DisSim = |q - k|^2 / 4 up to its first quartile.

    >>> cosine = torch.tensor([[0.9, 0.8, 0.0, -0.5, -1.0]])
    >>> find_hard(cosine, other=torch.tensor([[False, True, True, True, True]]))
    tensor([[False,  True, False, False, False]])
    """
    dissimilar = ((1 - cosine) / 2).masked_fill(~other, torch.nan)
    return dissimilar <= dissimilar.nanquantile(0.25, dim=1, keepdim=True)


def weigh(
    cosine: Float[Tensor, "n k"], peers: Bool[Tensor, "n k"], *, hard: Bool[Tensor, "n k"]
) -> Float[Tensor, "n k"]:
    """Return log weights: 0 for peers, -log DisSim for hard negatives that are no peers, -inf for all others.

    >>> weigh(torch.zeros(1, 3), torch.tensor([[True, False, False]]), hard=torch.tensor([[True, True, False]]))
    tensor([[0.0000, 0.6931,   -inf]])
    """
    dissimilar = ((1 - cosine) / 2).clamp(min=LEAST_DISSIMILARITY)
    return torch.where(peers, 0.0, torch.where(hard, -dissimilar.log(), -torch.inf))
