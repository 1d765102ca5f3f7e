"""puNCE's contrast: labelled views attract each other, and by the share alpha unlabelled views too."""

import torch
from jaxtyping import Float
from torch import Tensor

from angularpu.losses.contrastive import contrastive_loss, leave_out


def punce_loss(z: Float[Tensor, "m w"], n_pos: int, *, alpha: float, temperature: float) -> Float[Tensor, ""]:
    """Return puNCE's mean over the anchors: first views of all rows, then second ones, each labelled rows first.

    Two labelled rows in one place and an unlabelled one apart, at an angle of 90 degrees:

    >>> z = torch.tensor([[1.0, 0.0], [1.0, 0.0], [0.0, 1.0]]).repeat(2, 1)
    >>> punce_loss(z, 2, alpha=0.5, temperature=1.0)
    tensor(1.2914)
    """
    apart = leave_out(torch.eye(len(z), dtype=torch.bool, device=z.device)).to(z)
    peers = share_peers(len(z) // 2, n_pos, alpha=alpha).to(z)
    return contrastive_loss(z @ z.T / temperature, peers, log_weights=apart).mean()


def share_peers(n: int, n_pos: int, *, alpha: float) -> Float[Tensor, "m m"]:
    """Return how each of 2n views divides its attention: among the labelled views, and its own other view.

    >>> share_peers(2, 1, alpha=1.0)
    tensor([[0.0000, 0.0000, 1.0000, 0.0000],
            [0.2500, 0.0000, 0.2500, 0.5000],
            [1.0000, 0.0000, 0.0000, 0.0000],
            [0.2500, 0.5000, 0.2500, 0.0000]])
    """
    own = torch.eye(n).repeat(2, 2).fill_diagonal_(0)
    if not n_pos:
        return own
    labelled = (torch.arange(n) < n_pos).float().repeat(2)
    # An anchor that is itself labelled has one labelled view fewer to look at.
    positives = (labelled / (2 * n_pos - labelled[:, None])).fill_diagonal_(0)
    return torch.where(labelled[:, None] > 0, positives, (own + alpha * positives) / (1 + alpha))
