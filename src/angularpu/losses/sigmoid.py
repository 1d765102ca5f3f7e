"""The sigmoid loss: a smooth error rate, with which PU risks are usually written."""

import torch
from jaxtyping import Float
from torch import Tensor


def sigmoid_loss(logit: Float[Tensor, " n"], y: int) -> Float[Tensor, " n"]:
    """Sigmoid loss sigma(-y g) of logits g taken as class ``y``; l(g, 1) + l(g, -1) = 1.

    Parameters
    ----------
    logit : Tensor, shape (n,)
    y : {1, -1}
        1 for positives, -1 for negatives.

    Examples
    --------
    >>> sigmoid_loss(torch.tensor([0.0, 3.0]), 1)
    tensor([0.5000, 0.0474])
    """
    return torch.sigmoid(-y * logit)
