"""A slow copy of a network: a moving average of its weights, as momentum encoders and mean teachers are."""

import torch
from torch import nn


@torch.no_grad()
def move_average(slow: nn.Module, fast: nn.Module, *, momentum: float) -> None:
    """Move the weights of a slow copy a little: theta' <- momentum theta' + (1 - momentum) theta.

    Buffers, such as the statistics of batch normalisation, stay as they are.

    Examples
    --------
    >>> slow, fast = nn.Linear(1, 1, bias=False), nn.Linear(1, 1, bias=False)
    >>> _ = nn.init.zeros_(slow.weight), nn.init.ones_(fast.weight)
    >>> move_average(slow, fast, momentum=0.75)
    >>> slow.weight.item()
    0.25
    """
    for old, new in zip(slow.parameters(), fast.parameters(), strict=True):
        old.lerp_(new, 1 - momentum)
