"""Two clusters of embeddings: pseudo-labels without a prior."""

import torch
from jaxtyping import Bool, Float
from torch import Tensor, nn

ROUNDS = 50


def cluster(pos: Float[Tensor, "p d"], unl: Float[Tensor, "u d"]) -> Bool[Tensor, " u"]:
    """Split all rows into two clusters (k-means) and tell which unlabelled rows are in that of the positives (puPL).

    The clusters start at that mean and at the unlabelled row farthest from it.

    >>> cluster(torch.tensor([[0.0], [0.2]]), torch.tensor([[0.1], [1.0], [0.9]]))
    tensor([ True, False, False])
    """
    rows, mean = torch.cat([pos, unl]), pos.mean(0)
    centres = torch.stack([mean, unl[(unl - mean).norm(dim=1).argmax()]])
    for _ in range(ROUNDS):
        member = nn.functional.one_hot(torch.cdist(rows, centres).argmin(1), 2).to(rows)
        count = member.sum(0)[:, None]
        moved = torch.where(count > 0, member.T @ rows / count.clamp(min=1), centres)
        if torch.equal(moved, centres):
            break
        centres = moved
    positive: Tensor = (centres - mean).norm(dim=1).argmin()
    return torch.cdist(unl, centres).argmin(1).eq(positive)
